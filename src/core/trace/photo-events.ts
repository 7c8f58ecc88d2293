import type { JobError } from '../analysis/analysis-job.js';
import { describeUnreadable } from '../images/image.js';
import type { DoorAdvice } from './trace.js';
import type {
  DeletionReason,
  PhotoRecord,
  TracedImage,
  TracedJob,
  TracedOrder,
  TracedVersion,
  TraceEvent,
} from './trace.js';

/** In a running service, every step that needs no person takes less. */
const PATIENCE_MS = 60_000;

/** The events of a photo, in any order, with advice where it waits. */
export function photoEvents(record: PhotoRecord, now: Date, advice: DoorAdvice): TraceEvent[] {
  const { orders, jobs, versions } = record;
  const withReport = new Set(versions.map(({ reportId }) => reportId));
  // An order that came with its photo, and became a job, says nothing that the job does not.
  const apart = orders.filter(
    ({ id, createdAt }) => createdAt < record.image.createdAt || !jobs.some((job) => job.id === id),
  );
  return [
    ...imageEvents(record, now, advice),
    ...apart.map((order) => orderEvent(order, record.image, advice)),
    ...jobs.flatMap((job) => jobEvents(job, withReport.has(job.reportId), isFollowed(job, jobs), now, advice)),
    ...versions.map((version) => versionEvent(version, advice)),
  ];
}

/** An order. `image`: the photo that it waits with; null: the photo has not come. */
export function orderEvent(order: TracedOrder, image: TracedImage | null, advice: DoorAdvice): TraceEvent {
  const { id, state, error, createdAt } = order;
  return event(
    createdAt,
    'order.received',
    [`Task/${id}`],
    { state, ...(error === null ? {} : { code: error.code }) },
    nextOfOrder(order, image, advice),
  );
}

function nextOfOrder(
  { state, error, retryAt }: TracedOrder,
  image: TracedImage | null,
  advice: DoorAdvice,
): string | undefined {
  if (state === 'rejected') return error?.detail;
  if (state === 'held') return 'The order is on hold. Whoever placed it releases it.';
  if (state !== 'waiting') return undefined;
  if (image === null) return 'The photo of this order has not come. Have it sent with the number of the order.';
  if (image.status === 'stored')
    return `The analysis begins once the quota of the day allows, or at the next try at ${retryAt.toISOString()}; ${advice.showQuota}.`;
  return undefined;
}

/** The first event of an image, by the way that its bytes come. */
const MADE: Readonly<Record<TracedImage['origin'], string>> = {
  upload: 'image.address_requested',
  message: 'image.received',
  address: 'image.address_named',
};

function imageEvents(
  { image, madeBy, goneFor, orders, jobs }: PhotoRecord,
  now: Date,
  advice: DoorAdvice,
): TraceEvent[] {
  const resources = [`Media/${image.id}`];
  const by =
    madeBy === null
      ? {}
      : { door: madeBy.door, key: madeBy.keyId, ...(madeBy.requestId === null ? {} : { request: madeBy.requestId }) };
  const asked = event(image.createdAt, MADE[image.origin], resources, by, nextOfUpload(image, now));
  const isForgotten = image.status === 'stored' && jobs.length === 0 && orders.length === 0;
  const unasked = isForgotten ? `Nobody has asked for the analysis of this photo: ${advice.orderAnalysis}.` : undefined;
  const stored =
    image.storedAt === null
      ? []
      : [event(image.storedAt, 'image.stored', resources, bytesOf(image), nextOfVerdict(image) ?? unasked)];
  const deleted =
    image.deletedAt === null ? [] : [event(image.deletedAt, 'image.deleted', resources, factsOf(goneFor))];
  return [asked, ...stored, ...deleted];
}

function factsOf(reason: DeletionReason | null): TraceEvent['facts'] {
  if (reason === null) return {};
  return reason.why === 'asked' ? { why: reason.why, by: reason.by, door: reason.door } : { why: reason.why };
}

function nextOfUpload({ status, origin, uploadExpiresAt, fetchTries }: TracedImage, now: Date): string | undefined {
  if (status !== 'awaiting_upload') return undefined;
  if (origin === 'message') return 'The request that brought the photo did not end well. Have it sent again.';
  if (origin === 'address')
    return fetchTries === null
      ? 'The photo could not be fetched from its address and was given up. Log lines image.fetch_failed say why; have the message sent again.'
      : `The photo is still to be fetched from its address, after ${fetchTries} tries. Log lines image.fetch_failed say why it failed.`;
  const until = uploadExpiresAt.toISOString();
  return uploadExpiresAt < now
    ? `No photo came before its address ended at ${until}. Ask for a new upload URL.`
    : `The photo is still to be PUT to its address, which is good until ${until}.`;
}

function bytesOf({ sizeBytes, verdict }: TracedImage): TraceEvent['facts'] {
  const size: TraceEvent['facts'] = sizeBytes === null ? {} : { sizeBytes };
  if (verdict === null) return size;
  if (!verdict.readable) return { ...size, format: verdict.format, unreadable: verdict.reason };
  return { ...size, format: verdict.format, widthPx: verdict.widthPx, heightPx: verdict.heightPx };
}

function nextOfVerdict({ verdict }: TracedImage): string | undefined {
  return verdict?.readable === false ? describeUnreadable(verdict.reason) : undefined;
}

/** Whether a later job of the photo is done or under way: "jobs retry" refuses a failure before it (`job.retried`). */
function isFollowed(job: TracedJob, jobs: readonly TracedJob[]): boolean {
  return jobs.some(({ createdAt, error }) => createdAt > job.createdAt && error === null);
}

function jobEvents(job: TracedJob, hasReport: boolean, isOver: boolean, now: Date, advice: DoorAdvice): TraceEvent[] {
  const { id, source, sandbox, status, attempts, error, models, createdAt, startedAt, completedAt, notBefore } = job;
  const resources = [`Task/${id}`];
  const waited: TraceEvent['facts'] = startedAt === null ? {} : { waitedMs: startedAt.getTime() - createdAt.getTime() };
  const isLate = now.getTime() - createdAt.getTime() > PATIENCE_MS;
  const isPutOff = status === 'queued' && notBefore !== null && notBefore > now;
  const noWorker =
    status === 'queued' && isLate && !isPutOff ? `No worker has taken the job. ${advice.checkWorkers}.` : undefined;
  const facts: TraceEvent['facts'] = sandbox === null ? { source } : { source, sandbox };
  const created = event(createdAt, 'job.created', resources, facts, noWorker);
  const slow =
    status === 'processing' && startedAt !== null && now.getTime() - startedAt.getTime() > PATIENCE_MS
      ? 'The analysis takes long. A worker that fell silent loses it after its lease, and it begins again; after three attempts it ends with processing.failed.'
      : isPutOff
        ? `The analysis did not end in time, and is tried again by itself at ${notBefore.toISOString()}. Where many photos do so, the workers are too slow or stand still.`
        : undefined;
  const started = startedAt === null ? [] : [event(startedAt, 'job.started', resources, { attempts, ...waited }, slow)];
  if (completedAt === null) return [created, ...started];
  if (error !== null)
    return [
      created,
      ...started,
      event(
        completedAt,
        'job.failed',
        resources,
        { attempts, code: error.code },
        isOver ? undefined : nextOfFailure(id, error, advice),
      ),
    ];
  const noReport =
    !hasReport && now.getTime() - completedAt.getTime() > PATIENCE_MS
      ? 'The report of this job was not made. Look in the log for outbox lines at level error; a restart tries again, and so does reading the report.'
      : undefined;
  return [
    created,
    ...started,
    event(
      completedAt,
      'job.completed',
      resources,
      { attempts, models: models.map(({ name, version }) => `${name}/${version}`).join(' ') },
      noReport,
    ),
  ];
}

function nextOfFailure(jobId: string, error: JobError, advice: DoorAdvice): string {
  if (!error.retryable) return error.detail;
  return `${error.detail} ${advice.retryJob(jobId)}.`;
}

function versionEvent(
  { reportId, version, status, reason, issuedAt, isPresent, replacedBy }: TracedVersion,
  advice: DoorAdvice,
): TraceEvent {
  const facts = { version, status, reason, ...(isPresent && replacedBy !== null ? { replacedBy } : {}) };
  const next =
    isPresent && status === 'preliminary'
      ? `The report is preliminary until a person reviews it: ${advice.reviewReport(reportId)}.`
      : undefined;
  return event(issuedAt, 'report.version', [`DiagnosticReport/${reportId}/_history/${version}`], facts, next);
}

function event(
  at: Date,
  what: string,
  resources: readonly string[],
  facts: TraceEvent['facts'],
  next?: string,
): TraceEvent {
  return { at, what, resources, facts, ...(next === undefined ? {} : { next }) };
}
