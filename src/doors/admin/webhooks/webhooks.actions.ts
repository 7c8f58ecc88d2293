import { z } from 'zod';
import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { WebhookService } from '../../../exits/webhooks/index.js';
import { IN_BODY, IN_QUERY } from '../../../identity/index.js';
import { toWebhookView, toWebhookWithSecretView } from '../../native/webhooks/webhook-view.mapper.js';
import { SECRET_EXAMPLE, WEBHOOK_EXAMPLE } from '../../native/webhooks/webhooks.routes.js';
import { webhookRequestSchema, webhookSchema, webhookWithSecretSchema } from '../../native/webhooks/webhooks.schema.js';
import { onThing } from '../action/acts.js';
import { adminGroup } from '../action/admin-group.js';
import { owner } from '../action/answer-fields.js';

const OWNER = { organizationId: '01997f2e-1111-7000-8000-000000000001', environment: 'live' } as const;
const byComma = (text: string): string[] => text.split(',');

const { action, group } = adminGroup({ webhooks: WebhookService, tenancy: TenancyService });

const create = action({
  name: 'createOrganizationWebhook',
  route: 'POST /webhooks',
  does: 'Have an address of an organization told of events; the secret is shown this once',
  who: { role: 'integrator', of: IN_BODY },
  body: webhookRequestSchema.extend({ organizationId: z.uuid(), environment: z.enum(ENVIRONMENTS) }),
  example: { ...OWNER, url: 'https://ward.example.org/sutura' },
  status: 201,
  answers: webhookWithSecretSchema.extend(owner),
  shows: { ...OWNER, ...SECRET_EXAMPLE },
  isSecret: true,
  refusals: ['organization.not_found', 'webhook.url_refused', 'webhook.too_many'],
  async run({ webhooks, tenancy }, { organizationId, environment, url, types, content, signatures }) {
    const tenant = { organizationId, environment };
    await tenancy.usage(organizationId);
    const made = await webhooks.create(tenant, { url, types, content, schemes: signatures });
    return { ...tenant, ...toWebhookWithSecretView(made) };
  },
  trail: { after: (view) => onThing('Endpoint', view, 'create', 'C') },
  command: {
    usage:
      'webhook create --org ID --env test|live --url URL [--types TYPE,TYPE] [--content ids|full] [--signatures v1,v1a]',
    says: 'Have an address of an organization told of events (docs/webhooks.md). The secret is shown this once.',
    reads: { types: byComma, signatures: byComma },
    facts: ({ id, url, secret, publicKey }) => ({ webhook: id, url, secret, 'public key': publicKey }),
  },
});

const list = action({
  name: 'listOrganizationWebhooks',
  route: 'GET /webhooks',
  does: 'The webhooks of an organization, of both environments',
  who: { role: 'viewer', of: IN_QUERY },
  query: z.strictObject({ organizationId: z.uuid().describe('The organization') }),
  lists: webhookSchema.extend(owner),
  shows: { ...OWNER, ...WEBHOOK_EXAMPLE },
  refusals: ['organization.not_found'],
  async run({ webhooks, tenancy }, { organizationId }) {
    await tenancy.usage(organizationId);
    const tenants = ENVIRONMENTS.map((environment) => ({ organizationId, environment }));
    const found = await Promise.all(tenants.map((tenant) => webhooks.register.ofTenant(tenant)));
    return found
      .flat()
      .map((webhook) => ({ organizationId, environment: webhook.environment, ...toWebhookView(webhook) }));
  },
  trail: 'none',
  command: {
    usage: 'webhook list --org ID',
    says: 'List an organization’s webhooks, paused and disabled ones included.',
    table: {
      WEBHOOK: ({ id }) => id,
      ENVIRONMENT: ({ environment }) => environment,
      URL: ({ url }) => url,
      TYPES: ({ types }) => types.join() || 'all',
      CONTENT: ({ content }) => content,
      STATE: ({ state, disabledFor }) => (disabledFor === null ? state : `disabled: ${disabledFor}`),
      'FAILING SINCE': ({ failingSince }) => failingSince,
    },
  },
});

const remove = action({
  name: 'deleteOrganizationWebhook',
  route: 'DELETE /webhooks/:webhookId',
  does: 'Tell an address nothing more; what waits for it is never sent',
  who: 'integrator',
  refusals: ['webhook.not_found'],
  run: async ({ webhooks }, { webhookId }) =>
    webhooks.delete(await webhooks.register.findAnywhere(webhookId), webhookId),
  trail: {
    before: async ({ webhooks }, { webhookId }) =>
      onThing('Endpoint', await webhooks.register.findAnywhere(webhookId), 'delete', 'D'),
  },
  command: {
    usage: 'webhook delete --id ID',
    says: 'Tell an address nothing more. What waits for it is never sent.',
    prints: (_, { webhookId: id }) => ({ json: { id, state: 'deleted' }, text: `Webhook ${id} is deleted.` }),
  },
});

/** The webhooks of organizations; `deliveries …` says what becomes of their events. */
export const WEBHOOK_ACTIONS = group('AdminWebhooksController', [create, list, remove]);
