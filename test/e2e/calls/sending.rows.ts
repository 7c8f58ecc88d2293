import type { WebhookReceiver } from '../../peers/webhook-receiver.js';
import type { Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { NOBODY } from './command-row.js';
import { keyed, type Ask, type RouteGround, type RouteRow } from './route-row.js';

/** A ground with a receiver of webhooks, and an organization one of whose photos was analysed. */
export interface SendingGround extends RouteGround {
  readonly key: string;
  readonly organizationId: string;
  readonly receiver: WebhookReceiver;
  /** Analyses one more photo. */
  analyse(): Promise<unknown>;
  webhookId: string;
  secondId: string;
  deliveryId: string;
}

type Row = RouteRow<SendingGround>;

const ofKey = ({ key }: SendingGround, path: string, json?: unknown): Ask => keyed(key, path, json);
const ofAdmin = ({ gateway }: SendingGround, path: string, json?: unknown): Ask =>
  keyed(gateway.adminToken, `/admin/v1${path}`, json);
const unknown = (by: typeof ofKey, path: string, code: string, json?: unknown): Row['refused'] => ({
  ask: (ground) => by(ground, path, json),
  status: 404,
  code,
});
const noWebhook = (path: string, json?: unknown) =>
  unknown(ofKey, `/api/v1/webhooks/${NOBODY}${path}`, 'webhook.not_found', json);
const own = (path: string, json?: unknown) => (ground: SendingGround) =>
  ofKey(ground, `/api/v1/webhooks/${ground.webhookId}${path}`, json);
const delivery = (path: string) => (ground: SendingGround) =>
  ofKey(ground, `/api/v1/webhooks/${ground.webhookId}/deliveries/${ground.deliveryId}${path}`);
const noDelivery = (path: string): Row['refused'] => ({
  ask: (ground) => ofKey(ground, `/api/v1/webhooks/${ground.webhookId}/deliveries/${NOBODY}${path}`),
  status: 404,
  code: 'webhook.delivery_not_found',
});

/** The state of the delivery that the rows are about, as an operator sees it. */
async function stateOf({ gateway, deliveryId }: SendingGround): Promise<string> {
  return (await gateway.admin('GET', `/deliveries/${deliveryId}`)).body.state as string;
}
const becomes = (ground: SendingGround, state: string) =>
  eventually(`the delivery is ${state}`, async () => (await stateOf(ground)) === state);

/** Waits for the newest delivery of the webhook in a state. */
const newest = (ground: SendingGround, state: string) =>
  eventually(`a delivery that is ${state}`, async () => {
    const path = `/deliveries?endpointId=${ground.webhookId}&state=${state}`;
    return (await ground.gateway.admin('GET', path)).body.items[0]?.id as string | undefined;
  });

const webhooks: readonly Row[] = [
  {
    route: 'POST /api/v1/webhooks',
    ask: (ground) => ofKey(ground, '/api/v1/webhooks', { url: ground.receiver.url, types: ['report.ready'] }),
    status: 201,
    effect({ body }, ground) {
      expect(body).toMatchObject({ state: 'active', secret: expect.stringMatching(/^whsec_/) as string });
      ground.webhookId = body.id as string;
    },
    refused: {
      ask: (ground) => ofKey(ground, '/api/v1/webhooks', { url: 'https://10.1.2.3/x' }),
      status: 422,
      code: 'webhook.url_refused',
    },
  },
  {
    route: 'GET /api/v1/webhooks',
    ask: (ground) => ofKey(ground, '/api/v1/webhooks'),
    status: 200,
    effect: ({ body }, { webhookId }) => expect(body.webhooks).toMatchObject([{ id: webhookId }]),
    refused: { ask: () => ({ path: '/api/v1/webhooks' }), status: 401, code: 'auth.missing' },
  },
  {
    route: 'GET /api/v1/webhooks/:webhookId',
    ask: own(''),
    status: 200,
    effect({ body }, { webhookId }) {
      expect(body).toMatchObject({ id: webhookId, types: ['report.ready'] });
      expect(body).not.toHaveProperty('secret');
    },
    refused: noWebhook(''),
  },
  {
    route: 'PATCH /api/v1/webhooks/:webhookId',
    ask: own('', { content: 'full' }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ content: 'full' }),
    refused: noWebhook('', { content: 'full' }),
  },
  {
    route: 'POST /api/v1/webhooks/:webhookId/rotate',
    ask: own('/rotate', { overlapS: 60 }),
    status: 200,
    effect: ({ body }) => expect(body.secret).toMatch(/^whsec_/),
    refused: noWebhook('/rotate', { overlapS: 60 }),
  },
  {
    route: 'POST /api/v1/webhooks/:webhookId/test',
    ask: own('/test'),
    status: 200,
    effect(_, { receiver }) {
      expect(receiver.types).toHaveLength(1);
    },
    refused: noWebhook('/test'),
  },
  {
    route: 'POST /api/v1/webhooks/:webhookId/pause',
    ask: own('/pause'),
    status: 200,
    async effect({ body }, ground) {
      expect(body).toMatchObject({ state: 'paused' });
      await ground.analyse();
      ground.deliveryId = await newest(ground, 'waiting');
    },
    refused: noWebhook('/pause'),
  },
  {
    route: 'POST /api/v1/webhooks/:webhookId/deliveries/:deliveryId/park',
    ask: delivery('/park'),
    status: 204,
    effect: async (_, ground) => expect(await stateOf(ground)).toBe('parked'),
    refused: noDelivery('/park'),
  },
  {
    route: 'POST /api/v1/webhooks/:webhookId/deliveries/:deliveryId/replay',
    ask: delivery('/replay'),
    status: 202,
    effect: async (_, ground) => expect(await stateOf(ground)).toBe('waiting'),
    refused: noDelivery('/replay'),
  },
  {
    route: 'POST /api/v1/webhooks/:webhookId/resume',
    ask: own('/resume'),
    status: 200,
    async effect({ body }, ground) {
      expect(body).toMatchObject({ state: 'active' });
      await becomes(ground, 'delivered');
      expect(ground.receiver.types).toContain('report.ready');
    },
    refused: noWebhook('/resume'),
  },
  {
    route: 'GET /api/v1/webhooks/:webhookId/deliveries',
    ask: own('/deliveries?state=delivered'),
    status: 200,
    effect: ({ body }, { deliveryId }) =>
      expect(body.deliveries).toMatchObject([{ id: deliveryId, type: 'report.ready' }]),
    refused: noWebhook('/deliveries'),
  },
  {
    route: 'GET /api/v1/webhooks/:webhookId/deliveries/:deliveryId',
    ask: delivery(''),
    status: 200,
    effect: ({ body }, { deliveryId }) => expect(body).toMatchObject({ id: deliveryId, state: 'delivered' }),
    refused: noDelivery(''),
  },
  {
    route: 'POST /api/v1/webhooks/:webhookId/replay',
    ask: own('/replay', { since: '2020-01-01T00:00:00Z' }),
    status: 202,
    async effect({ body }, ground) {
      expect(body).toMatchObject({ replayed: 1 });
      await eventually(
        'it comes again',
        () => ground.receiver.types.filter((type) => type === 'report.ready').length > 1,
      );
    },
    refused: noWebhook('/replay', { since: '2020-01-01T00:00:00Z' }),
  },
];

const endpoint = (path: string) => (ground: SendingGround) =>
  ofAdmin(ground, `/deliveries/endpoints/${ground.webhookId}${path}`);
const noEndpoint = (path: string) =>
  unknown(ofAdmin, `/deliveries/endpoints/${NOBODY}${path}`, 'delivery.endpoint_not_found');
const sent = (path: string) => (ground: SendingGround) => ofAdmin(ground, `/deliveries/${ground.deliveryId}${path}`);
const nothingSent = (path: string) => unknown(ofAdmin, `/deliveries/${NOBODY}${path}`, 'delivery.not_found');

const deliveries: readonly Row[] = [
  {
    route: 'GET /admin/v1/deliveries',
    ask: (ground) => ofAdmin(ground, `/deliveries?organizationId=${ground.organizationId}`),
    status: 200,
    effect: ({ body }, { deliveryId }) => expect(body.items).toMatchObject([{ id: deliveryId, exit: 'webhook' }]),
    refused: {
      ask: (ground) => ofAdmin(ground, '/deliveries?state=burnt'),
      status: 400,
      code: 'request.invalid',
    },
  },
  {
    route: 'GET /admin/v1/deliveries/endpoints',
    ask: (ground) => ofAdmin(ground, `/deliveries/endpoints?organizationId=${ground.organizationId}`),
    status: 200,
    effect: ({ body }, { webhookId }) => expect(JSON.stringify(body)).toContain(webhookId),
    refused: { ask: () => ({ path: '/admin/v1/deliveries/endpoints' }), status: 401, code: 'auth.missing' },
  },
  {
    route: 'POST /admin/v1/deliveries/endpoints/:endpointId/test',
    ask: endpoint('/test'),
    status: 200,
    effect: ({ body }) => expect(body).toEqual({ reached: true, said: '204' }),
    refused: noEndpoint('/test'),
  },
  {
    route: 'POST /admin/v1/deliveries/endpoints/:endpointId/pause',
    ask: async (ground) => {
      await becomes(ground, 'delivered');
      return endpoint('/pause')(ground);
    },
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ exit: 'webhook', state: 'paused' }),
    refused: noEndpoint('/pause'),
  },
  {
    route: 'POST /admin/v1/deliveries/:deliveryId/replay',
    ask: sent('/replay'),
    status: 204,
    effect: async (_, ground) => expect(await stateOf(ground)).toBe('waiting'),
    refused: nothingSent('/replay'),
  },
  {
    route: 'POST /admin/v1/deliveries/:deliveryId/park',
    ask: sent('/park'),
    status: 204,
    effect: async (_, ground) => expect(await stateOf(ground)).toBe('parked'),
    refused: nothingSent('/park'),
  },
  {
    route: 'POST /admin/v1/deliveries/replay',
    ask: (ground) =>
      ofAdmin(ground, '/deliveries/replay', { endpointId: ground.webhookId, since: '2020-01-01T00:00:00Z' }),
    status: 200,
    async effect({ body }, ground) {
      expect(body).toEqual({ replayed: 1 });
      expect(await stateOf(ground)).toBe('waiting');
    },
    refused: unknown(ofAdmin, '/deliveries/replay', 'delivery.endpoint_not_found', {
      endpointId: NOBODY,
      since: '2020-01-01T00:00:00Z',
    }),
  },
  {
    route: 'GET /admin/v1/deliveries/:deliveryId',
    ask: sent(''),
    status: 200,
    effect: ({ body }, { deliveryId }) =>
      expect(body).toMatchObject({ id: deliveryId, body: expect.stringContaining('report.ready') as string }),
    refused: nothingSent(''),
  },
  {
    route: 'POST /admin/v1/deliveries/:deliveryId/discard',
    async ask(ground) {
      const { path, ...wish } = sent('/park')(ground);
      await ground.ask('POST', path, wish);
      return sent('/discard')(ground);
    },
    status: 204,
    effect: async (_, ground) => expect(await stateOf(ground)).toBe('discarded'),
    refused: nothingSent('/discard'),
  },
  {
    route: 'POST /api/v1/webhooks/:webhookId/deliveries/:deliveryId/discard',
    async ask(ground) {
      await ground.analyse();
      ground.deliveryId = await newest(ground, 'waiting');
      const { path, ...wish } = sent('/park')(ground);
      await ground.ask('POST', path, wish);
      return delivery('/discard')(ground);
    },
    status: 204,
    effect: async (_, ground) => expect(await stateOf(ground)).toBe('discarded'),
    refused: noDelivery('/discard'),
  },
  {
    route: 'POST /admin/v1/deliveries/endpoints/:endpointId/resume',
    ask: endpoint('/resume'),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ state: 'active' }),
    refused: noEndpoint('/resume'),
  },
];

const listOf = async ({ gateway, organizationId }: SendingGround): Promise<Answer['body']> =>
  (await gateway.admin('GET', `/webhooks?organizationId=${organizationId}`)).body.items;

const administered: readonly Row[] = [
  {
    route: 'POST /admin/v1/webhooks',
    ask: (ground) => {
      const { organizationId, receiver } = ground;
      return ofAdmin(ground, '/webhooks', { organizationId, environment: 'test', url: receiver.url });
    },
    status: 201,
    async effect({ body }, ground) {
      ground.secondId = body.id as string;
      expect(await listOf(ground)).toHaveLength(2);
    },
    refused: unknown(ofAdmin, '/webhooks', 'organization.not_found', {
      organizationId: NOBODY,
      environment: 'test',
      url: 'https://ward.example.org/x',
    }),
  },
  {
    route: 'GET /admin/v1/webhooks',
    ask: (ground) => ofAdmin(ground, `/webhooks?organizationId=${ground.organizationId}`),
    status: 200,
    effect: ({ body }, { secondId }) => expect(body.items).toContainEqual(expect.objectContaining({ id: secondId })),
    refused: unknown(ofAdmin, `/webhooks?organizationId=${NOBODY}`, 'organization.not_found'),
  },
  {
    route: 'DELETE /admin/v1/webhooks/:webhookId',
    ask: (ground) => ofAdmin(ground, `/webhooks/${ground.secondId}`),
    status: 204,
    effect: async (_, ground) => expect(await listOf(ground)).toMatchObject([{ id: ground.webhookId }]),
    refused: unknown(ofAdmin, `/webhooks/${NOBODY}`, 'webhook.not_found'),
  },
  {
    route: 'DELETE /api/v1/webhooks/:webhookId',
    ask: own(''),
    status: 204,
    effect: async (_, ground) => expect(await listOf(ground)).toEqual([]),
    refused: noWebhook(''),
  },
];

export const SENDING_ROWS: readonly Row[] = [...webhooks, ...deliveries, ...administered];
