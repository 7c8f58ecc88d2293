import { ANSWER_HEADERS } from '../route/answer-headers.js';
import type { DescribedParameter, DescribedRoute } from '../route/api-route.decorator.js';
import { REPORT_ID } from '../route/examples.js';
import { reportPath } from '../route/paths.js';
import { reportQuerySchema } from './report-query.schema.js';
import { reportSchema, reportVersionsSchema, reviewRequestSchema } from './report.schema.js';
import { acceptExample, correctedExample, reportExample } from './reports.examples.js';

/** Beside JSON. */
export const DOCUMENT_TYPES = ['text/html', 'application/pdf', 'text/plain'] as const;

const ID: DescribedParameter = { name: 'id', description: 'The report', example: REPORT_ID };
const IF_NONE_MATCH: DescribedParameter = {
  name: 'If-None-Match',
  description: 'ETag of the answer that you have.',
  example: ANSWER_HEADERS.ETag.example,
};
export const ACCEPT_LANGUAGE: DescribedParameter = {
  name: 'Accept-Language',
  description: 'Language of the documents: en, es, de or fr; en where none fits.',
  example: 'de, en;q=0.5',
};

/** The report routes for the OpenAPI document. */
export const READ_REPORT: DescribedRoute = {
  operationId: 'getReport',
  tag: 'follow-up',
  summary: 'Read a clinical report',
  description:
    'The present version, as JSON, HTML, PDF or plain text by `Accept`; the same figures in each. A job’s `links.report` leads here as soon as the job is completed.',
  path: reportPath(REPORT_ID),
  pathParameters: [ID],
  query: reportQuerySchema,
  requestHeaders: [ACCEPT_LANGUAGE, IF_NONE_MATCH],
  answers: [
    {
      status: 200,
      description: 'The report',
      schema: reportSchema,
      examples: { report: reportExample },
      bytes: DOCUMENT_TYPES,
      headers: ['ETag', 'Content-Language'],
    },
    { status: 304, description: 'You have this answer already', headers: ['ETag'] },
  ],
  errors: ['request.invalid', 'report.not_found'],
};

export const LIST_VERSIONS: DescribedRoute = {
  operationId: 'listReportVersions',
  tag: 'follow-up',
  summary: 'List the versions of a report',
  path: `${reportPath(REPORT_ID)}/versions`,
  pathParameters: [ID],
  answers: [
    {
      status: 200,
      description: 'Oldest first',
      schema: reportVersionsSchema,
      examples: { versions: { items: [reportExample, correctedExample], nextCursor: null } },
    },
  ],
  errors: ['report.not_found'],
};

export const READ_VERSION: DescribedRoute = {
  operationId: 'getReportVersion',
  tag: 'follow-up',
  summary: 'Read one version of a report',
  description: 'As it was written, in any representation.',
  path: `${reportPath(REPORT_ID)}/versions/1`,
  pathParameters: [ID, { name: 'version', description: '1, 2, 3 …', example: '1' }],
  query: reportQuerySchema,
  requestHeaders: [ACCEPT_LANGUAGE, IF_NONE_MATCH],
  answers: [
    {
      status: 200,
      description: 'The version',
      schema: reportSchema,
      examples: { first: reportExample },
      bytes: DOCUMENT_TYPES,
      headers: ['ETag', 'Content-Language'],
    },
    { status: 304, description: 'You have this answer already', headers: ['ETag'] },
  ],
  errors: ['request.invalid', 'report.not_found'],
};

export const REVIEW_REPORT: DescribedRoute = {
  operationId: 'reviewReport',
  tag: 'follow-up',
  summary: 'Review a report',
  description:
    'Takes a person’s decision about the version that `If-Match` names and answers with the version that now stands; after `reassign` with the new report. Figures are measured anew from a corrected contour, and later reports of the wound get new versions where a figure of theirs changes. Charges nothing.',
  path: `${reportPath(REPORT_ID)}/reviews`,
  pathParameters: [ID],
  requestHeaders: [
    {
      name: 'If-Match',
      description: 'Required: ETag of the report as it was read, of any representation.',
      example: ANSWER_HEADERS.ETag.example,
    },
    {
      name: 'Idempotency-Key',
      description:
        'Quoted or bare, up to 255 printable ASCII characters, kept 24 hours. Repeats with the same body get the first answer.',
      example: '"6f1d2c8a"',
    },
  ],
  body: { schema: reviewRequestSchema, example: acceptExample, required: true },
  answers: [
    {
      status: 201,
      description: 'The report as it now stands',
      schema: reportSchema,
      examples: { accepted: correctedExample },
      headers: ['Location', 'ETag', 'Idempotency-Replayed'],
    },
  ],
  errors: [
    'report.not_found',
    'report.stale',
    'report.entered_in_error',
    'request.precondition_required',
    'idempotency.mismatch',
    'idempotency.in_flight',
  ],
};
