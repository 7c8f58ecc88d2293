import { MAX_ATTEMPTS } from '../../core/analysis/analysis-job.js';
import type { InferenceQueue } from '../../core/analysis/inference-queue.js';
import type { JobRepository } from '../../core/analysis/job.repository.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { InferenceMetrics } from './inference-metrics.js';
import { toJobError } from './job-ending.js';

/** A job that waits longer than this may have lost its wake-up. */
const OVERDUE_AFTER_S = 10;

/** Finds unclaimed jobs: wakes workers for them, and fails those that crashed too many processes. */
export class JobSweeper {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();
  private stopped = false;
  private failing = false;

  constructor(
    private readonly jobs: Pick<JobRepository, 'sweep'>,
    private readonly queue: Pick<InferenceQueue, 'enqueue'>,
    private readonly intervalMs: number,
    private readonly metrics: Pick<InferenceMetrics, 'jobEnded'>,
    private readonly logger: Logger,
  ) {}

  /** @param found called after a sweep that found waiting jobs */
  start(found: () => void): void {
    this.timer = setTimeout(() => {
      this.sweeping = this.sweep(found).finally(() => {
        if (!this.stopped) this.start(found);
      });
    }, this.intervalMs);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.sweeping;
  }

  private async sweep(found: () => void): Promise<void> {
    try {
      const { waitingJobIds, abandonedJobIds } = await this.jobs.sweep(
        OVERDUE_AFTER_S,
        MAX_ATTEMPTS,
        toJobError('processing.failed'),
      );
      this.failing = false;
      for (const jobId of abandonedJobIds) {
        this.metrics.jobEnded('abandoned');
        this.logger.warn('job.abandoned', { jobId });
      }
      if (waitingJobIds.length > 0) found();
      for (const jobId of waitingJobIds) {
        if (this.stopped) return;
        await this.queue.enqueue({ jobId, priority: 'routine', attempt: 0 });
      }
    } catch (error) {
      if (!this.failing) this.logger.error('sweep.failed', {}, error);
      this.failing = true;
    }
  }
}
