import { z } from 'zod';
import type { OperatorAct } from '../../../core/audit/operator-trail.js';
import { Exits } from '../../../core/deliveries/exits.js';
import { NameDirectory } from '../../../core/organizations/name-directory.js';
import type { ErrorCode } from '../../../core/errors/catalogue.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { IN_QUERY } from '../../../identity/index.js';
import { CliMisuse, type CliReport } from '../../../platform/cli/cli-command.js';
import { checkOptions, given, optional } from '../../../platform/cli/command-options.js';
import { toFactList, toTextTable } from '../../../platform/cli/command-report.js';
import { perform } from '../action/admin-action.js';
import { onThing } from '../action/acts.js';
import { adminGroup } from '../action/admin-group.js';
import { DELIVERY_EXAMPLES } from './deliveries.examples.js';
import {
  DELIVERY_DETAIL_VIEW,
  DELIVERY_VIEW,
  ENDPOINT_VIEW,
  idsOf,
  toDeliveryDetailView,
  toDeliveryView,
  toEndpointView,
  type DeliveryDetailView,
} from './deliveries.views.js';

const STATES = ['waiting', 'delivered', 'parked', 'discarded', 'collapsed', 'moved'] as const;
const LARGEST_PAGE = 1000;
const DEFAULT_PAGE = 100;
const instant = z.iso.datetime({ offset: true });
const OF_TENANT = {
  organizationId: z.uuid().optional().describe('Of this organization only'),
  environment: z.enum(ENVIRONMENTS).optional().describe('test or live'),
};

const { action, command, group } = adminGroup({ exits: Exits, names: NameDirectory });

const list = action({
  name: 'listDeliveries',
  route: 'GET /deliveries',
  does: 'What was delivered, waits or is parked, newest first: to webhooks, FHIR Subscriptions and HL7 v2 destinations',
  who: { role: 'viewer', of: IN_QUERY },
  query: z.strictObject({
    endpointId: z.uuid().optional().describe('To this endpoint only'),
    ...OF_TENANT,
    state: z.enum(STATES).optional().describe(STATES.join(', ')),
    limit: z.coerce.number().int().min(1).max(LARGEST_PAGE).default(DEFAULT_PAGE).describe('1 to 1000, default 100'),
  }),
  lists: DELIVERY_VIEW,
  shows: DELIVERY_EXAMPLES.delivery,
  refusals: ['delivery.endpoint_not_found'],
  async run({ exits, names }, { limit, ...filter }) {
    const found = await exits.list(filter, limit);
    const known = await names.namesOf(idsOf(found));
    return found.map((one) => toDeliveryView(one, known));
  },
  trail: 'none',
  command: {
    usage: 'deliveries list [--endpoint ID] [--org ID] [--env test|live] [--state STATE] [--limit 1-1000]',
    says: 'What was delivered, waits or is parked, newest first: to webhooks, FHIR Subscriptions and HL7 v2 destinations. STATE: waiting, delivered, parked, discarded, collapsed, moved.',
    table: {
      DELIVERY: ({ id }) => id,
      EXIT: ({ exit }) => exit,
      TO: ({ endpointName }) => endpointName,
      ENDPOINT: ({ endpointId }) => endpointId,
      TYPE: ({ type }) => type,
      STATE: ({ state }) => state,
      ATTEMPTS: ({ attempts }) => String(attempts),
      WHY: ({ fault }) => fault,
      MADE: ({ createdAt }) => createdAt,
      NEXT: ({ nextAt }) => nextAt,
    },
  },
});

const replayRange = action({
  name: 'replayDeliveries',
  route: 'POST /deliveries/replay',
  does: 'All that were made for an endpoint in a time once more, in their order',
  who: { role: 'integrator', of: { in: 'body', fields: { endpoint: 'endpointId' } } },
  body: z.strictObject({ endpointId: z.uuid(), since: instant, until: instant.optional() }),
  example: { endpointId: DELIVERY_EXAMPLES.delivery.endpointId, since: '2026-03-15T08:00:00Z' },
  answers: z.object({ replayed: z.int() }),
  shows: { replayed: 12 },
  refusals: ['delivery.endpoint_not_found'],
  async run({ exits, operator }, { endpointId, since, until }) {
    const end = until === undefined ? null : new Date(until);
    return { replayed: await exits.replayRange(endpointId, operator.name, new Date(since), end) };
  },
  trail: { before: ({ exits }, { endpointId }) => actOnEndpoint(exits, endpointId, '$replay') },
});

const endpoints = action({
  name: 'listEndpoints',
  route: 'GET /deliveries/endpoints',
  does: 'Where deliveries go: webhooks, FHIR Subscriptions and HL7 v2 destinations, with what is wrong with each',
  who: { role: 'viewer', of: IN_QUERY },
  query: z.strictObject({
    ...OF_TENANT,
    exit: z.enum(['webhook', 'subscription', 'hl7', 'ehr']).optional().describe('webhook, subscription, hl7 or ehr'),
  }),
  lists: ENDPOINT_VIEW,
  shows: DELIVERY_EXAMPLES.endpoint,
  async run({ exits, names }, { exit, ...filter }) {
    const found = await exits.endpoints(filter, exit);
    const known = await names.namesOf(idsOf(found));
    return found.map((one) => toEndpointView(one, known));
  },
  trail: 'none',
});

const switching = (what: 'pause' | 'resume', does: string, shows: object) =>
  action({
    name: `${what}Endpoint`,
    route: `POST /deliveries/endpoints/:endpointId/${what}`,
    does,
    who: 'integrator',
    answers: ENDPOINT_VIEW,
    shows,
    refusals: ['delivery.endpoint_not_found'],
    async run({ exits, names }, { endpointId }) {
      const endpoint = await exits.switch(what, endpointId);
      return toEndpointView(endpoint, await names.namesOf(idsOf([endpoint])));
    },
    trail: { before: ({ exits }, { endpointId }) => actOnEndpoint(exits, endpointId, `$${what}`) },
    command: {
      usage: `deliveries ${what} --endpoint ID`,
      prints: (endpoint) => ({ json: endpoint, text: `${endpoint.name ?? endpoint.address} is ${endpoint.state}.` }),
    },
  });

const test = action({
  name: 'testEndpoint',
  route: 'POST /deliveries/endpoints/:endpointId/test',
  does: 'Send a signed test event to a webhook or a handshake to a Subscription, or connect to an HL7 v2 destination and hang up',
  who: 'integrator',
  answers: z.object({ reached: z.boolean(), said: z.string() }),
  shows: { reached: true, said: '204' },
  refusals: ['delivery.endpoint_not_found'],
  run: ({ exits }, { endpointId }) => exits.test(endpointId),
  trail: { before: ({ exits }, { endpointId }) => actOnEndpoint(exits, endpointId, '$test') },
  command: {
    usage: 'deliveries test --endpoint ID',
    says: 'Send a signed test event to a webhook, or connect to an HL7 v2 destination and hang up.',
    prints: (trial) => ({
      json: trial,
      text: `${trial.reached ? 'Reached' : 'Not reached'}: ${trial.said}.`,
      failed: !trial.reached,
    }),
  },
});

const show = action({
  name: 'readDelivery',
  route: 'GET /deliveries/:deliveryId',
  does: 'One delivery with its body and its attempts; written into the audit trail',
  who: 'integrator',
  answers: DELIVERY_DETAIL_VIEW,
  shows: {
    ...DELIVERY_EXAMPLES.delivery,
    body: '{"type":"report.ready","timestamp":"2026-03-15T08:40:05.000Z","data":{"version":1,"sequence":12}}',
    log: [{ at: '2026-03-15T08:40:06.000Z', delivered: false, answer: '500', fault: null }],
    acts: [{ at: '2026-03-15T09:10:00.000Z', what: 'requeued', by: 'operator' }],
  },
  refusals: ['delivery.not_found', 'hl7.sealed'],
  async run({ exits, names }, { deliveryId }) {
    const found = await exits.show(deliveryId);
    return toDeliveryDetailView(found, await names.namesOf(idsOf([found.delivery])));
  },
  trail: { before: ({ exits }, { deliveryId }) => actOnDelivery(exits, deliveryId, 'read', 'R') },
  command: {
    usage: 'deliveries show --id ID',
    says: 'One delivery with its body and its attempts. It is written into the audit trail.',
    prints: describe,
  },
});

/** An action on one delivery; without a command where `done` is not given. */
const acting = (what: 'replay' | 'park' | 'discard', does: string, refusals: readonly ErrorCode[], done?: string) =>
  action({
    name: `${what}Delivery`,
    route: `POST /deliveries/:deliveryId/${what}`,
    does,
    who: 'integrator',
    refusals: ['delivery.not_found', 'webhook.delivery_state', ...refusals],
    run: ({ exits, operator }, { deliveryId }) => exits.act(what, deliveryId, operator.name),
    trail: { before: ({ exits }, { deliveryId }) => actOnDelivery(exits, deliveryId, `$${what}`, 'E') },
    ...(done === undefined
      ? {}
      : {
          command: {
            usage: `deliveries ${what} --id ID`,
            prints: (_: unknown, { deliveryId: id }: { readonly deliveryId: string }) => ({
              json: { id, done: what },
              text: `Delivery ${id} ${done}.`,
            }),
          },
        }),
  });

const replay = acting('replay', 'Send one once more that was delivered or is parked', [
  'hl7.in_progress',
  'hl7.superseded',
  'hl7.not_parked',
]);

const replayCommand = command({
  usage: 'deliveries replay --id ID | --endpoint ID --since MOMENT [--until MOMENT]',
  summary:
    'Send one once more that was delivered or is parked, or all that were made for an endpoint in a time, in their order.',
  prepare(values) {
    const deliveryId = optional(values, 'id');
    if ((deliveryId === undefined) === (optional(values, 'endpoint') === undefined))
      throw new CliMisuse('Name one delivery with --id, or an endpoint with --endpoint and --since.');
    if (deliveryId !== undefined)
      return async (context) => {
        await perform(replay, context, { deliveryId });
        return { json: { id: deliveryId, done: 'replay' }, text: `Delivery ${deliveryId} is on its way again.` };
      };
    const named = given(values, { endpointId: 'endpoint', since: 'since', until: 'until' });
    const range = checkOptions(replayRange.body!, named, { endpointId: 'endpoint' });
    return async (context) => {
      const { replayed } = await perform(replayRange, context, range);
      return {
        json: { endpointId: range.endpointId, replayed },
        text: `${replayed} deliveries are on their way again.`,
      };
    };
  },
});

/** Deliveries of all exits, in one vocabulary. */
export const DELIVERY_ACTIONS = group('DeliveriesController', [
  list,
  show,
  replayRange,
  endpoints,
  replay,
  replayCommand,
  acting(
    'park',
    'Let one that waits step aside, so that what waits behind it goes on',
    ['hl7.not_waiting'],
    'is parked',
  ),
  acting('discard', 'Give one up for good that is parked', ['hl7.not_parked'], 'is discarded'),
  switching('pause', 'Send an endpoint nothing until it is resumed; what is made meanwhile waits', {
    ...DELIVERY_EXAMPLES.endpoint,
    state: 'paused',
  }),
  switching('resume', 'Send again, to an endpoint that was paused or disabled', DELIVERY_EXAMPLES.endpoint),
  test,
]);

async function actOnEndpoint(exits: Exits, id: string, interaction: string): Promise<OperatorAct> {
  return onThing('Endpoint', await exits.endpoint(id), interaction, 'E');
}

async function actOnDelivery(exits: Exits, id: string, interaction: string, action: 'R' | 'E'): Promise<OperatorAct> {
  return onThing('MessageHeader', await exits.named(id), interaction, action);
}

function describe(view: DeliveryDetailView): CliReport {
  const {
    id,
    exit,
    endpointId,
    endpointName,
    type,
    state,
    attempts,
    fault,
    createdAt,
    nextAt,
    deliveredAt,
    body,
    log,
    acts,
  } = view;
  const facts = {
    delivery: id,
    to: endpointName ?? 'nothing has its id any more',
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
  const done = acts.map(({ at, what, by }) => [at, what, by ?? '']);
  const acted = done.length === 0 ? [] : [toTextTable(['WHEN', 'DONE', 'BY'], done)];
  return {
    json: view,
    text: [toFactList(facts), ...tried, ...acted, body.replaceAll('\r', '\n').trimEnd()].join('\n\n'),
  };
}
