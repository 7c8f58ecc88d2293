import { ANSWER_HEADERS } from '../route/answer-headers.js';
import type { DescribedParameter, DescribedRoute } from '../route/api-route.decorator.js';
import { BASE, IMAGE_ID, JOB_ID, REPORT_ID, resultExample, WOUND_ID } from '../route/examples.js';
import { metadataFamily } from '../route/metadata-pairs.js';
import { jobPath, reportPath, woundPath } from '../route/paths.js';
import { courseQuerySchema, periodQuerySchema } from '../reports/report-query.schema.js';
import { courseReportSchema } from '../reports/report.schema.js';
import { changeExample, reportExample, subjectExample } from '../reports/reports.examples.js';
import { ACCEPT_LANGUAGE, DOCUMENT_TYPES } from '../reports/reports.routes.js';
import { timelineSchema } from './timeline.schema.js';
import {
  woundClosingSchema,
  woundReopeningSchema,
  woundDecisionSchema,
  woundDetailsSchema,
  woundListSchema,
  woundMergeSchema,
  woundQueryFields,
} from './wound.schema.js';

const OTHER_WOUND_ID = '01997f30-7c45-7b88-9a1e-6f2d8c4b0e57';
const ID: DescribedParameter = { name: 'id', description: 'The wound, by this service’s id', example: WOUND_ID };
const IF_NONE_MATCH: DescribedParameter = {
  name: 'If-None-Match',
  description: 'ETag of the answer that you have.',
  example: ANSWER_HEADERS.ETag.example,
};
const self = `${BASE}${woundPath(WOUND_ID)}`;
const { woundRef, ...named } = subjectExample;
const [measured] = resultExample.wounds;

const woundExample = {
  id: woundRef,
  ...named,
  linked: true,
  status: 'open',
  closedAt: null,
  mergedInto: null,
  environment: 'test',
  createdAt: '2025-11-13T09:05:31.902Z',
  links: { self, timeline: `${self}/timeline`, report: `${self}/report` },
};
const reviewer = { id: 'HCP-0042', name: 'Example Reviewer' };
const waitingExample = {
  reportId: REPORT_ID,
  capturedAt: reportExample.capturedAt,
  reasons: ['site_mismatch'],
  links: { report: `${BASE}${reportPath(REPORT_ID)}` },
};
const detailsExample = {
  ...woundExample,
  attention: [],
  course: null,
  candidates: [],
  events: [],
  clinicalEvents: [],
  relations: [],
};
const closedExample = {
  ...detailsExample,
  status: 'closed',
  closedAt: '2026-01-15T10:00:00.000Z',
  events: [
    {
      decision: 'closed',
      otherWound: null,
      reviewer,
      note: 'Epithelialised.',
      reason: 'healed',
      decidedAt: '2026-01-15T10:00:00.000Z',
      enteredBy: null,
    },
  ],
};
const mergedExample = {
  ...detailsExample,
  mergedInto: OTHER_WOUND_ID,
  events: [
    {
      decision: 'merged',
      otherWound: OTHER_WOUND_ID,
      reviewer,
      note: null,
      reason: null,
      decidedAt: '2025-11-20T10:00:00.000Z',
      enteredBy: 'HCP-0042',
    },
  ],
};

const timelineExample = {
  wound: woundExample,
  assessments: [
    {
      sequence: 2,
      capturedAt: reportExample.capturedAt,
      jobId: JOB_ID,
      imageId: IMAGE_ID,
      reportId: REPORT_ID,
      reportVersion: 1,
      reportStatus: 'preliminary',
      woundDetected: true,
      areaCm2: measured!.area.cm2,
      lengthCm: measured!.length.cm,
      widthCm: measured!.width.cm,
      perimeterCm: measured!.perimeter.cm,
      areaPixels: measured!.area.pixels,
      tissue: measured!.tissue,
      confirmedTissues: [],
      quality: resultExample.quality,
      scaleSource: 'client',
      model: reportExample.findings.model,
      outlineSource: 'model',
      noTrendReason: null,
      attention: [],
      sincePrevious: changeExample,
      sinceBaseline: changeExample,
      sinceSmallest: changeExample,
      slope: null,
      trendBasis: 'pair',
      supersededBy: null,
      trend: 'within_detectable_change',
      course: { verdict: 'unchanged', since: '2025-11-17T09:00:00.000Z', because: [], waitsFor: [] },
      flags: [],
      links: { job: `${BASE}${jobPath(JOB_ID)}`, report: `${BASE}${reportPath(REPORT_ID)}` },
    },
  ],
};

/** The wound routes for the OpenAPI document. */
export const LIST_WOUNDS: DescribedRoute = {
  operationId: 'listWounds',
  tag: 'follow-up',
  summary: 'List wounds',
  description:
    'Newest first, page by page. By pairs of metadata: by the newest job that has them, unless patientId, woundId or attention=true is asked for too; a page may have fewer wounds than limit, even none, and yet a nextCursor.',
  path: '/api/v1/wounds',
  query: woundQueryFields,
  queryFamily: metadataFamily(
    'wounds with a photo whose job has this pair in its metadata, and those that such a wound was joined into',
  ),
  answers: [
    {
      status: 200,
      description: 'One page',
      schema: woundListSchema,
      examples: { page: { items: [{ ...woundExample, attention: [waitingExample] }], nextCursor: null } },
    },
  ],
  errors: ['request.invalid'],
};

export const READ_WOUND: DescribedRoute = {
  operationId: 'getWound',
  tag: 'follow-up',
  summary: 'Read a wound',
  path: woundPath(WOUND_ID),
  pathParameters: [ID],
  requestHeaders: [IF_NONE_MATCH],
  answers: [
    {
      status: 200,
      description: 'The wound',
      schema: woundDetailsSchema,
      examples: { wound: detailsExample },
      headers: ['ETag'],
    },
    { status: 304, description: 'You have this answer already', headers: ['ETag'] },
  ],
  errors: ['wound.not_found'],
};

export const READ_TIMELINE: DescribedRoute = {
  operationId: 'getWoundTimeline',
  tag: 'follow-up',
  summary: 'Read the timeline of a wound',
  description:
    'Every assessment in the order of the photos, compared with the one before and the first. A photo that arrives late is inserted at its capture time.',
  path: `${woundPath(WOUND_ID)}/timeline`,
  pathParameters: [ID],
  query: periodQuerySchema,
  requestHeaders: [IF_NONE_MATCH],
  answers: [
    {
      status: 200,
      description: 'The timeline',
      schema: timelineSchema,
      examples: { timeline: timelineExample },
      headers: ['ETag'],
    },
    { status: 304, description: 'You have this answer already', headers: ['ETag'] },
  ],
  errors: ['request.invalid', 'wound.not_found'],
};

export const READ_COURSE: DescribedRoute = {
  operationId: 'getCourseReport',
  tag: 'follow-up',
  summary: 'Read the course report of a wound',
  description: 'All assessments between two moments in one document, as JSON, HTML, PDF or plain text by `Accept`.',
  path: `${woundPath(WOUND_ID)}/report`,
  pathParameters: [ID],
  query: courseQuerySchema,
  requestHeaders: [ACCEPT_LANGUAGE],
  answers: [
    {
      status: 200,
      description: 'The course report',
      schema: courseReportSchema,
      examples: {
        course: {
          subject: subjectExample,
          from: null,
          to: null,
          issuedAt: '2025-11-20T10:00:00.000Z',
          reports: [reportExample],
        },
      },
      bytes: DOCUMENT_TYPES,
      headers: ['Content-Language'],
    },
  ],
  errors: ['request.invalid', 'wound.not_found', 'report.not_found'],
};

export const MERGE_WOUND: DescribedRoute = {
  operationId: 'mergeWound',
  tag: 'follow-up',
  summary: 'Join a wound into another',
  description:
    'A person found two wounds of one patient to be the same. From now on their assessments are one series; `unmerge` undoes it.',
  path: `${woundPath(WOUND_ID)}/merge`,
  pathParameters: [ID],
  body: { schema: woundMergeSchema, example: { into: OTHER_WOUND_ID, reviewer }, required: true },
  answers: [
    { status: 200, description: 'The merged wound', schema: woundDetailsSchema, examples: { merged: mergedExample } },
  ],
  errors: ['wound.not_found', 'wound.merge_refused', 'wound.two_at_once'],
};

export const UNMERGE_WOUND: DescribedRoute = {
  ...decisionRoute('unmerge', 'unmergeWound', 'Take a merged wound out again'),
  description: 'With everything that had been merged into it.',
  body: { schema: woundDecisionSchema, example: { reviewer }, required: false },
  errors: ['wound.not_found', 'wound.not_merged'],
};

export const CLOSE_WOUND: DescribedRoute = {
  ...decisionRoute('close', 'closeWound', 'Close a wound'),
  description:
    'A person found it closed; the service never does. Later photos are still filed under it and do not reopen it.',
  answers: [{ status: 200, description: 'The wound', schema: woundDetailsSchema, examples: { closed: closedExample } }],
};

export const REOPEN_WOUND: DescribedRoute = {
  ...decisionRoute('reopen', 'reopenWound', 'Reopen a wound'),
  body: { schema: woundReopeningSchema, example: { reviewer, decidedAt: '2026-01-15T10:00:00Z' }, required: false },
};

function decisionRoute(action: string, operationId: string, summary: string): DescribedRoute {
  return {
    operationId,
    tag: 'follow-up',
    summary,
    path: `${woundPath(WOUND_ID)}/${action}`,
    pathParameters: [ID],
    body: {
      schema: woundClosingSchema,
      example: { reason: 'healed', closedAt: '2026-01-15T10:00:00Z', reviewer },
      required: false,
    },
    answers: [
      { status: 200, description: 'The wound', schema: woundDetailsSchema, examples: { wound: detailsExample } },
    ],
    errors: ['wound.not_found', 'wound.merged', 'capture.future', 'request.invalid'],
  };
}
