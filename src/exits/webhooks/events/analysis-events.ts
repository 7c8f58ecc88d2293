import { Injectable } from '@nestjs/common';
import { AnalysisRequestRepository } from '../../../core/analysis/analysis-request.repository.js';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { eventIdOf } from '../queue/event-id.js';
import { sandboxOf } from './sandbox-mark.js';
import type { WebhookEvent } from '../queue/webhook-queue.js';

/** Events of an analysis that has ended, or that will never be. */
@Injectable()
export class AnalysisEvents {
  constructor(
    private readonly jobs: JobRepository,
    private readonly requests: AnalysisRequestRepository,
    private readonly clock: ClinicalClock,
  ) {}

  /** The report is still to be made. */
  async completed(transaction: TenantTransaction, jobId: string): Promise<WebhookEvent[]> {
    const job = await this.jobs.find(transaction, jobId);
    if (job?.status !== 'completed' || job.result === null) return [];
    const { imageId, reportId, result, completedAt } = job;
    const data = { jobId, imageId, reportId, woundDetected: result.woundDetected, ...sandboxOf(job) };
    return [
      {
        id: eventIdOf('analysis.completed', jobId),
        type: 'analysis.completed',
        timestamp: await this.momentOf(transaction, completedAt),
        reportId,
        data,
        text: {},
      },
    ];
  }

  async failed(transaction: TenantTransaction, jobId: string): Promise<WebhookEvent[]> {
    const job = await this.jobs.find(transaction, jobId);
    if (job?.status !== 'error' || job.error === null) return [];
    const { imageId, reportId, error, completedAt } = job;
    const data = { jobId, imageId, error: { code: error.code, retryable: error.retryable }, ...sandboxOf(job) };
    return [
      {
        id: eventIdOf('analysis.failed', jobId),
        type: 'analysis.failed',
        timestamp: await this.momentOf(transaction, completedAt),
        reportId,
        data,
        text: {},
      },
    ];
  }

  /** An order whose photo could not be used: its job, which has the request's id, will never be. */
  async rejected(transaction: TenantTransaction, id: string): Promise<WebhookEvent[]> {
    const request = await this.requests.find(transaction, id);
    if (request === null || request.state !== 'rejected') return [];
    const error = { code: request.error?.code ?? 'image.unreadable', retryable: false };
    return [
      {
        id: eventIdOf('analysis.failed', id),
        type: 'analysis.failed',
        timestamp: await this.momentOf(transaction, null),
        reportId: null,
        data: { jobId: id, imageId: request.imageId, error },
        text: {},
      },
    ];
  }

  /** By the clock of the environment; rows have real times. */
  private async momentOf(transaction: TenantTransaction, endedAt: Date | null): Promise<Date> {
    return endedAt === null ? this.clock.now(transaction) : (await this.clock.timeline(transaction)).at(endedAt);
  }
}
