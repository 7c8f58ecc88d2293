import type { Operator } from '../../../core/tenancy/operator.js';
import { CliMisuse, type CliCommand, type CliReport, type CommandGroup } from '../../../platform/cli/cli-command.js';
import { checkOptions, commandOn, given, optional, TEXT } from '../../../platform/cli/command-options.js';
import { tableReport, toFactList, toTextTable } from '../../../platform/cli/command-report.js';
import { DELIVERY_QUERY, DELIVERY_RANGE } from './deliveries.schema.js';
import type { DeliveryDetailView } from './deliveries.views.js';
import { DeliveryOperations } from './delivery-operations.js';

interface DeliveryServices {
  readonly operator: Operator;
  readonly deliveries: DeliveryOperations;
}

type DeliveryCommand = CliCommand<DeliveryServices>;

const OPTION_OF = { endpointId: 'endpoint', organizationId: 'org', environment: 'env' };

const list: DeliveryCommand = {
  name: 'deliveries list',
  usage: '[--endpoint ID] [--org ID] [--env test|live] [--state STATE] [--limit 1-1000]',
  summary:
    'What was delivered, waits or is parked, newest first: to webhooks, FHIR Subscriptions and HL7 v2 destinations. STATE: waiting, delivered, parked, discarded, collapsed, moved.',
  options: { endpoint: TEXT, org: TEXT, env: TEXT, state: TEXT, limit: TEXT },
  prepare(values) {
    const names = { endpointId: 'endpoint', organizationId: 'org', environment: 'env', state: 'state', limit: 'limit' };
    const query = checkOptions(DELIVERY_QUERY, given(values, names), OPTION_OF);
    return async ({ deliveries }) =>
      tableReport(await deliveries.list(query), {
        DELIVERY: ({ id }) => id,
        EXIT: ({ exit }) => exit,
        ENDPOINT: ({ endpointId }) => endpointId,
        TYPE: ({ type }) => type,
        STATE: ({ state }) => state,
        ATTEMPTS: ({ attempts }) => String(attempts),
        WHY: ({ fault }) => fault,
        MADE: ({ createdAt }) => createdAt,
        NEXT: ({ nextAt }) => nextAt,
      });
  },
};

const show = commandOn<DeliveryServices>(
  {
    name: 'deliveries show',
    summary: 'One delivery with its body and its attempts. It is written into the audit trail.',
    by: 'id',
  },
  async ({ operator, deliveries }, id) => describe(await deliveries.show(operator, id)),
);

const replay: DeliveryCommand = {
  name: 'deliveries replay',
  usage: '--id ID | --endpoint ID --since MOMENT [--until MOMENT]',
  summary:
    'Send one once more that was delivered or is parked, or all that were made for an endpoint in a time, in their order.',
  options: { id: TEXT, endpoint: TEXT, since: TEXT, until: TEXT },
  prepare(values) {
    const id = optional(values, 'id');
    if ((id === undefined) === (optional(values, 'endpoint') === undefined))
      throw new CliMisuse('Name one delivery with --id, or an endpoint with --endpoint and --since.');
    if (id !== undefined)
      return async ({ operator, deliveries }) => {
        await deliveries.act(operator, 'replay', id);
        return { json: { id, done: 'replay' }, text: `Delivery ${id} is on its way again.` };
      };
    const names = { endpointId: 'endpoint', since: 'since', until: 'until' };
    const range = checkOptions(DELIVERY_RANGE, given(values, names), OPTION_OF);
    return async ({ operator, deliveries }) => {
      const replayed = await deliveries.replayRange(operator, range);
      return {
        json: { endpointId: range.endpointId, replayed },
        text: `${replayed} deliveries are on their way again.`,
      };
    };
  },
};

function actOn(what: 'park' | 'discard', summary: string, done: string): DeliveryCommand {
  return commandOn({ name: `deliveries ${what}`, summary, by: 'id' }, async ({ operator, deliveries }, id) => {
    await deliveries.act(operator, what, id);
    return { json: { id, done: what }, text: `Delivery ${id} ${done}.` };
  });
}

function switching(what: 'pause' | 'resume', summary: string): DeliveryCommand {
  return commandOn({ name: `deliveries ${what}`, summary, by: 'endpoint' }, async ({ operator, deliveries }, id) => {
    const endpoint = await deliveries.switch(operator, what, id);
    return { json: endpoint, text: `${endpoint.address} is ${endpoint.state}.` };
  });
}

const test = commandOn<DeliveryServices>(
  {
    name: 'deliveries test',
    summary: 'Send a signed test event to a webhook, or connect to an HL7 v2 destination and hang up.',
    by: 'endpoint',
  },
  async ({ operator, deliveries }, id) => {
    const trial = await deliveries.test(operator, id);
    return {
      json: trial,
      text: `${trial.reached ? 'Reached' : 'Not reached'}: ${trial.said}.`,
      failed: !trial.reached,
    };
  },
);

/** Deliveries of all exits, in one vocabulary. */
export const DELIVERY_COMMANDS: CommandGroup<DeliveryServices> = {
  providers: [DeliveryOperations],
  services: (app, operator) => ({ operator, deliveries: app.get(DeliveryOperations) }),
  commands: [
    list,
    show,
    replay,
    actOn('park', 'Let one that waits step aside, so that what waits behind it goes on.', 'is parked'),
    actOn('discard', 'Give one up for good that is parked.', 'is discarded'),
    switching('pause', 'Send an endpoint nothing until it is resumed; what is made meanwhile waits.'),
    switching('resume', 'Send again, to an endpoint that was paused or disabled.'),
    test,
  ],
};

function describe(view: DeliveryDetailView): CliReport {
  const { id, exit, endpointId, type, state, attempts, fault, createdAt, nextAt, deliveredAt, body, log } = view;
  const facts = {
    delivery: id,
    endpoint: `${exit} ${endpointId}`,
    type,
    state,
    attempts: String(attempts),
    ...(fault === null ? {} : { why: fault }),
    made: createdAt,
    ...(nextAt === null ? {} : { next: nextAt }),
    ...(deliveredAt === null ? {} : { delivered: deliveredAt }),
  };
  const attemptRows = log.map(({ at, delivered, answer, fault: why }) => [
    at,
    delivered ? 'delivered' : 'failed',
    answer ?? why ?? '',
  ]);
  const tried = attemptRows.length === 0 ? [] : [toTextTable(['TRIED', 'OUTCOME', 'ANSWER'], attemptRows)];
  return { json: view, text: [toFactList(facts), ...tried, body.replaceAll('\r', '\n').trimEnd()].join('\n\n') };
}
