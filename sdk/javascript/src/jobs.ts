import { type Connection, drain } from './connection.js';
import { NotFoundError } from './errors.js';
import { toSegment, withoutEmpty } from './fields.js';
import type { AbortSignalLike, CallOptions, CreateJobOptions, JobFilter, ListJobsOptions } from './options.js';
import { loadNodeTools } from './photo.js';
import type { AnalysisJob, JobPage, Usage } from './resources.js';
import { withRetries } from './retry.js';

const JOBS = '/api/v1/analysis/jobs';

export const jobPath = (jobId: unknown): string => `${JOBS}/${toSegment('jobId', jobId)}`;

export function isJob({ id, status }: Record<string, unknown>): boolean {
  return typeof id === 'string' && typeof status === 'string';
}

/** Everything that is not meant for this library goes to the service, which refuses a misspelt field instead of losing it. */
export async function createJob(connection: Connection, { signal, idempotencyKey, ...fields }: CreateJobOptions): Promise<AnalysisJob> {
  toSegment('imageId', fields.imageId);
  const key = idempotencyKey ?? (await newKey());
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw new TypeError('idempotencyKey must be 1 to 255 printable ASCII characters.');
  const request = { method: 'POST', path: JOBS, headers: { 'idempotency-key': key }, json: withoutEmpty(fields), signal };
  return connection.send(request, connection.json<AnalysisJob>(isJob));
}

async function newKey(): Promise<string> {
  return globalThis.crypto?.randomUUID?.() ?? (await loadNodeTools()).randomUUID();
}

export function readJob(connection: Connection, jobId: string, signal: AbortSignalLike | undefined): Promise<AnalysisJob> {
  return connection.send({ method: 'GET', path: jobPath(jobId), signal }, connection.json<AnalysisJob>(isJob));
}

export function listJobs(connection: Connection, { signal, ...filter }: ListJobsOptions): Promise<JobPage> {
  const fields = Object.entries(withoutEmpty(filter)).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : String(value)] as [string, string]);
  const query = new URLSearchParams(fields).toString();
  const request = { method: 'GET', path: `${JOBS}${query === '' ? '' : `?${query}`}`, signal };
  return connection.send(request, connection.json<JobPage>(({ items }) => Array.isArray(items)));
}

export async function* iterateJobs(connection: Connection, filter: JobFilter & CallOptions): AsyncGenerator<AnalysisJob, void, undefined> {
  let cursor: string | null = null;
  do {
    const page: JobPage = await listJobs(connection, { ...filter, ...(cursor === null ? {} : { cursor }) });
    yield* page.items;
    cursor = page.nextCursor ?? null;
  } while (cursor !== null);
}

export function readUsage(connection: Connection, signal: AbortSignalLike | undefined): Promise<Usage> {
  return connection.send({ method: 'GET', path: '/api/v1/usage', signal }, connection.json<Usage>(({ remaining }) => typeof remaining === 'number'));
}

export async function deleteImage(connection: Connection, imageId: string, signal: AbortSignalLike | undefined): Promise<void> {
  const request = { method: 'DELETE', path: `/api/v1/images/${toSegment('imageId', imageId)}`, signal };
  await withRetries(connection.settings, signal, async (failures) => {
    try {
      await connection.sendOnce(request, drain, failures);
    } catch (fault) {
      // An earlier attempt did it, and its answer was lost.
      if (failures === 0 || !(fault instanceof NotFoundError)) throw fault;
    }
  });
}
