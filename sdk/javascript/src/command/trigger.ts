import { randomUUID } from 'node:crypto';
import { onAbort } from '../aborts.js';
import type { LoggedEvent } from '../event-log.js';
import type { ReadReport } from '../follow-up.js';
import type { AbortSignalLike } from '../options.js';
import type { AnalysisJob } from '../resources.js';
import { openAccess, requireTest, type Access } from './access.js';
import { endOfLog, followEvents } from './event-feed.js';
import { Failure, Misuse } from './misuse.js';
import { note, say } from './printing.js';
import { readSample, withOwnPixels } from './sample-photos.js';

const SAMPLE = 'clean-wound';
const PATIENT = 'sutura-trigger';
const REVIEWER = { id: 'sutura-trigger', name: 'sutura trigger (a command)' };
const PATIENCE_MS = 300_000;

/** What was made, by which its event is known. */
interface Made {
  readonly ids: readonly string[];
}
type Work = (access: Access, signal: AbortSignalLike) => Promise<Made>;
type EventType = LoggedEvent['type'];

/** The work of which each event comes, or why it cannot be done. */
const WORKS: Readonly<Record<EventType, Work | string>> = {
  'analysis.completed': async (access, signal) => ({ ids: [(await analyse(access, signal)).job.id] }),
  'analysis.failed': async (access, signal) => ({ ids: [(await send(access, signal, 'job_failed')).id] }),
  'report.ready': async (access, signal) => ({ ids: [(await analyse(access, signal)).report.id] }),
  'report.amended': review,
  'report.reviewed': review,
  'wound.opened': async (access, signal) => ({ ids: [(await analyse(access, signal)).woundId] }),
  'wound.closed': close,
  'wound.attention': async (access, signal) => ({ ids: [(await analyse(access, signal, 'needs_review')).report.id] }),
  'quota.threshold': 'it comes of using up 80 or 100 % of the day, which would take the analyses of your other tests',
  'endpoint.disabled': 'it comes of an endpoint that has failed for five days',
  'delivery.recovered': 'it comes of an endpoint that takes events again after it failed',
};

const TYPES = Object.keys(WORKS) as EventType[];
export const TRIGGERED: readonly string[] = TYPES.filter((type) => typeof WORKS[type] !== 'string');

/** Does the work of which the event comes, waits for it in the log, and prints it. Never made up: it is as true as the photo is drawn. */
export async function trigger(
  words: readonly string[],
  wish: { readonly url?: string },
  signal: AbortSignalLike,
): Promise<void> {
  const [asked, ...others] = words;
  const type = TYPES.find((one) => one === asked);
  if (type === undefined || others.length > 0) throw new Misuse(`trigger takes one of ${TRIGGERED.join(', ')}.`);
  const work = WORKS[type];
  if (typeof work === 'string') throw new Failure(`${type} is not triggered: ${work}.`);
  const access = openAccess(wish.url);
  requireTest(access, 'trigger makes a drawn patient’s records');
  const { resumeCursor: cursor } = await endOfLog(access.connection, signal);
  const { ids } = await work(access, signal);
  note(`Done; waiting for ${type} to come into the log.`);
  say(JSON.stringify(await eventOf(access, { type, cursor, ids }, signal)));
}

async function eventOf(
  { connection }: Access,
  { type, cursor, ids }: Made & { readonly type: EventType; readonly cursor: string },
  signal: AbortSignalLike,
): Promise<LoggedEvent> {
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), PATIENCE_MS);
  const forget = onAbort(signal, () => ended.abort());
  try {
    for await (const event of followEvents(connection, { cursor, type }, ended.signal))
      if (Object.values(event.data).some((value) => ids.includes(value as string))) return event;
  } catch (fault) {
    if (signal.aborted) throw signal.reason;
    if (!ended.signal.aborted) throw fault;
  } finally {
    clearTimeout(timer);
    forget();
  }
  throw new Failure(
    `${type} did not come within ${PATIENCE_MS / 1000} s, though its work was done: ${ids.join(', ')}.`,
  );
}

/** Sends the sample with pixels of its own, as the first photo of a new wound of the one invented patient. */
async function send({ client }: Access, signal: AbortSignalLike, sandbox?: string): Promise<AnalysisJob> {
  return client.analyzeImage({
    file: withOwnPixels(await readSample(client, SAMPLE, signal)),
    subject: { patientId: PATIENT, woundId: `trigger-${randomUUID()}` },
    ...(sandbox === undefined ? {} : { metadata: { sandbox } }),
    signal,
  });
}

async function analyse(
  access: Access,
  signal: AbortSignalLike,
  sandbox?: string,
): Promise<{ readonly job: AnalysisJob; readonly report: ReadReport; readonly woundId: string }> {
  const { id } = await send(access, signal, sandbox);
  const job = await access.client.waitForJob(id, { timeoutMs: PATIENCE_MS, signal });
  const report = await access.client.getReport(job.links.report ?? '', { signal });
  return { job, report, woundId: report.subject.woundRef };
}

async function review(access: Access, signal: AbortSignalLike): Promise<Made> {
  const { report } = await analyse(access, signal);
  await access.client.reviewReport(report, { decision: 'accept', reviewer: REVIEWER }, { signal });
  return { ids: [report.id] };
}

async function close(access: Access, signal: AbortSignalLike): Promise<Made> {
  const { woundId } = await analyse(access, signal);
  await access.client.closeWound(woundId, { reviewer: REVIEWER, signal });
  return { ids: [woundId] };
}
