import { type Connection, drain } from './connection.js';
import { toSegment, withoutEmpty, withQuery } from './fields.js';
import { keyHeader } from './idempotency-key.js';
import type { AbortSignalLike, CallOptions, CreateJobOptions, JobFilter, ListJobsOptions } from './options.js';
import { allPages } from './pages.js';
import type { AnalysisJob, ImageMetadata, JobPage, Usage } from './resources.js';

const JOBS = '/api/v1/analysis/jobs';

export const jobPath = (jobId: unknown): string => `${JOBS}/${toSegment('jobId', jobId)}`;

export function isJob({ id, status }: Record<string, unknown>): boolean {
  return typeof id === 'string' && typeof status === 'string';
}

/** Everything that is not meant for this library goes to the service, which refuses a misspelt field instead of losing it. */
export async function createJob(
  connection: Connection,
  { signal, idempotencyKey, ...fields }: CreateJobOptions,
): Promise<AnalysisJob> {
  toSegment('imageId', fields.imageId);
  const request = {
    method: 'POST',
    path: JOBS,
    headers: await keyHeader(idempotencyKey),
    json: withoutEmpty(fields),
    signal,
  };
  return connection.send(request, connection.json<AnalysisJob>(isJob));
}

export function readJob(
  connection: Connection,
  jobId: string,
  signal: AbortSignalLike | undefined,
): Promise<AnalysisJob> {
  return connection.send({ method: 'GET', path: jobPath(jobId), signal }, connection.json<AnalysisJob>(isJob));
}

export function listJobs(connection: Connection, { signal, ...filter }: ListJobsOptions): Promise<JobPage> {
  return connection.send(
    { method: 'GET', path: withQuery(JOBS, filter), signal },
    connection.json<JobPage>(({ items }) => Array.isArray(items)),
  );
}

export function iterateJobs(
  connection: Connection,
  filter: JobFilter & CallOptions,
): AsyncGenerator<AnalysisJob, void, undefined> {
  return allPages((cursor) => listJobs(connection, { ...filter, ...cursor }));
}

export function readUsage(connection: Connection, signal: AbortSignalLike | undefined): Promise<Usage> {
  return connection.send(
    { method: 'GET', path: '/api/v1/usage', signal },
    connection.json<Usage>(({ remaining }) => typeof remaining === 'number'),
  );
}

const imagePath = (imageId: unknown): string => `/api/v1/images/${toSegment('imageId', imageId)}`;

export function readImage(
  connection: Connection,
  imageId: string,
  signal: AbortSignalLike | undefined,
): Promise<ImageMetadata> {
  const isImage = (answer: Record<string, unknown>): boolean =>
    typeof answer['imageId'] === 'string' && typeof answer['status'] === 'string';
  return connection.send({ method: 'GET', path: imagePath(imageId), signal }, connection.json<ImageMetadata>(isImage));
}

export async function deleteImage(
  connection: Connection,
  imageId: string,
  signal: AbortSignalLike | undefined,
): Promise<void> {
  const request = { method: 'DELETE', path: imagePath(imageId), acceptRepeated: 404, signal };
  await connection.send(request, drain);
}
