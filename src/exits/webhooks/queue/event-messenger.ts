import { Injectable } from '@nestjs/common';
import { EventLog } from '../../../core/deliveries/event-log.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { WebhookQueue, type WebhookBatch, type WebhookEvent } from './webhook-queue.js';

/** Tells of what happened: to endpoints, and to the log of the tenant. */
@Injectable()
export class EventMessenger {
  constructor(
    private readonly queue: WebhookQueue,
    private readonly log: EventLog,
  ) {}

  /** `happened`: all of it, whoever takes it. Passes over what was told before; returns what is new for endpoints. */
  async tell(
    transaction: TenantTransaction,
    happened: readonly WebhookEvent[],
    batches: readonly WebhookBatch[],
  ): Promise<readonly WebhookBatch[]> {
    const written = await this.queue.enqueueEvents(transaction, batches);
    await this.log.record(transaction, happened);
    return written;
  }
}
