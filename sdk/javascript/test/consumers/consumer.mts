// What a TypeScript project may write against the package, and what it may not. Compiled, never run.
import { createReadStream } from 'node:fs';
import { type AnalysisJob, JobFailedError, type Progress, QuotaExceededError, SuturaClient, SuturaError, type WoundResult } from '@sutura/sdk';

const controller = new AbortController();
const client = new SuturaClient({ apiKey: 'k', fetch: globalThis.fetch, logger: console, timeoutMs: 1 });
const signal = controller.signal;
const onProgress = (progress: Progress): number => (progress.phase === 'upload' ? progress.sentBytes : progress.job.attempts);

const finished = await client.analyzeImageAndWait({ file: 'photo.jpg', signal, onProgress });
const result: WoundResult = finished.result;
const mayHaveFailed = await client.waitForJob(finished.id, { throwOnError: false });
// @ts-expect-error a job that may have ended in error may have no result
const unsafe: WoundResult = mayHaveFailed.result;
const waited: WoundResult = (await client.waitForJob({ jobId: finished.id })).result;

for (const file of [Buffer.alloc(1), new Uint8Array(1), new ArrayBuffer(1), new Blob([]), new Blob([]).stream(), createReadStream('x'), new URL('file:///x')]) await client.analyzeImage({ file });
// @ts-expect-error a number is no file
await client.analyzeImage({ file: 12 });
// @ts-expect-error misspelt
await client.analyzeImage({ file: 'x', clinicalContxt: 'Heel' });
// @ts-expect-error misspelt
await client.analyzeImageAndWait({ file: 'x', timeoutMS: 5 });
// @ts-expect-error no such artifact
await client.downloadArtifact({ jobId: 'x', artifact: 'outline', path: 'y' });

export function describe(error: unknown): string | undefined {
  if (error instanceof QuotaExceededError) return `${error.retryAfterMs}`;
  if (error instanceof JobFailedError) return error.job.id;
  return error instanceof SuturaError ? error.errors[0]?.pointer : undefined;
}

export const all: AnalysisJob[] = [];
for await (const job of client.iterateJobs({ status: 'completed', createdAfter: new Date() })) all.push(job);
export { result, unsafe, waited };
