import type { DescribedRoute } from '../route/api-route.decorator.js';
import { BASE, IMAGE_ID, REPORT_ID, resultExample, WOUND_ID } from '../route/examples.js';
import { reportPath, woundPath } from '../route/paths.js';
import { woundEvidenceSchema } from '../reports/evidence.schema.js';
import { evidenceQuerySchema } from '../reports/report-query.schema.js';
import { reportExample, subjectExample } from '../reports/reports.examples.js';
import { ACCEPT_LANGUAGE, DOCUMENT_TYPES } from '../reports/reports.routes.js';

const self = `${BASE}${woundPath(WOUND_ID)}`;
const [measured] = resultExample.wounds;

const evidenceExample = {
  subject: subjectExample,
  heading: null,
  from: '2025-10-23T10:00:00.000Z',
  to: '2025-11-20T10:00:00.000Z',
  issuedAt: '2025-11-20T10:00:00.000Z',
  change: null,
  assessments: [
    {
      reportId: REPORT_ID,
      version: 1,
      status: 'preliminary',
      capturedAt: reportExample.capturedAt,
      woundDetected: true,
      areaCm2: measured!.area.cm2,
      noTrendReason: null,
      attention: [],
      depthCm: null,
      depthStatedAt: null,
      undermining: [],
      tunnelling: [],
      tissue: measured!.tissue,
      confirmedTissues: [],
      clinicalContext: reportExample.clinicalContext,
      course: null,
      imageId: IMAGE_ID,
      photoDeleted: false,
      signed: null,
      links: { report: `${BASE}${reportPath(REPORT_ID)}`, version: `${BASE}${reportPath(REPORT_ID)}/versions/1` },
    },
  ],
  treatment: [],
  missing: [
    { code: 'change_not_told', from: null, to: null, reportIds: [] },
    { code: 'depth_not_stated', from: null, to: null, reportIds: [REPORT_ID] },
    { code: 'not_signed', from: null, to: null, reportIds: [REPORT_ID] },
    { code: 'treatment_not_recorded', from: null, to: null, reportIds: [] },
  ],
  links: { self: `${self}/evidence`, wound: self, report: `${self}/report` },
};

/** The route of a wound’s evidence for the OpenAPI document. */
export const READ_EVIDENCE: DescribedRoute = {
  operationId: 'getWoundEvidence',
  tag: 'follow-up',
  summary: 'Read the evidence of a wound over some weeks',
  description:
    'Area, depth, tissue, change, photos and treatment of a period in one page for a payer’s auditor, with what is missing; JSON, HTML, PDF or plain text by `Accept`. Four weeks where no period is stated. Made anew each time; at most nine photos are shown.',
  path: `${woundPath(WOUND_ID)}/evidence`,
  pathParameters: [{ name: 'id', description: 'The wound, by this service’s id', example: WOUND_ID }],
  query: evidenceQuerySchema,
  requestHeaders: [ACCEPT_LANGUAGE],
  answers: [
    {
      status: 200,
      description: 'The evidence',
      schema: woundEvidenceSchema,
      examples: { evidence: evidenceExample },
      bytes: DOCUMENT_TYPES,
      headers: ['Content-Language'],
    },
  ],
  errors: ['request.invalid', 'wound.not_found', 'report.not_found'],
};
