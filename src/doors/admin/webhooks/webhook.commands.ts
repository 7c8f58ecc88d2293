import type { Operator } from '../../../core/tenancy/operator.js';
import type { CliCommand, CommandGroup } from '../../../platform/cli/cli-command.js';
import { checkOptions, commandOn, given, required, definedOnly, TEXT } from '../../../platform/cli/command-options.js';
import { factReport, tableReport } from '../../../platform/cli/command-report.js';
import { NEW_WEBHOOK, WebhookOperations } from './webhook-operations.js';

interface WebhookServices {
  readonly operator: Operator;
  readonly webhooks: WebhookOperations;
}

const OPTION_OF = { organizationId: 'org', environment: 'env' };

const create: CliCommand<WebhookServices> = {
  name: 'webhook create',
  usage: '--org ID --env test|live --url URL [--types TYPE,TYPE] [--content ids|full] [--signatures v1,v1a]',
  summary: 'Have an address of an organization told of events (docs/webhooks.md). The secret is shown this once.',
  options: { org: TEXT, env: TEXT, url: TEXT, types: TEXT, content: TEXT, signatures: TEXT },
  prepare(values) {
    const { types, signatures } = given(values, { types: 'types', signatures: 'signatures' });
    const named = { organizationId: required(values, 'org'), environment: required(values, 'env') };
    const lists = definedOnly<unknown>({ types: types?.split(','), signatures: signatures?.split(',') });
    const input = checkOptions(
      NEW_WEBHOOK,
      { ...named, url: required(values, 'url'), ...given(values, { content: 'content' }), ...lists },
      OPTION_OF,
    );
    return async ({ operator, webhooks }) => {
      const view = await webhooks.create(operator, input);
      return factReport(view, {
        webhook: String(view['id']),
        url: String(view['url']),
        secret: String(view['secret']),
        'public key': String(view['publicKey']),
      });
    };
  },
};

const list = commandOn<WebhookServices>(
  { name: 'webhook list', summary: 'List an organization’s webhooks, paused and disabled ones included.', by: 'org' },
  async ({ webhooks }, organizationId) =>
    tableReport(await webhooks.list(organizationId), {
      WEBHOOK: ({ id }) => String(id),
      ENVIRONMENT: ({ environment }) => String(environment),
      URL: ({ url }) => String(url),
      TYPES: ({ types }) => (types as readonly string[]).join() || 'all',
      CONTENT: ({ content }) => String(content),
      STATE: ({ state, disabledFor }) => (disabledFor === null ? String(state) : `disabled: ${String(disabledFor)}`),
      'FAILING SINCE': ({ failingSince }) => failingSince as string | null,
    }),
);

const remove = commandOn<WebhookServices>(
  { name: 'webhook delete', summary: 'Tell an address nothing more. What waits for it is never sent.', by: 'id' },
  async ({ operator, webhooks }, id) => {
    await webhooks.delete(operator, id);
    return { json: { id, state: 'deleted' }, text: `Webhook ${id} is deleted.` };
  },
);

/** `webhook …` on the command line; `deliveries …` says what becomes of their events. */
export const WEBHOOK_COMMANDS: CommandGroup<WebhookServices> = {
  providers: [WebhookOperations],
  services: (app, operator) => ({ operator, webhooks: app.get(WebhookOperations) }),
  commands: [create, list, remove],
};
