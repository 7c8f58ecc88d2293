import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { EndpointCaller } from '../http/index.js';
import { WebhookRegister } from './endpoints/webhook-register.js';
import type { Webhook, WebhookSettings } from './endpoints/webhook.js';
import { DeliveryLog } from './queue/delivery-log.js';
import { WebhookControl } from './queue/webhook-queue.js';
import { WebhookRemoval } from './queue/webhook-removal.js';
import { WebhookTrialSender, type WebhookTrial } from './webhook-trial-sender.js';

/** What is done with one delivery. */
export type DeliveryAct = 'replay' | 'park' | 'discard';

/** What owners do with their endpoints and deliveries. Everything is of the tenant alone: `webhook.not_found` otherwise. */
@Injectable()
export class WebhookService {
  constructor(
    readonly register: WebhookRegister,
    readonly log: DeliveryLog,
    private readonly control: WebhookControl,
    private readonly removal: WebhookRemoval,
    private readonly trials: WebhookTrialSender,
    private readonly caller: EndpointCaller,
  ) {}

  /** `webhook.url_refused`, `webhook.too_many`. */
  async create(tenant: Tenant, settings: WebhookSettings): Promise<Webhook> {
    await this.caller.check(settings.url, tenant.organizationId);
    return this.register.create(tenant, settings);
  }

  /** `webhook.not_found`, `webhook.url_refused`. */
  async change(tenant: Tenant, id: string, changes: Partial<WebhookSettings>): Promise<Webhook> {
    await this.register.find(tenant, id);
    if (changes.url !== undefined) await this.caller.check(changes.url, tenant.organizationId);
    return this.register.change(tenant, id, changes);
  }

  /** What waits for it is never sent. `webhook.not_found`. */
  delete(tenant: Tenant, id: string): Promise<void> {
    return this.removal.remove(tenant, id);
  }

  /** See WebhookTrialSender. `webhook.not_found`. */
  async test(tenant: Tenant, id: string): Promise<WebhookTrial> {
    return this.trials.send(await this.register.find(tenant, id));
  }

  /**
   * replay: sends a delivery again that was delivered or is parked; park: one that waits steps aside, so that what waits behind it goes on;
   * discard: one that is parked is given up for good. `by`: who does it. `webhook.delivery_not_found`, `webhook.delivery_state`.
   */
  async act(what: DeliveryAct, tenant: Tenant, id: string, deliveryId: string, by: string): Promise<void> {
    const { record } = await this.log.find(tenant, id, deliveryId);
    await this.control[what === 'replay' && record.state === 'parked' ? 'requeue' : what](deliveryId, by);
  }

  /** Sends a parked one again, as it was found. `webhook.delivery_not_found`, `webhook.delivery_state`. */
  requeue(found: { readonly id: string; readonly attempts: number }, by: string): Promise<void> {
    return this.control.requeueAsFound(found, by);
  }

  /** Sends again what was delivered or parked of that time; answers how many. `webhook.not_found`. */
  async replayAll(tenant: Tenant, id: string, by: string, since: Date, until: Date | null): Promise<number> {
    await this.register.find(tenant, id);
    return this.log.replay(tenant, id, by, since, until);
  }
}
