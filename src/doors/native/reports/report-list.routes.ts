import type { DescribedRoute } from '../route/api-route.decorator.js';
import { BASE, IMAGE_ID, JOB_ID, REPORT_ID, WOUND_ID } from '../route/examples.js';
import { metadataFamily } from '../route/metadata-pairs.js';
import { jobPath, reportPath, woundPath } from '../route/paths.js';
import { reportListFields, reportListSchema } from './report-list.schema.js';

const example = {
  items: [
    {
      id: REPORT_ID,
      version: 1,
      status: 'preliminary',
      jobId: JOB_ID,
      imageId: IMAGE_ID,
      woundRef: WOUND_ID,
      attention: [],
      replaces: null,
      replacedBy: null,
      capturedAt: '2025-11-20T08:58:00.000Z',
      createdAt: '2025-11-20T09:00:07.310Z',
      links: {
        self: `${BASE}${reportPath(REPORT_ID)}`,
        job: `${BASE}${jobPath(JOB_ID)}`,
        wound: `${BASE}${woundPath(WOUND_ID)}`,
      },
    },
  ],
  nextCursor: null,
};

/** The look-up of reports for the OpenAPI document. */
export const LIST_REPORTS: DescribedRoute = {
  operationId: 'listReports',
  tag: 'follow-up',
  summary: 'Find reports by your own references',
  description:
    'Those of the newest job first, page by page, without their content; withdrawn ones too. At least one pair of metadata is asked for. A page may have fewer reports than limit, even none, and yet a nextCursor.',
  path: '/api/v1/reports',
  query: reportListFields,
  queryFamily: metadataFamily('reports whose job has this pair in its metadata'),
  answers: [{ status: 200, description: 'One page', schema: reportListSchema, examples: { page: example } }],
  errors: ['request.invalid'],
};
