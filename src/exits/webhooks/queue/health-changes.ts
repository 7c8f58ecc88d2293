import { Injectable } from '@nestjs/common';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { UnitOfWork, type SystemTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { DisabledReason, Disabling, EndpointHealthChanges } from '../../http/index.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
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
    private readonly unitOfWork: UnitOfWork,
    private readonly register: WebhookRegister,
    private readonly messenger: EventMessenger,
    private readonly clock: ClinicalClock,
    private readonly logger: Logger,
  ) {}

  async disabled(webhookId: string, reason: DisabledReason, disable: Disabling): Promise<boolean> {
    const isNew = await this.unitOfWork.inSystem(async (transaction) => {
      if (!(await disable(statementsOf(transaction)))) return false;
      const disabledAt = this.clock.realNow().toISOString();
      await this.tell(transaction, {
        type: 'endpoint.disabled',
        webhookId,
        occasion: disabledAt,
        data: { webhookId, reason, disabledAt },
      });
      return true;
    });
    if (isNew) this.logger.error('webhook.disabled', { webhookId, reason });
    return isNew;
  }

  /** `failingSince`: the first failure since the delivery before. */
  async recovered(webhookId: string, deliveryId: string, failingSince: Date): Promise<void> {
    this.logger.info('webhook.recovered', { webhookId, deliveryId, failingSince: failingSince.toISOString() });
    const since = failingSince.toISOString();
    const data = { webhookId, deliveryId, failingSince: since };
    await this.unitOfWork.inSystem((transaction) =>
      this.tell(transaction, { type: 'delivery.recovered', webhookId, occasion: since, data }),
    );
  }

  private async tell(transaction: SystemTransaction, { type, webhookId, occasion, data }: HealthEvent): Promise<void> {
    const [tenant] = (await statementsOf(transaction).run<Tenant>(TENANT_OF, [webhookId])).rows;
    if (tenant === undefined) return;
    const about = transaction.about(tenant);
    const event = {
      id: eventIdOf(type, webhookId, occasion),
      type,
      timestamp: await this.clock.now(about),
      reportId: null,
      data,
      text: {},
    };
    // An endpoint is not notified of its own failures, which would never end.
    const others = (await this.register.ofTenantIn(about)).filter(
      (other) => other.id !== webhookId && takesType(other, type),
    );
    const batches = others.map((webhook) => ({ webhook, events: [event] }));
    await this.messenger.tell(about, [event], batches);
  }
}
