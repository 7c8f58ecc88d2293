// What a TypeScript project may write against the package, and what it may not. Compiled, never run.
import { createReadStream } from 'node:fs';
import {
  type AnalysisJob,
  type ClinicalReport,
  JobFailedError,
  type Progress,
  QuotaExceededError,
  type ReadReport,
  SuturaClient,
  SuturaError,
  verifyWebhook,
  type WoundResult,
} from '@sutura/sdk';

const controller = new AbortController();
const client = new SuturaClient({ apiKey: 'k', fetch: globalThis.fetch, logger: console, timeoutMs: 1 });
const signal = controller.signal;
const onProgress = (progress: Progress): number =>
  progress.phase === 'upload' ? progress.sentBytes : progress.job.attempts;

const finished = await client.analyzeImageAndWait({ file: 'photo.jpg', signal, onProgress });
const result: WoundResult = finished.result;
const mayHaveFailed = await client.waitForJob(finished.id, { throwOnError: false });
// @ts-expect-error a job that may have ended in error may have no result
const unsafe: WoundResult = mayHaveFailed.result;
if (mayHaveFailed.status === 'completed') void (mayHaveFailed.result satisfies WoundResult);
else void (mayHaveFailed.error.code satisfies string);
const running = await client.getJob('j');
if (running.status === 'error') console.log(running.error.retryable);
// @ts-expect-error a job that has not completed has no result
if (running.status === 'queued') console.log(running.result.wounds);
const event = await verifyWebhook('{}', new Headers(), 'whsec_x');
if (event?.type === 'report.ready') console.log(event.data.areaCm2?.value.toFixed(1));
// @ts-expect-error an area has no such part
if (event?.type === 'report.ready') console.log(event.data.areaCm2.what.ever);
// @ts-expect-error a quota is no report
if (event?.type === 'quota.threshold') console.log(event.data.reportId);
const waited: WoundResult = (await client.waitForJob({ jobId: finished.id })).result;

for (const file of [
  Buffer.alloc(1),
  new Uint8Array(1),
  new ArrayBuffer(1),
  new Blob([]),
  new Blob([]).stream(),
  createReadStream('x'),
  new URL('file:///x'),
])
  await client.analyzeImage({ file });
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
export const changes: (number | undefined)[] = (
  await client.getWoundTimeline('w', { from: new Date() })
).assessments.map(({ sincePrevious }) => sincePrevious?.areaPct);
export const saved: string = (
  await client.saveReport(finished.links.report, { path: 'x.pdf', format: 'pdf', language: 'es' })
).path;
const reviewer = { id: 'N-7', name: 'A. Nurse' };
const report: ReadReport = await client.getReport({ reportId: 'r', signal });
export const corrected: ClinicalReport = await client.reviewReport(report, {
  decision: 'correct',
  outlines: [0],
  tissue: { granulation: 1, slough: 0, necrosis: 0, other: 0 },
  reviewer,
});
const [oldest] = await client.getReportVersions('r');
// @ts-expect-error a version of a list has no tag: read the report first
if (oldest !== undefined) await client.reviewReport(oldest, { decision: 'accept', reviewer });
// @ts-expect-error nobody decided
await client.reviewReport(report, { decision: 'accept' });
// @ts-expect-error no such decision
await client.reviewReport(report, { decision: 'approve', reviewer });
// @ts-expect-error into which?
await client.mergeWound('w');
// @ts-expect-error misspelt
await client.mergeWound({ woundId: 'w', into: 'v', notes: 'x' });
// @ts-expect-error no such language
await client.downloadReport('r', { format: 'pdf', language: 'nl' });
// @ts-expect-error a job that may have ended in error may have no report
await client.getReport(mayHaveFailed.links.report);
export { result, unsafe, waited };
