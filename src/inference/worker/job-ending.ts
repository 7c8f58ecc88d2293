import { afterTimeout, waitAfterCrashS } from '../../core/analysis/timeout-policy.js';
import { MAX_ATTEMPTS, type ClaimedJob, type JobError } from '../../core/analysis/analysis-job.js';
import { askedForBySandbox, type SandboxOutcome } from '../../core/analysis/sandbox-outcome.js';
import type { PictureDigests, WoundResult } from '../../core/measurement/wound-result.js';
import { ERROR_CATALOGUE } from '../../core/errors/catalogue.js';
import type { InferenceQueue } from '../../core/analysis/inference-queue.js';
import type { JobRepository } from '../../core/analysis/job.repository.js';
import type { JobCompletion } from '../../core/report/job-completion.js';
import { failpoint } from '../../platform/failpoints.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { InferenceMetrics, JobOutcome } from './inference-metrics.js';
import type { HeldLease } from './lease-keeper.js';
import { retryWhileUnavailable } from './retry-unavailable.js';

/** The longest that a worker waits for the database to take an attempt back. */
const GIVE_BACK_MS = 15_000;

/** Codes that end a job as an error. */
type JobErrorCode =
  | 'processing.failed'
  | 'processing.timeout'
  | 'model.output_invalid'
  | 'image.unavailable'
  | 'storage.key_missing'
  | 'storage.altered';

/** What may be otherwise at another time: a timeout may have been the load's fault, and a key can be put back. */
const PASSING: readonly JobErrorCode[] = ['processing.timeout', 'storage.key_missing'];

interface JobEndingPorts {
  readonly completion: JobCompletion;
  readonly jobs: Pick<JobRepository, 'release' | 'fail' | 'countTimeout' | 'postpone' | 'giveBackAttempt'>;
  readonly queue: Pick<InferenceQueue, 'enqueue'>;
  readonly metrics: InferenceMetrics;
  readonly logger: Logger;
}

/** A job's error as callers read it: whether a new job may succeed. */
export function toJobError(code: JobErrorCode): JobError {
  return { code, detail: ERROR_CATALOGUE[code].advice, retryable: PASSING.includes(code) };
}

/** The ways in which a worker lets go of a job. Each writes under the lease, so that a late worker changes nothing. */
export class JobEnding {
  constructor(private readonly ports: JobEndingPorts) {}

  async complete(
    claimed: ClaimedJob,
    result: WoundResult,
    pictures: PictureDigests,
    held: HeldLease,
  ): Promise<JobOutcome> {
    await failpoint('before_finish');
    const complete = () => this.ports.completion.complete(claimed, result, pictures);
    const written = await retryWhileUnavailable(complete, held.signal);
    if (!written) return this.discard(claimed, held);
    await failpoint('after_commit_finish');
    // A wait that was asked for says nothing of the service.
    if (claimed.job.sandbox === undefined) this.ports.metrics.stagesTook(result.trace.timingsMs);
    return this.note(claimed, 'completed');
  }

  fail(claimed: ClaimedJob, code: JobErrorCode, held: HeldLease): Promise<JobOutcome> {
    return this.failWith(claimed, code, toJobError(code), held);
  }

  /** As a job fails whose photo kills its process; its error says that the sandbox was asked for it. */
  failAsAsked(claimed: ClaimedJob, outcome: SandboxOutcome, held: HeldLease): Promise<JobOutcome> {
    const error = toJobError('processing.failed');
    const detail = askedForBySandbox(outcome, error.detail);
    return this.failWith(claimed, 'processing.failed', { ...error, detail }, held);
  }

  private async failWith(
    claimed: ClaimedJob,
    code: JobErrorCode,
    error: JobError,
    held: HeldLease,
  ): Promise<JobOutcome> {
    const written = await retryWhileUnavailable(() => this.ports.jobs.fail(claimed.lease, error), held.signal);
    return written ? this.note(claimed, 'failed', code) : this.discard(claimed, held);
  }

  /** Another attempt after a while, which the workers' own look at the database finds, where one is left; else the error. */
  async retryOrFail(claimed: ClaimedJob, code: JobErrorCode, held: HeldLease): Promise<JobOutcome> {
    if (claimed.job.attempts >= MAX_ATTEMPTS) return this.fail(claimed, code, held);
    const afterS = waitAfterCrashS(claimed.job.attempts);
    const release = () => this.ports.jobs.release(claimed.lease, { counted: true, afterS });
    const released = await retryWhileUnavailable(release, held.signal);
    if (!released) return this.discard(claimed, held);
    return this.note(claimed, 'requeued', code);
  }

  /** A photo that alone takes too long while others end well is given up; else the job waits, and the attempt does not count. */
  async timedOut(claimed: ClaimedJob, held: HeldLease): Promise<JobOutcome> {
    const { lease } = claimed;
    const timeouts = await retryWhileUnavailable(() => this.ports.jobs.countTimeout(lease), held.signal);
    if (timeouts === null) return this.discard(claimed, held);
    const next = afterTimeout(timeouts);
    if (next.kind === 'end') return this.fail(claimed, 'processing.timeout', held);
    const postponed = await retryWhileUnavailable(() => this.ports.jobs.postpone(lease, next.afterS), held.signal);
    return postponed ? this.note(claimed, 'requeued', 'processing.timeout') : this.discard(claimed, held);
  }

  /** For a worker that stops, or has no inference server: the job waits for another one, and the attempt does not count. */
  async handBack(claimed: ClaimedJob, held: HeldLease): Promise<JobOutcome> {
    if (!(await this.ports.jobs.release(claimed.lease, { counted: false, afterS: 0 })))
      return this.discard(claimed, held);
    await this.wake(claimed);
    return this.note(claimed, 'requeued');
  }

  /** The lease passed on: the result is dropped. Where the database could not be reached, the attempt is given back. */
  async discard(claimed: ClaimedJob, held: HeldLease): Promise<JobOutcome> {
    if (held.wasUnreachable)
      await retryWhileUnavailable(
        () => this.ports.jobs.giveBackAttempt(claimed.job.id),
        AbortSignal.timeout(GIVE_BACK_MS),
      ).catch(() => undefined);
    this.ports.metrics.staleFinish();
    this.ports.metrics.jobEnded('discarded');
    this.ports.logger.warn('worker.stale_finish', { jobId: claimed.job.id, attempt: claimed.job.attempts });
    return 'discarded';
  }

  private async wake({ job }: ClaimedJob): Promise<void> {
    // A wake-up that gets lost is found by the sweep.
    await this.ports.queue
      .enqueue({ jobId: job.id, priority: job.priority, attempt: job.attempts })
      .catch(() => undefined);
  }

  private note({ job }: ClaimedJob, outcome: JobOutcome, code?: JobErrorCode): JobOutcome {
    // An alarm counts what failed: what was asked to fail wakes nobody.
    this.ports.metrics.jobEnded(outcome === 'failed' && job.sandbox === 'job_failed' ? 'sandbox' : outcome);
    const fields = { jobId: job.id, attempt: job.attempts, ...(code === undefined ? {} : { code }) };
    if (outcome === 'completed') this.ports.logger.info('job.completed', fields);
    else this.ports.logger.warn(`job.${outcome}`, fields);
    return outcome;
  }
}
