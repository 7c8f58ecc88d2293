import { Injectable } from '@nestjs/common';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { DisabledReason, EndpointHealthChanges } from '../../http/index.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import { Logger } from '../../../platform/logging/logger.js';
import { WebhookRegister } from '../endpoints/webhook-register.js';
import type { WebhookEventType } from '../../../core/deliveries/webhook-events.js';
import { takesType } from '../endpoints/webhook.js';
import { eventIdOf } from './event-id.js';
import { EventMessenger } from './event-messenger.js';

const TENANT_OF = 'select organization_id as "organizationId", environment from webhooks where id = $1';

/** Events of an endpoint itself, which the senders find out. */
export type HealthEventType = Extract<WebhookEventType, 'endpoint.disabled' | 'delivery.recovered'>;

interface HealthEvent {
  readonly type: HealthEventType;
  readonly webhookId: string;
  /** Tells one such event of an endpoint from another. */
  readonly occasion: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reports disabled and recovered endpoints: in the log of the process, in that of the tenant, and to the tenant's other endpoints. */
@Injectable()
export class HealthChanges implements EndpointHealthChanges {
  constructor(
    private readonly statements: SystemStatements,
    private readonly unitOfWork: UnitOfWork,
    private readonly register: WebhookRegister,
    private readonly messenger: EventMessenger,
    private readonly clock: ClinicalClock,
    private readonly logger: Logger,
  ) {}

  async disabled(webhookId: string, reason: DisabledReason): Promise<void> {
    this.logger.error('webhook.disabled', { webhookId, reason });
    const disabledAt = this.clock.realNow().toISOString();
    await this.tell({
      type: 'endpoint.disabled',
      webhookId,
      occasion: disabledAt,
      data: { webhookId, reason, disabledAt },
    });
  }

  /** `failingSince`: the first failure since the delivery before. */
  async recovered(webhookId: string, deliveryId: string, failingSince: Date): Promise<void> {
    this.logger.info('webhook.recovered', { webhookId, deliveryId, failingSince: failingSince.toISOString() });
    await this.tell({
      type: 'delivery.recovered',
      webhookId,
      occasion: failingSince.toISOString(),
      data: { webhookId, deliveryId, failingSince: failingSince.toISOString() },
    });
  }

  private async tell({ type, webhookId, occasion, data }: HealthEvent): Promise<void> {
    const tenant = (await this.statements.run<Tenant>(TENANT_OF, [webhookId])).rows[0];
    if (tenant === undefined) return;
    const event = {
      id: eventIdOf(type, webhookId, occasion),
      type,
      timestamp: await this.clock.nowOf(tenant),
      reportId: null,
      data,
      text: {},
    };
    // An endpoint is not notified of its own failures, which would never end.
    const others = (await this.register.ofTenant(tenant)).filter(
      (other) => other.id !== webhookId && takesType(other, type),
    );
    await this.unitOfWork.inTenant(tenant, async (transaction) => {
      const batches = others.map((webhook) => ({ webhook, events: [event] }));
      await this.messenger.tell(transaction, [event], batches);
    });
  }
}
