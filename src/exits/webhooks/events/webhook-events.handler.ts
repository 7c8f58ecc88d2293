import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { DeliveredEvent } from '../../../core/domain-events/domain-event.js';
import { DomainEventHandler } from '../../../core/domain-events/domain-event.handler.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ConcurrencyLimit } from '../../../platform/turns/concurrency-limit.js';
import { failpoint } from '../../../platform/failpoints.js';
import { WebhookRegister } from '../endpoints/webhook-register.js';
import { takesType } from '../endpoints/webhook.js';
import { EventMessenger } from '../queue/event-messenger.js';
import type { WebhookBatch } from '../queue/webhook-queue.js';
import { isSourceKind, SOURCE_KINDS } from './event-sources.js';
import { WebhookEventReader } from './webhook-event-reader.js';

/** The most events made into deliveries at once in one process: each holds a connection that callers share. */
const AT_ONCE = 2;

/**
 * Puts what happened into the queue of every endpoint of its tenant that takes it, and into the tenant's log, whether or not there is an endpoint.
 * Idempotent, and correct in any order.
 */
@Injectable()
export class WebhookEvents extends DomainEventHandler {
  readonly name = 'webhooks';
  readonly kinds = SOURCE_KINDS;
  private readonly limit = new ConcurrencyLimit(AT_ONCE);

  constructor(
    private readonly register: WebhookRegister,
    private readonly reader: WebhookEventReader,
    private readonly messenger: EventMessenger,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
  ) {
    super();
  }

  async handle({ id, kind, subjectId, tenant }: DeliveredEvent): Promise<void> {
    if (!isSourceKind(kind)) throw new TypeError(`Webhooks do not tell of ${kind}`);
    await this.limit.run(() =>
      this.unitOfWork.inTenant(tenant, async (transaction) => {
        // Both leave in one write.
        const [webhooks, happened] = await Promise.all([
          this.register.ofTenantIn(transaction),
          this.reader.read(transaction, { id, kind, subjectId }),
        ]);
        const told = webhooks.map((webhook) => ({
          webhook,
          events: happened.filter(({ type, timestamp }) => takesType(webhook, type) && timestamp >= webhook.createdAt),
        }));
        for (const written of await this.messenger.tell(transaction, happened, told))
          await this.audit(transaction, written);
        await failpoint('webhook_in_handle');
      }),
    );
    await failpoint('webhook_after_handle');
  }

  /** A person's data that leaves is written down, with the endpoint in the place of the key. */
  private async audit(transaction: TenantTransaction, { webhook, events }: WebhookBatch): Promise<void> {
    if (webhook.content === 'ids') return;
    for (const { data } of events.filter(({ text }) => Object.keys(text).length > 0)) {
      const { reportId, woundId } = data as { readonly reportId?: string; readonly woundId?: string };
      const { organizationId, environment, id: keyId } = webhook;
      await this.trail.record(
        transaction,
        { organizationId, environment, keyId, scopes: [] },
        {
          door: 'rest',
          interaction: '$notify',
          action: 'R',
          patients: [],
          ...(woundId === undefined ? {} : { wound: woundId }),
          resources: [reportId === undefined ? `Condition/${woundId}` : `DiagnosticReport/${reportId}`],
        },
      );
    }
  }
}
