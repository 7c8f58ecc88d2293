import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../core/audit/audit-trail.js';
import type { DeliveredEvent, DomainEventKind } from '../../core/domain-events/domain-event.js';
import { DomainEventHandler } from '../../core/domain-events/domain-event.handler.js';
import { UnitOfWork, type TenantTransaction } from '../../core/ports/unit-of-work.js';
import { ConcurrencyLimit } from '../../platform/concurrency-limit.js';
import { failpoint } from '../../platform/failpoints.js';
import { WebhookRegister } from '../endpoints/webhook-register.js';
import { takesType, type Webhook } from '../endpoints/webhook.js';
import { WebhookQueue, type WebhookEvent } from '../queue/webhook-queue.js';
import { WebhookEventReader } from './webhook-event-reader.js';

/** The most events made into deliveries at once in one process: each holds a connection that callers share. */
const AT_ONCE = 2;

/** Puts what happened into the queue of every endpoint of its tenant that takes it. Idempotent, and correct in any order. */
@Injectable()
export class WebhookEvents extends DomainEventHandler {
  readonly name = 'webhooks';
  readonly kinds: readonly DomainEventKind[] = [
    'analysis.completed',
    'analysis.failed',
    'analysis.rejected',
    'report.ready',
    'report.amended',
    'report.moved',
    'wound.closed',
    'wound.reopened',
    'quota.threshold',
  ];
  private readonly limit = new ConcurrencyLimit(AT_ONCE);

  constructor(
    private readonly register: WebhookRegister,
    private readonly reader: WebhookEventReader,
    private readonly queue: WebhookQueue,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
  ) {
    super();
  }

  async handle(event: DeliveredEvent): Promise<void> {
    const webhooks = await this.register.ofTenant(event.tenant);
    if (webhooks.length === 0) return;
    // In the order of their ids, as everybody who locks several.
    const ordered = webhooks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    await this.limit.run(() =>
      this.unitOfWork.inTenant(event.tenant, async (transaction) => {
        const events = await this.reader.read(transaction, event);
        for (const webhook of ordered) {
          const told = events.filter(
            ({ type, timestamp }) => takesType(webhook, type) && timestamp >= webhook.createdAt,
          );
          if (told.length > 0) await this.write(transaction, webhook, told);
        }
        await failpoint('webhook_in_handle');
      }),
    );
    await failpoint('webhook_after_handle');
  }

  /** A person's data that leaves is written down, with the endpoint in the place of the key. */
  private async write(
    transaction: TenantTransaction,
    webhook: Webhook,
    events: readonly WebhookEvent[],
  ): Promise<void> {
    const written = await this.queue.enqueueEvents(transaction, webhook, events);
    if (webhook.content === 'ids') return;
    for (const { data } of written.filter(({ text }) => Object.keys(text).length > 0)) {
      const { reportId, woundId } = data as { readonly reportId?: string; readonly woundId?: string };
      const { organizationId, environment, id: keyId } = webhook;
      await this.trail.record(
        transaction,
        { organizationId, environment, keyId, scopes: [] },
        {
          ...{ door: 'rest', interaction: '$notify', action: 'R', patients: [] },
          ...(woundId === undefined ? {} : { wound: woundId }),
          resources: [reportId === undefined ? `Condition/${woundId}` : `DiagnosticReport/${reportId}`],
        },
      );
    }
  }
}
