import type { AnalysisJob } from '../../../core/analysis/analysis-job.js';
import {
  completedJobExample,
  failedJobExample,
  JOB_ID,
  jobListExample,
  jobRequestExample,
  queuedJobExample,
  REPORT_ID,
  uploadRequestExample,
  uploadTicketExample,
  usageExample,
} from '../route/examples.js';
import { uploadRequestSchema, uploadTicketSchema } from '../images/images.schema.js';
import { toJobRequest } from './job-request.mapper.js';
import { jobRequestSchema } from './job-request.schema.js';
import { toJobView } from './job-view.mapper.js';
import { jobListSchema, jobViewSchema, usageSchema } from './job-view.schema.js';

const request = toJobRequest(jobRequestSchema.parse(jobRequestExample));

function job(change: Partial<AnalysisJob>): AnalysisJob {
  return {
    ...request,
    id: JOB_ID,
    reportId: REPORT_ID,
    organizationId: 'o',
    environment: 'test',
    patientId: 'p',
    capturedAt: request.capturedAt ?? new Date(0),
    status: 'queued',
    attempts: 0,
    createdAt: new Date(queuedJobExample.createdAt),
    startedAt: null,
    completedAt: null,
    result: null,
    error: null,
    ...change,
  };
}

const ended = {
  startedAt: new Date(completedJobExample.startedAt),
  completedAt: new Date(completedJobExample.completedAt),
  attempts: 1,
};
const BASE = 'https://sutura.example';

describe('the view of a job', () => {
  it('never carries a result and an error together, nor either before the end', () => {
    const result = completedJobExample.result as unknown as AnalysisJob['result'];
    const error = failedJobExample.error as AnalysisJob['error'];
    for (const status of ['queued', 'processing'] as const)
      expect(Object.keys(toJobView(job({ status, result, error }), BASE))).not.toEqual(
        expect.arrayContaining(['result']),
      );
    expect(toJobView(job({ ...ended, status: 'error', result, error }), BASE)).not.toHaveProperty('result');
    expect(toJobView(job({ ...ended, status: 'completed', result, error }), BASE)).not.toHaveProperty('error');
  });

  it('shows nothing of the service itself', () => {
    const view = toJobView(job({}), BASE);
    for (const hidden of ['organizationId', 'patientId', 'source', 'mmPerPixel'])
      expect(view).not.toHaveProperty(hidden);
  });

  it('is the queued example for a new job', () => {
    expect(toJobView(job({}), BASE)).toEqual(queuedJobExample);
  });

  it('adds the addresses of the artifacts to a completed job', () => {
    const bare = structuredClone(completedJobExample.result) as { artifacts: Record<string, { url?: string }> };
    for (const artifact of Object.values(bare.artifacts)) delete artifact.url;
    expect(
      toJobView(job({ ...ended, status: 'completed', result: bare as unknown as AnalysisJob['result'] }), BASE),
    ).toEqual(completedJobExample);
  });
});

describe('the examples of the document', () => {
  it.each([
    ['upload request', uploadRequestSchema, uploadRequestExample],
    ['upload ticket', uploadTicketSchema, uploadTicketExample],
    ['job request', jobRequestSchema, jobRequestExample],
    ['queued job', jobViewSchema, queuedJobExample],
    ['completed job', jobViewSchema, completedJobExample],
    ['job in error', jobViewSchema, failedJobExample],
    ['list', jobListSchema, jobListExample],
    ['usage', usageSchema, usageExample],
  ])('%s fits its schema', (_, schema, example) => {
    expect(schema.safeParse(example).error).toBeUndefined();
  });
});
