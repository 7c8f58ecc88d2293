import type { ErrorCode } from '../errors/catalogue.js';
import { isSuturaError, SuturaError } from '../errors/sutura-error.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { AnalysisJob } from './analysis-job.js';
import type { AnalysisRequestRepository } from './analysis-request.repository.js';
import type { FailedJobFilter } from './failed-jobs.js';
import type { AnalysisService } from './analysis.service.js';
import type { JobRepository } from './job.repository.js';

/** A failed job and the job that does it again; with `dryRun` none is made. */
interface RetriedJob {
  readonly retryOf: string;
  readonly id: string | null;
}

/** A failed job that cannot be done again, and why. */
interface SkippedJob {
  readonly id: string;
  readonly code: ErrorCode;
}

export interface JobRetryReport {
  readonly retried: readonly RetriedJob[];
  readonly skipped: readonly SkippedJob[];
  /** More failed jobs match: the same call goes on with them. */
  readonly more: boolean;
}

export interface JobRetriesPorts {
  readonly unitOfWork: UnitOfWork;
  readonly jobs: JobRepository;
  readonly requests: AnalysisRequestRepository;
}

/** Failed jobs of one call. */
export const MOST_RETRIES = 500;
/** What keeps one job of many from being done again, and says nothing of the others. */
const SKIPPED = [
  'job.not_failed',
  'job.retried',
  'image.not_found',
  'image.not_uploaded',
  'image.unreadable',
  'image.damaged',
  'image.unavailable',
  'calibration.implausible',
  'region.outside_photo',
  'capture.future',
  'subject.mismatch',
] as const;

/**
 * Does failed analyses again, at no charge: each becomes a new job, which names the old one (`retryOf`), belongs to the same order, and whose end is
 * told like any other. An ended job never changes.
 */
export class JobRetries {
  constructor(
    private readonly ports: JobRetriesPorts,
    private readonly analysis: AnalysisService,
  ) {}

  /**
   * `job.not_found`; `job.not_failed` for one that has not ended in an error, or was cancelled; `job.retried` where the photo has a later job that
   * has not failed; what `AnalysisService.create` refuses, but for the quota.
   */
  retry(tenant: Tenant, jobId: string, dryRun = false): Promise<RetriedJob> {
    return this.ports.unitOfWork.inTenant(tenant, async (transaction) => {
      const failed = await this.failedJob(transaction, jobId);
      if (!dryRun) return { retryOf: jobId, id: (await this.repeat(transaction, failed)).id };
      await this.analysis.requireRepeatable(transaction, failed);
      return { retryOf: jobId, id: null };
    });
  }

  /** As one of many that several people may ask for at once: as `retry`, but `job.retried` also where a later job of the photo failed, which another call made. */
  retryLast(tenant: Tenant, jobId: string): Promise<RetriedJob> {
    return this.ports.unitOfWork.inTenant(tenant, async (transaction) => {
      const failed = await this.failedJob(transaction, jobId);
      const later = await this.ports.jobs.laterThan(transaction, failed, 'any');
      if (later !== null) throw retriedSince(later);
      return { retryOf: jobId, id: (await this.repeat(transaction, failed)).id };
    });
  }

  /** Every failed job of the filter, oldest first, each in a transaction of its own. `model.research_only`. */
  async retryAll(tenant: Tenant, filter: FailedJobFilter, dryRun: boolean): Promise<JobRetryReport> {
    const failed = await this.ports.unitOfWork.inTenant(tenant, (transaction) =>
      this.ports.jobs.listFailed(transaction, filter, MOST_RETRIES + 1),
    );
    const retried: RetriedJob[] = [];
    const skipped: SkippedJob[] = [];
    for (const id of failed.slice(0, MOST_RETRIES)) {
      const outcome = await this.attempt(tenant, id, dryRun);
      if ('code' in outcome) skipped.push(outcome);
      else retried.push(outcome);
    }
    return { retried, skipped, more: failed.length > MOST_RETRIES };
  }

  private async attempt(tenant: Tenant, id: string, dryRun: boolean): Promise<RetriedJob | SkippedJob> {
    try {
      return await this.retry(tenant, id, dryRun);
    } catch (fault) {
      if (isSuturaError(fault, ...SKIPPED)) return { id, code: fault.code };
      throw fault;
    }
  }

  private async repeat(transaction: TenantTransaction, failed: AnalysisJob): Promise<AnalysisJob> {
    const job = await this.analysis.repeat(transaction, failed);
    const request = await this.ports.requests.find(transaction, failed.id);
    if (request !== null)
      await this.ports.requests.insert(transaction, {
        ...request,
        id: job.id,
        imageId: job.imageId,
        state: 'started',
        error: null,
        createdAt: job.createdAt,
        retryAt: job.createdAt,
      });
    return job;
  }

  private async failedJob(transaction: TenantTransaction, jobId: string): Promise<AnalysisJob> {
    const job = await this.ports.jobs.findForUpdate(transaction, jobId);
    if (job === null) throw new SuturaError('job.not_found');
    if (job.error === null || job.error.code === 'job.cancelled') throw new SuturaError('job.not_failed');
    const successor = await this.ports.jobs.laterThan(transaction, job, 'unfailed');
    if (successor !== null) throw retriedSince(successor);
    return job;
  }
}

function retriedSince(laterId: string): SuturaError {
  return new SuturaError('job.retried', { detail: `Job ${laterId} analyses the same photo since then.` });
}
