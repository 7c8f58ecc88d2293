import { downloadArtifact } from './artifacts.js';
import { connect, connectionOf } from './connection-of.js';
import { Connection } from './connection.js';
import type { EventFilter, EventPage, ListEventsOptions, LoggedEvent } from './event-log.js';
import { listEvents } from './event-pages.js';
import { FollowUpClient } from './follow-up-client.js';
import type { DocumentBytes } from './follow-up-options.js';
import { createJob, deleteImage, iterateJobs, listJobs, readImage, readJob, readUsage } from './jobs.js';
import type {
  AnalyzeAndWaitOptions,
  AnalyzeOptions,
  CallOptions,
  ClientOptions,
  CreateJobOptions,
  DownloadOptions,
  JobFilter,
  ListJobsOptions,
  UploadOptions,
  UploadUrlOptions,
  WaitOptions,
} from './options.js';
import { allPages } from './pages.js';
import { openPhoto } from './photo.js';
import type {
  AnalysisJob,
  CompletedJob,
  EndedJob,
  ImageMetadata,
  JobPage,
  SavedArtifact,
  UploadReceipt,
  UploadTicket,
  Usage,
} from './resources.js';
import { downloadSample, listSamples } from './sample-photos.js';
import type { MoveClockOptions, SandboxClock } from './sandbox.js';
import { moveClock, readClock } from './sandbox-clock.js';
import type { OfSample, SampleList } from './samples.js';
import { requestAny } from './any-route.js';
import type { RawAnswer, RequestOptions } from './raw.js';
import { readKey, toSettings } from './settings.js';
import { putPhoto, requestTicket, uploadPhoto } from './uploads.js';
import { waitForJob } from './waiting.js';

type JobId = { jobId: string };
type Throwing = { throwOnError?: true };

/**
 * A caller of one Sutura service. Holds no connection open and can be shared by a whole program.
 * It never shows its key, printed or as JSON.
 *
 * @example
 * const client = new SuturaClient({ apiKey: process.env.SUTURA_API_KEY, baseUrl: process.env.SUTURA_BASE_URL });
 * const job = await client.analyzeImageAndWait({ file: 'photo.jpg', clinicalContext: 'Heel, left, day 12' });
 * console.log(job.result.wounds[0]?.area);
 */
export class SuturaClient extends FollowUpClient {
  /** ConfigurationError where the options cannot work. */
  constructor(options: ClientOptions = {}) {
    super();
    connect(this, new Connection(toSettings(options), readKey(options)));
  }

  get baseUrl(): string {
    return connectionOf(this).settings.baseUrl;
  }

  /**
   * Does the whole flow: upload, job, wait. Returns the completed job.
   * JobFailedError where the job ends in error, WaitTimeoutError after `timeoutMs`, counted from the creation of the job.
   *
   * @example
   * const job = await client.analyzeImageAndWait({
   *   file: 'photo.jpg',
   *   calibration: { mmPerPixel: 0.2 },
   *   onProgress: (progress) => console.log(progress.phase),
   * });
   * console.log(job.result.wounds[0]?.area.cm2, job.result.attention);
   */
  analyzeImageAndWait(options: AnalyzeAndWaitOptions & Throwing): Promise<CompletedJob>;
  analyzeImageAndWait(options: AnalyzeAndWaitOptions): Promise<EndedJob>;
  async analyzeImageAndWait({
    timeoutMs,
    intervalMs,
    longPoll,
    throwOnError,
    ...options
  }: AnalyzeAndWaitOptions): Promise<EndedJob> {
    const { signal, onProgress } = options;
    const { id } = await this.analyzeImage(options);
    return waitForJob(connectionOf(this), id, { timeoutMs, intervalMs, longPoll, throwOnError, signal, onProgress });
  }

  /**
   * Uploads a photo and creates its job, without waiting for it. A repeat uploads a new image, so a key of yours cannot join the two.
   *
   * @example
   * const job = await client.analyzeImage({ file: 'photo.jpg', subject: { patientId: 'MRN-1', woundId: 'heel-left' } });
   * console.log(job.id, job.status); // 0199… queued
   */
  async analyzeImage({ file, onProgress, ...details }: AnalyzeOptions): Promise<AnalysisJob> {
    const photo = await openPhoto(file);
    try {
      const imageId = await uploadPhoto(connectionOf(this), photo, { signal: details.signal, onProgress });
      return await createJob(connectionOf(this), { ...details, imageId });
    } finally {
      await photo.release();
    }
  }

  /**
   * Asks for a signed address. Say what you know of the photo: the store then refuses anything else.
   *
   * @example
   * const ticket = await client.getUploadUrl({ contentType: 'image/jpeg' });
   * const receipt = await client.uploadFileToSignedUrl({ ...ticket, file: 'photo.jpg' });
   * console.log(ticket.imageId, receipt.sizeBytes);
   */
  async getUploadUrl(options: UploadUrlOptions = {}): Promise<UploadTicket> {
    return requestTicket(connectionOf(this), options);
  }

  /**
   * Sends a photo to a signed address, without the key. Interrupted uploads are repeated.
   * UnsupportedImageError and PayloadTooLargeError before anything is sent, GoneError where the address has expired.
   *
   * @example
   * import { readFile } from 'node:fs/promises';
   * const ticket = await client.getUploadUrl();
   * await client.uploadFileToSignedUrl({ ...ticket, file: await readFile('photo.jpg') });
   */
  async uploadFileToSignedUrl({ file, signal, onProgress, ...target }: UploadOptions): Promise<UploadReceipt> {
    const photo = await openPhoto(file);
    try {
      return await putPhoto(connectionOf(this), target, photo, { signal, onProgress });
    } finally {
      await photo.release();
    }
  }

  /**
   * Creates a job for an uploaded image: 1 analysis of the daily quota. Repeats under one Idempotency-Key are charged once.
   * ConflictError `image.not_uploaded`, UnprocessableError `image.unreadable`, QuotaExceededError.
   *
   * @example
   * const ticket = await client.getUploadUrl();
   * await client.uploadFileToSignedUrl({ ...ticket, file: 'photo.jpg' });
   * const job = await client.createAnalysisJob({ imageId: ticket.imageId, idempotencyKey: `visit-${ticket.imageId}` });
   * console.log(job.status); // queued
   */
  async createAnalysisJob(options: CreateJobOptions): Promise<AnalysisJob> {
    return createJob(connectionOf(this), options);
  }

  /**
   * Reads a job. NotFoundError where it is not yours.
   *
   * @example
   * const job = await client.getJob(jobId);
   * if (job.status === 'completed') console.log(job.result.woundDetected);
   */
  async getJob(job: string | (CallOptions & JobId), options: CallOptions = {}): Promise<AnalysisJob> {
    const { jobId, signal } = { ...options, ...(typeof job === 'string' ? { jobId: job } : job) };
    return readJob(connectionOf(this), jobId, signal);
  }

  /**
   * Waits until a job is `completed` or in `error`. A state that this library does not know counts as running.
   * JobFailedError (or the job, with `throwOnError: false`), WaitTimeoutError with the job as last seen.
   *
   * @example
   * const job = await client.waitForJob(jobId, { timeoutMs: 60_000 });
   * console.log(job.result.wounds.length, job.result.attention);
   */
  waitForJob(job: string | (WaitOptions & JobId & Throwing), options?: WaitOptions & Throwing): Promise<CompletedJob>;
  waitForJob(job: string | (WaitOptions & JobId), options?: WaitOptions): Promise<EndedJob>;
  async waitForJob(job: string | (WaitOptions & JobId), options: WaitOptions = {}): Promise<EndedJob> {
    const { jobId, ...wishes } = typeof job === 'string' ? { ...options, jobId: job } : job;
    return waitForJob(connectionOf(this), jobId, wishes);
  }

  /**
   * One page of jobs, newest first.
   *
   * @example
   * const { items, nextCursor } = await client.listJobs({ status: 'completed', limit: 10 });
   * console.log(items.length, nextCursor);
   */
  async listJobs(options: ListJobsOptions = {}): Promise<JobPage> {
    return listJobs(connectionOf(this), options);
  }

  /**
   * All jobs that the filter lets through, newest first, fetched page by page as you go.
   *
   * @example
   * for await (const job of client.iterateJobs({ createdAfter: '2025-01-01T00:00:00Z' })) {
   *   console.log(job.id, job.status);
   * }
   */
  iterateJobs(filter: JobFilter & CallOptions = {}): AsyncGenerator<AnalysisJob, void, undefined> {
    return iterateJobs(connectionOf(this), filter);
  }

  /**
   * One page of what happened in the last 30 days, oldest first, to catch up from.
   *
   * @example
   * const { items, keptSince } = await client.listEvents({ type: 'report.ready', since: '2026-03-15T08:00:00Z' });
   * console.log(items.length, keptSince);
   */
  async listEvents(options: ListEventsOptions = {}): Promise<EventPage> {
    return listEvents(connectionOf(this), options);
  }

  /**
   * Every event of the last 30 days that the filter lets through, oldest first, fetched page by page as you go.
   *
   * @example
   * for await (const event of client.iterateEvents({ since: '2026-03-15T08:00:00Z' })) {
   *   console.log(event.id, event.type, event.recordedAt);
   * }
   */
  iterateEvents(filter: EventFilter & CallOptions = {}): AsyncGenerator<LoggedEvent, void, undefined> {
    return allPages((cursor) => this.listEvents({ ...filter, ...cursor }));
  }

  /**
   * The photos of the service that were drawn for tests, with what its shipped models make of each.
   *
   * @example
   * const { items, seenWithActiveModels } = await client.listSamples();
   * console.log(items.map(({ name }) => name), seenWithActiveModels);
   */
  async listSamples(options: CallOptions = {}): Promise<SampleList> {
    return listSamples(connectionOf(this), options);
  }

  /**
   * A photo of `listSamples`, to be analysed. NotFoundError `sample.not_found`.
   *
   * @example
   * const photo = await client.downloadSample('clean-wound');
   * const job = await client.analyzeImageAndWait({ file: photo, metadata: { case: '4711' } });
   * console.log(job.result.wounds[0]?.area.cm2, job.result.attention);
   */
  async downloadSample(...[first, options]: OfSample): Promise<DocumentBytes> {
    return downloadSample(connectionOf(this), typeof first === 'string' ? { ...options, name: first } : first);
  }

  /**
   * The clock of the test environment. UnprocessableError `sandbox.clock_live` for a live key.
   *
   * @example
   * const { now, aheadSeconds } = await client.getSandboxClock();
   * console.log(now, aheadSeconds);
   */
  async getSandboxClock(options: CallOptions = {}): Promise<SandboxClock> {
    return readClock(connectionOf(this), options);
  }

  /**
   * Moves the clock of the test environment ahead, for the whole organization: what is taken, issued, overdue and kept for a time goes by it. It never
   * goes back: UnprocessableError `sandbox.clock_back`.
   *
   * @example
   * const { now } = await client.moveSandboxClock({ advance: 'P7D' });
   * console.log(now);
   */
  async moveSandboxClock(options: MoveClockOptions): Promise<SandboxClock> {
    return moveClock(connectionOf(this), options);
  }

  /**
   * The analyses of today that are used and left.
   *
   * @example
   * const { remaining, resetsAt } = await client.getUsage();
   * console.log(`${remaining} left until ${resetsAt}`);
   */
  async getUsage({ signal }: CallOptions = {}): Promise<Usage> {
    return readUsage(connectionOf(this), signal);
  }

  /**
   * Reads what is known of a photo, without the photo. GoneError `image.unavailable` once it was erased.
   *
   * @example
   * const image = await client.getImage(imageId);
   * console.log(image.status, image.contentType, image.sizeBytes);
   */
  async getImage(
    image: string | (CallOptions & { imageId: string }),
    options: CallOptions = {},
  ): Promise<ImageMetadata> {
    const { imageId, signal } = typeof image === 'string' ? { ...options, imageId: image } : image;
    return readImage(connectionOf(this), imageId, signal);
  }

  /**
   * Erases a photo and its pictures; results stay. ConflictError `image.in_use` while a job works on it.
   *
   * @example
   * await client.deleteImage(imageId);
   */
  async deleteImage(image: string | (CallOptions & { imageId: string }), options: CallOptions = {}): Promise<void> {
    const { imageId, signal } = typeof image === 'string' ? { ...options, imageId: image } : image;
    return deleteImage(connectionOf(this), imageId, signal);
  }

  /**
   * Saves the mask, the photo with its outlines, or the tissue map. The file is there whole or not at all. NotFoundError `artifact.not_found`.
   *
   * @example
   * const saved = await client.downloadArtifact({ jobId, artifact: 'overlay', path: 'overlay.jpg' });
   * console.log(saved.contentType, saved.sizeBytes);
   */
  async downloadArtifact(options: DownloadOptions): Promise<SavedArtifact> {
    return downloadArtifact(connectionOf(this), options);
  }

  /**
   * Any route, with the key, retries and typed errors; no redirect is followed. A POST or PATCH is repeated after a lost answer under an `idempotencyKey` alone.
   *
   * @example
   * const answer = await client.request('GET', '/api/v1/usage');
   * console.log(answer.status, answer.headers.ratelimit, answer.json());
   */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<RawAnswer> {
    return requestAny(connectionOf(this), method, path, options);
  }
}
