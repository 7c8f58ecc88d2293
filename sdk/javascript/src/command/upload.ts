import type { AbortSignalLike, AnalyzeOptions, PhotoFile } from '../options.js';
import type { EndedJob } from '../resources.js';
import { openAccess, requireTest, type Access } from './access.js';
import { Failure, Misuse } from './misuse.js';
import { say } from './printing.js';
import { readSample, withOwnPixels } from './sample-photos.js';
import { linesOf } from './told-job.js';

export interface UploadWish {
  readonly sample?: string;
  readonly fresh?: boolean;
  readonly patient?: string;
  readonly wound?: string;
  readonly 'captured-at'?: string;
  readonly 'mm-per-pixel'?: string;
  readonly metadata?: readonly string[];
  readonly outcome?: string;
  readonly json?: boolean;
  readonly url?: string;
}

/** Has a photo analysed in the test environment, and says what came of it. Failure where the job ended in error. */
export async function upload(files: readonly string[], wish: UploadWish, signal: AbortSignalLike): Promise<void> {
  const details = detailsOf(wish);
  const access = openAccess(wish.url);
  requireTest(access, 'upload makes records of a test');
  const file = await photoOf(access, files, wish, signal);
  const job = await access.client.analyzeImageAndWait({ file, ...details, signal, throwOnError: false });
  if (wish.json === true) say(JSON.stringify(job));
  else for (const line of linesOf(job, await reportOf(access, job, signal))) say(line);
  if (job.status === 'error') throw new Failure(`The job ended in error: ${job.error.code}. ${job.error.detail}`);
}

/** null: the job has none. */
async function reportOf({ client }: Access, job: EndedJob, signal: AbortSignalLike) {
  const reportId = job.status === 'completed' ? job.links.report.split('/').at(-1) : undefined;
  return reportId === undefined ? null : client.getReport({ reportId, signal });
}

async function photoOf(
  { client }: Access,
  files: readonly string[],
  { sample, fresh }: UploadWish,
  signal: AbortSignalLike,
): Promise<PhotoFile> {
  const [path, ...others] = files;
  if (others.length > 0 || (path === undefined) === (sample === undefined))
    throw new Misuse('upload takes one file, or --sample NAME.');
  if (path !== undefined && fresh === true) throw new Misuse('--fresh goes with --sample.');
  if (path !== undefined) return path;
  const bytes = await readSample(client, sample ?? '', signal);
  return fresh === true ? withOwnPixels(bytes) : bytes;
}

function detailsOf(wish: UploadWish): Omit<AnalyzeOptions, 'file'> {
  const { patient, wound, outcome } = wish;
  if (wound !== undefined && patient === undefined) throw new Misuse('--wound goes with --patient.');
  const mmPerPixel = Number(wish['mm-per-pixel']);
  if (wish['mm-per-pixel'] !== undefined && !(mmPerPixel > 0))
    throw new Misuse('--mm-per-pixel takes a number above 0.');
  const metadata = { ...pairsOf(wish.metadata ?? []), ...(outcome === undefined ? {} : { sandbox: outcome }) };
  return {
    ...(patient === undefined
      ? {}
      : { subject: { patientId: patient, ...(wound === undefined ? {} : { woundId: wound }) } }),
    ...(wish['captured-at'] === undefined ? {} : { capturedAt: wish['captured-at'] }),
    ...(wish['mm-per-pixel'] === undefined ? {} : { calibration: { mmPerPixel } }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

function pairsOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new Misuse('--metadata takes KEY=VALUE.');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
