import { isTerminal } from '../../core/analysis/analysis-job.js';
import type { DeliveredEvent, DomainEventKind } from '../../core/domain-events/domain-event.js';
import type { InferenceQueue } from '../../core/analysis/inference-queue.js';
import type { JobRepository } from '../../core/analysis/job.repository.js';
import { DomainEventHandler } from '../../core/domain-events/domain-event.handler.js';

/** Wakes workers for a job once its creation is committed. Repeats are harmless: the job is claimed once. */
export class QueuedAnalysisHandler extends DomainEventHandler {
  override readonly name = 'inference.queue';
  override readonly kinds: readonly DomainEventKind[] = ['analysis.queued'];

  constructor(
    private readonly jobs: Pick<JobRepository, 'read'>,
    private readonly queue: Pick<InferenceQueue, 'enqueue' | 'ordersByPriority'>,
  ) {
    super();
  }

  override async handle({ tenant, subjectId }: DeliveredEvent): Promise<void> {
    if (!this.queue.ordersByPriority) return this.queue.enqueue({ jobId: subjectId, priority: 'routine', attempt: 0 });
    const job = await this.jobs.read(tenant, subjectId);
    if (job === null || isTerminal(job.status)) return;
    await this.queue.enqueue({ jobId: job.id, priority: job.priority, attempt: job.attempts });
  }
}
