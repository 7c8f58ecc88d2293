import type { AnalysisJob, ClaimedJob, JobError, JobLease, JobStatus } from './analysis-job.js';
import type { PictureDigests, WoundResult } from '../measurement/wound-result.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { FailedJobFilter } from './failed-jobs.js';
import type { TimeoutFigures } from './timeout-policy.js';

export interface JobFilter {
  readonly status?: JobStatus | undefined;
  /** The caller's own patient id, in any system. */
  readonly patientId?: string | undefined;
  /** The caller's own wound id. */
  readonly woundId?: string | undefined;
  readonly createdAfter?: Date | undefined;
  /** Pairs of the caller's own, all of which the job has. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The end of the previous page. Newest first by (createdAt, id). */
export interface JobCursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** The work that a sweep found. */
export interface JobSweep {
  /** Jobs that wait without a wake-up, or whose worker was lost and that may be tried again. */
  readonly waitingJobIds: readonly string[];
  /** Jobs closed as errors because their last allowed attempt was lost. */
  readonly abandonedJobIds: readonly string[];
}

export interface JobBacklog {
  readonly queued: number;
  readonly processing: number;
  readonly oldestUnfinishedS: number;
}

export type LaterJob = 'unfailed' | 'any';

export abstract class JobRepository {
  /** Creates a queued job with the event analysis.queued; a photo without a patient becomes that of the job's patient. Atomic. */
  abstract insert(transaction: TenantTransaction, job: AnalysisJob): Promise<void>;
  /** One round trip, outside any transaction, under row-level security: the poll path. null for unknown, malformed, foreign. */
  abstract read(tenant: Tenant, jobId: string): Promise<AnalysisJob | null>;
  abstract find(transaction: TenantTransaction, jobId: string): Promise<AnalysisJob | null>;
  /** As `find`, and keeps the row locked until the transaction ends. */
  abstract findForUpdate(transaction: TenantTransaction, jobId: string): Promise<AnalysisJob | null>;
  /** Ids of jobs that ended in an error, without those that were cancelled or have a later job of the same photo that has not failed; oldest end first. */
  abstract listFailed(transaction: TenantTransaction, filter: FailedJobFilter, limit: number): Promise<string[]>;
  /** The newest job of the same photo that was made after this one, `unfailed`: and has not failed; null: none. */
  abstract laterThan(transaction: TenantTransaction, job: AnalysisJob, which: LaterJob): Promise<string | null>;
  /** The job whose first report has this id. */
  abstract findByReport(transaction: TenantTransaction, reportId: string): Promise<AnalysisJob | null>;
  abstract list(
    transaction: TenantTransaction,
    filter: JobFilter,
    limit: number,
    after: JobCursor | null,
  ): Promise<AnalysisJob[]>;
  /** queued → error, with the event analysis.failed. False: unknown, or a worker has or had it; nothing was written. */
  abstract cancel(transaction: TenantTransaction, jobId: string, error: JobError): Promise<boolean>;
  /**
   * Jobs of photos with these bytes (SHA-256, hex) that were taken at this moment, oldest first; of a photo that is stored. Whoever asks for the same bytes
   * waits until the transaction ends, so that two that come at once find each other.
   */
  abstract ofSameCapture(transaction: TenantTransaction, sha256: string, capturedAt: Date): Promise<AnalysisJob[]>;
  /** The ids of the jobs that this one does again, newest first. */
  abstract retriedBy(transaction: TenantTransaction, jobId: string): Promise<string[]>;
  /** True where a job was made of the image, but for those that were cancelled. */
  abstract wasAnalysed(transaction: TenantTransaction, imageId: string): Promise<boolean>;
  /** When the photo was taken, as its newest job has it; null where none was made of the image, but for those that were cancelled. */
  abstract lastCapture(
    transaction: TenantTransaction,
    imageId: string,
  ): Promise<Pick<AnalysisJob, 'capturedAt' | 'capturedAsStated' | 'isCaptureOfPhoto' | 'isCameraTimeUnused'> | null>;
  abstract hasUnfinished(transaction: TenantTransaction, imageId: string): Promise<boolean>;

  /**
   * Claims one job for a worker: counts the attempt, sets a fresh lease token that ends `leaseS` from now.
   * With a job id only that job, else the most urgent waiting one. null: nothing to take, or taken by another.
   * Told by the event analysis.started, all or nothing; a job that is taken again tells it again.
   */
  abstract claim(leaseS: number, jobId?: string): Promise<ClaimedJob | null>;
  /** False: the lease is no longer ours and the work must be thrown away. */
  abstract renew(lease: JobLease, leaseS: number): Promise<boolean>;
  /**
   * processing → queued, without waiting for the lease to end. False: no longer ours.
   * `counted` false gives the attempt back: the job was not at fault (a worker that stops in good order). No worker takes it for `afterS`, and up
   * to a fifth longer, so that many that failed at once do not come back at once.
   */
  abstract release(lease: JobLease, how?: { readonly counted: boolean; readonly afterS: number }): Promise<boolean>;
  /** Notes that the attempt timed out; the lease goes on. null: no longer ours. */
  abstract countTimeout(lease: JobLease): Promise<TimeoutFigures | null>;
  /** As `release` without counting the attempt; no worker takes the job for `delayS`, and up to a fifth longer. */
  abstract postpone(lease: JobLease, delayS: number): Promise<boolean>;
  /** The attempt of a lease that was lost because the database could not be reached. A job that has ended stays as it is. */
  abstract giveBackAttempt(jobId: string): Promise<void>;
  /**
   * processing → completed, with the event analysis.completed, all or nothing. False: no longer ours, nothing was written.
   * @param pictures digests of those that were stored for the result
   */
  abstract complete(lease: JobLease, result: WoundResult, pictures?: PictureDigests): Promise<boolean>;
  /** processing → completed, in the transaction of its report, whose event covers both. False: the lease was lost. */
  abstract completeWithReport(
    transaction: TenantTransaction,
    lease: JobLease,
    result: WoundResult,
    pictures?: PictureDigests,
  ): Promise<boolean>;
  /** Keeps the digests of pictures that were stored after the job's end, beside those that are kept. */
  abstract keepDigests(transaction: TenantTransaction, jobId: string, pictures: PictureDigests): Promise<void>;
  /** processing → error, with the event analysis.failed, all or nothing. False: no longer ours, nothing was written. */
  abstract fail(lease: JobLease, error: JobError): Promise<boolean>;
  /**
   * Returns lost jobs to the queue, closes those whose attempts are used up with `abandoned` (and an analysis.failed event),
   * and names queued jobs older than `olderThanS`. Only one instance sweeps at a time; the others get empty lists.
   */
  abstract sweep(olderThanS: number, maxAttempts: number, abandoned: JobError): Promise<JobSweep>;
  /** Jobs that wait and seconds since the oldest unfinished job was created; for metrics. */
  abstract backlog(): Promise<JobBacklog>;
}
