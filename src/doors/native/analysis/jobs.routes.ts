import { TISSUE_TABLE, TISSUES } from '../../../core/tissue/tissues.js';
import { ANSWER_HEADERS } from '../route/answer-headers.js';
import type { DescribedParameter, DescribedRoute } from '../route/api-route.decorator.js';
import {
  completedJobExample,
  failedJobExample,
  JOB_ID,
  jobListExample,
  jobRequestExample,
  queuedJobExample,
  usageExample,
} from '../route/examples.js';
import { metadataFamily } from '../route/metadata-pairs.js';
import { jobPath } from '../route/paths.js';
import { jobListSchema, jobViewSchema, usageSchema } from './job-view.schema.js';
import { jobQueryFields } from './job-query.schema.js';
import { jobRequestSchema } from './job-request.schema.js';

const ID: DescribedParameter = { name: 'id', description: 'The job', example: JOB_ID };
const IF_NONE_MATCH: DescribedParameter = {
  name: 'If-None-Match',
  description: 'ETag of the answer that you have.',
  example: ANSWER_HEADERS.ETag.example,
};

/** The job routes for the OpenAPI document. */
export const CREATE_JOB: DescribedRoute = {
  operationId: 'createAnalysisJob',
  tag: 'analysis',
  summary: 'Create an analysis job',
  description:
    'Charges one analysis of the daily quota. A refusal or a repeat under the same Idempotency-Key charges nothing. `identity.conflict` is answered only where metadata.sandbox asks for it.',
  path: '/api/v1/analysis/jobs',
  requestHeaders: [
    {
      name: 'Idempotency-Key',
      description:
        'Quoted or bare, up to 255 printable ASCII characters, kept 24 hours. Repeats with the same body get the first answer and are not charged.',
      example: '"6f1d2c8a"',
    },
  ],
  body: { schema: jobRequestSchema, example: jobRequestExample, required: true },
  answers: [
    {
      status: 201,
      description: 'The job, queued',
      schema: jobViewSchema,
      examples: { queued: queuedJobExample },
      headers: ['Location', 'Retry-After', 'RateLimit-Policy', 'RateLimit', 'Idempotency-Replayed'],
    },
  ],
  errors: [
    'image.not_found',
    'image.not_uploaded',
    'image.unreadable',
    'image.damaged',
    'image.too_large',
    'image.type',
    'upload.digest',
    'upload.signature',
    'image.unavailable',
    'subject.mismatch',
    'job.repeated',
    'capture.future',
    'calibration.implausible',
    'region.outside_photo',
    'model.research_only',
    'idempotency.mismatch',
    'idempotency.in_flight',
    'quota.exceeded',
    'sandbox.live',
    'identity.conflict',
  ],
};

export const READ_JOB: DescribedRoute = {
  operationId: 'getAnalysisJob',
  tag: 'analysis',
  summary: 'Read a job',
  description: 'Its state, and its result once there is one. Costs no analysis.',
  path: jobPath(JOB_ID),
  pathParameters: [ID],
  requestHeaders: [
    {
      name: 'Prefer',
      description: '`wait=N` holds the answer back until the job has ended or N seconds, at most 30, have passed.',
      example: 'wait=30',
    },
    IF_NONE_MATCH,
  ],
  answers: [
    {
      status: 200,
      description: 'The job',
      schema: jobViewSchema,
      examples: { queued: queuedJobExample, completed: completedJobExample, error: failedJobExample },
      headers: ['ETag', 'Retry-After', 'Preference-Applied'],
    },
    {
      status: 304,
      description: 'You have this answer already',
      headers: ['ETag', 'Retry-After', 'Preference-Applied'],
    },
  ],
  errors: ['job.not_found'],
};

export const LIST_JOBS: DescribedRoute = {
  operationId: 'listAnalysisJobs',
  tag: 'analysis',
  summary: 'List jobs',
  description: 'Newest first, page by page. Pages stay stable while jobs are added.',
  path: '/api/v1/analysis/jobs',
  query: jobQueryFields,
  queryFamily: metadataFamily('jobs with this pair in their metadata'),
  answers: [{ status: 200, description: 'One page', schema: jobListSchema, examples: { page: jobListExample } }],
  errors: ['request.invalid'],
};

const TISSUE_NUMBERS = TISSUES.map((tissue) => `${TISSUE_TABLE[tissue].number} ${tissue}`).join(', ');

export const READ_ARTIFACT: DescribedRoute = {
  operationId: 'getArtifact',
  tag: 'analysis',
  summary: 'Download the mask, the overlay or the tissue map',
  description: `mask: 8-bit PNG of the size of the oriented photo, 0 = not wound, 255 = wound. overlay: the photo without any metadata, with every outline and its number (index + 1), and length, width and a scale bar where there is a scale. tissue: indexed PNG that covers the whole photo, also where it has fewer pixels: 0 = not wound, else the number of the tissue (${TISSUE_NUMBERS}; more may come); only where a tissue model is in use and a wound was outlined.`,
  path: `${jobPath(JOB_ID)}/artifacts/mask`,
  pathParameters: [ID, { name: 'name', description: 'mask, overlay or tissue', example: 'mask' }],
  requestHeaders: [IF_NONE_MATCH],
  answers: [
    {
      status: 200,
      description: 'The picture',
      bytes: ['image/png', 'image/jpeg', 'image/webp'],
      headers: ['ETag', 'Content-Disposition'],
    },
    { status: 302, description: 'With an object store: a short-lived signed address', headers: ['Location'] },
    { status: 304, description: 'You have this picture already', headers: ['ETag'] },
  ],
  errors: ['job.not_found', 'artifact.not_found'],
};

export const READ_USAGE: DescribedRoute = {
  operationId: 'getUsage',
  tag: 'usage',
  summary: 'Read the use of the daily quota',
  path: '/api/v1/usage',
  answers: [
    {
      status: 200,
      description: 'Today',
      schema: usageSchema,
      examples: { today: usageExample },
      headers: ['RateLimit-Policy', 'RateLimit'],
    },
  ],
  errors: [],
};
