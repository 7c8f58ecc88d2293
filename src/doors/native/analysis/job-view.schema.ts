import { z } from 'zod';
import { JOB_PRIORITIES } from '../../../core/analysis/analysis-job.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { statedObservationsSchema } from './clinician-observations.schema.js';
import { calibrationSchema, subjectSchema } from './job-request.schema.js';
import { resultSchema } from './result.schema.js';
import { asStated } from '../subject/as-stated.schema.js';

const moment = z.iso.datetime();

export const jobErrorSchema = z
  .looseObject({
    code: z.string().describe('A code of docs/errors.md.'),
    detail: z.string(),
    retryable: z.boolean().describe('true where a new job on the same photo may succeed.'),
  })
  .meta({ id: 'JobError', description: 'Why a job ended in error.' });

export const jobViewSchema = z
  .looseObject({
    id: z.string(),
    status: z
      .string()
      .describe('queued, processing, completed or error. A state that you do not know counts as still running.'),
    imageId: z.string(),
    clinicalContext: z.string().nullable(),
    subject: subjectSchema.nullable(),
    capturedAt: moment,
    capturedAsStated: asStated,
    calibration: calibrationSchema.nullable(),
    clinicianObservations: statedObservationsSchema.nullable(),
    priority: z.enum(JOB_PRIORITIES),
    metadata: z.record(z.string(), z.string()).nullable(),
    environment: z.enum(ENVIRONMENTS),
    sandbox: z
      .string()
      .optional()
      .describe('The outcome that metadata.sandbox asked for; absent: none, and in live always.'),
    createdAt: moment,
    startedAt: moment.nullable(),
    completedAt: moment.nullable(),
    attempts: z
      .int()
      .min(0)
      .describe('How often a worker took the job, without the times when the service was at fault.'),
    retryOf: z
      .string()
      .optional()
      .describe('The failed job that an operator had done again by this one, at no charge.'),
    result: resultSchema.optional().describe('With the status completed.'),
    error: jobErrorSchema.optional().describe('With the status error; never together with result.'),
    links: z.looseObject({
      self: z.url(),
      image: z.url().optional().describe('What is known of the photo; 410 once it was erased.'),
      report: z
        .url()
        .optional()
        .describe('With the status completed: the clinical report, in one of its representations.'),
      artifacts: z
        .looseObject({ mask: z.url(), overlay: z.url(), tissue: z.url().optional() })
        .optional()
        .describe('With the status completed.'),
    }),
  })
  .meta({ id: 'AnalysisJob', description: 'A terminal job never changes state again.' });

export type JobView = z.output<typeof jobViewSchema>;

export const jobListSchema = z
  .looseObject({
    items: z.array(jobViewSchema).describe('Newest first.'),
    nextCursor: z.string().nullable().describe('For the next page; null at the end.'),
  })
  .meta({ id: 'AnalysisJobList', description: 'One page of jobs.' });

export const usageSchema = z
  .looseObject({
    limit: z.int().min(0).describe('Analyses per UTC day, both environments together.'),
    used: z.int().min(0),
    remaining: z.int().min(0),
    resetsAt: moment.describe('The next 00:00 UTC.'),
  })
  .meta({ id: 'Usage', description: 'The organization’s analyses of today.' });
