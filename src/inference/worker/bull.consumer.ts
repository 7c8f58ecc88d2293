import type { Queue } from 'bull';
import type { Logger } from '../../platform/logging/logger.js';
import type { WakeUp } from '../queue/bull.queue.js';
import type { AnalysisWorker } from './analysis.worker.js';

/** Turns Bull's jobs into wake-ups of the worker; Bull's job completes when the job is claimed, not when it is done. */
export class BullConsumer {
  constructor(
    private readonly queue: Queue<WakeUp>,
    private readonly worker: Pick<AnalysisWorker, 'offer'>,
    private readonly logger: Logger,
  ) {}

  /** Waits for Redis by itself; until it comes the worker finds its jobs in PostgreSQL. */
  start(): void {
    this.queue
      .process(async ({ data }) => this.worker.offer(data.jobId))
      .catch((error: unknown) => this.logger.error('queue.consumer_ended', {}, error));
    void this.warnOfEviction();
  }

  /** Stops consuming from Redis. */
  async stop(): Promise<void> {
    if (this.queue.client.status === 'ready') await this.queue.pause(true, true).catch(() => undefined);
  }

  /** A Redis that evicts drops wake-ups; the sweep finds their jobs, only later. */
  private async warnOfEviction(): Promise<void> {
    try {
      await this.queue.isReady();
      const [, policy] = (await this.queue.client.config('GET', 'maxmemory-policy')) as string[];
      if (policy !== undefined && policy !== 'noeviction') this.logger.warn('queue.evicts', { policy });
    } catch {
      // Managed services forbid CONFIG, and set the policy themselves.
    }
  }
}
