import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { WebhookRegister } from '../endpoints/webhook-register.js';
import { WebhookControl, WebhookQueue } from './webhook-queue.js';

/** Deletes endpoints with their pending deliveries. */
@Injectable()
export class WebhookRemoval {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly register: WebhookRegister,
    private readonly queue: WebhookQueue,
    private readonly control: WebhookControl,
  ) {}

  /** What waits for it, or is being made at this moment, is never sent. `webhook.not_found`. */
  async remove(tenant: Tenant, id: string): Promise<void> {
    await this.unitOfWork.inTenant(tenant, async (transaction) => {
      const webhook = await this.register.findIn(transaction, id, true);
      await this.queue.close(transaction, webhook);
      await this.register.delete(transaction, id);
      await this.control.discardAll(transaction, id);
    });
  }
}
