import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { WebhookService, type Webhook } from '../../../exits/webhooks/index.js';
import { toWebhookView, toWebhookWithSecretView } from '../../native/webhooks/webhook-view.mapper.js';
import { webhookRequestSchema } from '../../native/webhooks/webhooks.schema.js';

const environment = z.enum(ENVIRONMENTS);
export const NEW_WEBHOOK = webhookRequestSchema.extend({ organizationId: z.uuid(), environment });
export type NewWebhook = z.output<typeof NEW_WEBHOOK>;
export const OF_ORGANIZATION = z.strictObject({ organizationId: z.uuid() });

/** An organization's webhook as operators see it: its view for its owner, and whose it is. */
export type OwnedWebhookView = Record<string, unknown>;

/** The webhooks of organizations for the admin API and the command line, each act in the audit trail under the operator's name. */
@Injectable()
export class WebhookOperations {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly tenancy: TenancyService,
    private readonly trail: OperatorTrail,
  ) {}

  /** With its secret, this once. `organization.not_found`, `webhook.url_refused`, `webhook.too_many`. */
  async create(operator: Operator, input: NewWebhook): Promise<OwnedWebhookView> {
    const { organizationId, environment: of, url, types, content, signatures } = input;
    const tenant = { organizationId, environment: of };
    await this.tenancy.usage(organizationId);
    const made = await this.webhooks.create(tenant, { url, types, content, schemes: signatures });
    await this.record(operator, 'create', 'C', made);
    return { ...tenant, ...toWebhookWithSecretView(made) };
  }

  /** Of both environments, oldest first. `organization.not_found`. */
  async list(organizationId: string): Promise<OwnedWebhookView[]> {
    await this.tenancy.usage(organizationId);
    const found = await Promise.all(
      ENVIRONMENTS.map((of) => this.webhooks.register.ofTenant({ organizationId, environment: of })),
    );
    return found.flat().map((webhook) => ({
      organizationId,
      environment: webhook.environment,
      ...toWebhookView(webhook),
    }));
  }

  /** What waits for it is never sent. `webhook.not_found`. */
  async delete(operator: Operator, id: string): Promise<void> {
    const found = await this.webhooks.register.findAnywhere(id);
    await this.record(operator, 'delete', 'D', found);
    await this.webhooks.delete(found, id);
  }

  private record(operator: Operator, interaction: string, action: 'C' | 'D', webhook: Webhook): Promise<void> {
    const { id, organizationId, environment: of } = webhook;
    const resources = [`Endpoint/${id}`];
    return this.trail.record(operator, { interaction, action, of: { organizationId, environment: of }, resources });
  }
}
