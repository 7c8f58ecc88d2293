import type { EhrReceiver } from '../../peers/mllp-receiver.js';
import { eventually } from '../../support/eventually.js';
import { NOBODY } from './command-row.js';
import { keyed, type Ask, type RouteGround, type RouteRow } from './route-row.js';

/** A ground with an EHR that receives results; the rows make its listener and its destination. */
export interface Hl7RoutesGround extends RouteGround {
  readonly organizationId: string;
  readonly receiver: EhrReceiver;
  readonly port: number;
  /** Lets an order come in, and waits until its result is in this state. */
  order(mode: 'accept' | 'reject' | 'hang-up', state: string): Promise<string>;
  listenerId: string;
  destinationId: string;
  otherId: string;
  inboundId: string;
  outboundId: string;
}

type Row = RouteRow<Hl7RoutesGround>;
type Path = string | ((ground: Hl7RoutesGround) => string);

const asked =
  (path: Path, json?: unknown) =>
  (ground: Hl7RoutesGround): Ask =>
    keyed(ground.gateway.adminToken, `/admin/v1/hl7${typeof path === 'string' ? path : path(ground)}`, json);
const unknown = (path: string, code: string, json?: unknown): Row['refused'] => ({
  ask: asked(path, json),
  status: 404,
  code,
});
const invalid = (path: string, json?: unknown): Row['refused'] => ({
  ask: asked(path, json),
  status: 400,
  code: 'request.invalid',
});

const onListener = ({ listenerId }: Hl7RoutesGround) => `/listeners/${listenerId}`;
const noListener = (json?: unknown) => unknown(`/listeners/${NOBODY}`, 'hl7.listener_not_found', json);
const onDestination = (path: string) => (ground: Hl7RoutesGround) => `/destinations/${ground.destinationId}${path}`;
const noDestination = (path: string, json?: unknown) =>
  unknown(`/destinations/${NOBODY}${path}`, 'hl7.destination_not_found', json);
const onMessage = (path: string) => (ground: Hl7RoutesGround) => `/messages/${ground.outboundId}${path}`;
const noMessage = (path: string, json?: unknown) =>
  unknown(`/messages/${NOBODY}${path}`, 'hl7.message_not_found', json);
const ofOrganization = (path: string) => (ground: Hl7RoutesGround) =>
  `${path}${path.includes('?') ? '&' : '?'}organizationId=${ground.organizationId}`;

const stateOf = async ({ gateway }: Hl7RoutesGround, id: string): Promise<string> =>
  (await gateway.admin('GET', `/hl7/messages/${id}`)).body.state as string;
const becomes = (ground: Hl7RoutesGround, id: string, state: string) =>
  eventually(`message ${id} is ${state}`, async () => (await stateOf(ground, id)) === state);

const owned = ({ organizationId }: Hl7RoutesGround, name: string, settings: object) => ({
  organizationId,
  environment: 'test',
  name,
  settings,
});
const receiving = ({ receiver }: Hl7RoutesGround) => ({ host: '127.0.0.1', port: receiver.port, ackTimeoutMs: 1000 });

const peers: readonly Row[] = [
  {
    route: 'POST /admin/v1/hl7/listeners',
    ask: (ground) => asked('/listeners', owned(ground, 'ward', { port: ground.port, host: '127.0.0.1' }))(ground),
    status: 201,
    effect({ body }, ground) {
      ground.listenerId = body.id as string;
      expect(body).toMatchObject({ name: 'ward', enabled: true });
    },
    refused: invalid('/listeners', { name: 'ward' }),
  },
  {
    route: 'GET /admin/v1/hl7/listeners',
    ask: asked(ofOrganization('/listeners')),
    status: 200,
    effect: ({ body }, { listenerId }) => expect(body.items).toMatchObject([{ id: listenerId }]),
    refused: invalid('/listeners?organizationId=x'),
  },
  {
    route: 'PATCH /admin/v1/hl7/listeners/:listenerId',
    ask: asked(onListener, { settings: { timeZone: 'Europe/Vienna' } }),
    status: 200,
    effect: ({ body }) => expect(body.settings).toMatchObject({ timeZone: 'Europe/Vienna' }),
    refused: noListener({ settings: { timeZone: 'Europe/Vienna' } }),
  },
  {
    route: 'GET /admin/v1/hl7/listeners/:listenerId',
    ask: asked(onListener),
    status: 200,
    async effect(_, ground) {
      await eventually('the gateway listens', async () => {
        const { body } = await ground.gateway.admin('GET', `/hl7${onListener(ground)}`);
        return body.served === true;
      });
    },
    refused: noListener(),
  },
  {
    route: 'POST /admin/v1/hl7/destinations',
    ask: (ground) => asked('/destinations', owned(ground, 'EHR', receiving(ground)))(ground),
    status: 201,
    effect({ body }, ground) {
      ground.destinationId = body.id as string;
      expect(body).toMatchObject({ name: 'EHR', enabled: true });
    },
    refused: invalid('/destinations', { name: 'EHR' }),
  },
  {
    route: 'GET /admin/v1/hl7/destinations',
    ask: asked(ofOrganization('/destinations')),
    status: 200,
    effect: ({ body }, { destinationId }) => expect(body.items).toMatchObject([{ id: destinationId }]),
    refused: invalid('/destinations?organizationId=x'),
  },
  {
    route: 'PATCH /admin/v1/hl7/destinations/:destinationId',
    ask: asked(onDestination(''), { settings: { receivingFacility: 'HOSP' } }),
    status: 200,
    effect: ({ body }) => expect(body.settings).toMatchObject({ receivingFacility: 'HOSP' }),
    refused: noDestination('', { settings: { receivingFacility: 'HOSP' } }),
  },
  {
    route: 'GET /admin/v1/hl7/destinations/:destinationId',
    ask: asked(onDestination('')),
    status: 200,
    effect: ({ body }, { receiver }) => expect(body.settings).toMatchObject({ port: receiver.port }),
    refused: noDestination(''),
  },
  {
    route: 'POST /admin/v1/hl7/destinations/:destinationId/test',
    ask: asked(onDestination('/test')),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ reached: true, fault: null }),
    refused: noDestination('/test'),
  },
];

const MESSAGE = [
  'MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||ADT^A08^ADT_A01|MSG00071|T|2.5.1',
  'EVN|A08|20260315094003',
  'PID|1||MRN-778812^^^HOSP^MR||Beispiel^Anna||19510714|F',
  'PV1|1|O',
  '',
].join('\r');

const messages: readonly Row[] = [
  {
    route: 'POST /admin/v1/hl7/dry-run',
    ask: (ground) => asked('/dry-run', { listenerId: ground.listenerId, message: MESSAGE })(ground),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ acknowledgment: 'AA', kind: 'patient' }),
    refused: unknown('/dry-run', 'hl7.listener_not_found', { listenerId: NOBODY, message: MESSAGE }),
  },
  {
    route: 'GET /admin/v1/hl7/messages',
    async ask(ground) {
      ground.outboundId = await ground.order('reject', 'parked');
      return asked(ofOrganization('/messages'))(ground);
    },
    status: 200,
    effect({ body }, ground) {
      expect(body.items).toMatchObject([{ direction: 'in', state: 'processed' }]);
      ground.inboundId = body.items[0].id as string;
    },
    refused: invalid('/messages?state=burnt'),
  },
  {
    route: 'GET /admin/v1/hl7/messages/:messageId',
    ask: asked(onMessage('')),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ direction: 'out', state: 'parked' }),
    refused: noMessage(''),
  },
  {
    route: 'GET /admin/v1/hl7/export',
    ask: asked(ofOrganization('/export')),
    status: 200,
    effect({ body }, { inboundId }) {
      expect(body.items).toMatchObject([{ messageId: inboundId }]);
      expect(Buffer.from(body.items[0].rawBase64 as string, 'base64').toString()).toMatch(/^MSH\|/);
    },
    refused: invalid('/export?state=burnt'),
  },
  {
    route: 'POST /admin/v1/hl7/messages/:messageId/requeue',
    ask: asked((ground) => {
      ground.receiver.mode = 'accept';
      return onMessage('/requeue')(ground);
    }),
    status: 204,
    effect: (_, ground) => becomes(ground, ground.outboundId, 'delivered').then(() => undefined),
    refused: noMessage('/requeue'),
  },
  {
    route: 'POST /admin/v1/hl7/messages/:messageId/replay',
    ask: asked(onMessage('/replay')),
    status: 204,
    async effect(_, { receiver }) {
      await eventually('it comes again', () => receiver.messages.length >= 3);
    },
    refused: noMessage('/replay'),
  },
  {
    route: 'POST /admin/v1/hl7/replay',
    async ask(ground) {
      await becomes(ground, ground.outboundId, 'delivered');
      const range = { from: '2020-01-01T00:00:00Z', to: '2126-01-01T00:00:00Z' };
      return asked('/replay', { direction: 'out', destinationId: ground.destinationId, ...range })(ground);
    },
    status: 200,
    async effect({ body }, ground) {
      expect(body).toMatchObject({ replayed: 1, skipped: [] });
      await becomes(ground, ground.outboundId, 'delivered');
    },
    refused: invalid('/replay', { from: '2020-01-01T00:00:00Z' }),
  },
  {
    route: 'POST /admin/v1/hl7/messages/:messageId/reprocess',
    ask: asked(({ inboundId }) => `/messages/${inboundId}/reprocess`, { dryRun: true }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ outcome: 'unchanged', analyses: 0 }),
    refused: noMessage('/reprocess', {}),
  },
  {
    route: 'POST /admin/v1/hl7/reprocess',
    ask: (ground) => asked('/reprocess', { listenerId: ground.listenerId, warned: false })(ground),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ changed: 0, refused: 0, skipped: 0, after: null }),
    refused: unknown('/reprocess', 'hl7.listener_not_found', { listenerId: NOBODY }),
  },
  {
    route: 'POST /admin/v1/hl7/messages/:messageId/retry',
    async ask(ground) {
      ground.outboundId = await ground.order('hang-up', 'waiting');
      return asked(onMessage('/retry'))(ground);
    },
    status: 204,
    effect: async (_, ground) => expect(['waiting', 'sending']).toContain(await stateOf(ground, ground.outboundId)),
    refused: noMessage('/retry'),
  },
  {
    route: 'POST /admin/v1/hl7/messages/:messageId/park',
    ask: asked(onMessage('/park')),
    status: 204,
    effect: async (_, ground) => expect(await stateOf(ground, ground.outboundId)).toBe('parked'),
    refused: noMessage('/park'),
  },
  {
    route: 'POST /admin/v1/hl7/messages/:messageId/move',
    async ask(ground) {
      const made = await ground.gateway.admin('POST', '/hl7/destinations', owned(ground, 'archive', receiving(ground)));
      ground.otherId = made.body.id as string;
      ground.receiver.mode = 'accept';
      return asked(onMessage('/move'), { destinationId: ground.otherId })(ground);
    },
    status: 200,
    async effect({ body }, ground) {
      await becomes(ground, body.messageId as string, 'delivered');
      await ground.gateway.admin('DELETE', `/hl7/destinations/${ground.otherId}`);
    },
    refused: unknown(`/messages/${NOBODY}/move`, 'hl7.destination_not_found', { destinationId: NOBODY }),
  },
  {
    route: 'POST /admin/v1/hl7/messages/:messageId/discard',
    async ask(ground) {
      ground.outboundId = await ground.order('reject', 'parked');
      return asked(onMessage('/discard'))(ground);
    },
    status: 204,
    effect: async (_, ground) => expect(await stateOf(ground, ground.outboundId)).toBe('discarded'),
    refused: noMessage('/discard'),
  },
  {
    route: 'POST /admin/v1/hl7/destinations/:destinationId/requeue',
    async ask(ground) {
      ground.outboundId = await ground.order('reject', 'parked');
      ground.receiver.mode = 'accept';
      return asked(onDestination('/requeue'))(ground);
    },
    status: 200,
    async effect({ body }, ground) {
      expect(body).toEqual({ requeued: 1 });
      await becomes(ground, ground.outboundId, 'delivered');
    },
    refused: noDestination('/requeue'),
  },
  {
    route: 'POST /admin/v1/hl7/messages/:messageId/rebuild',
    async ask(ground) {
      ground.outboundId = await ground.order('reject', 'parked');
      ground.receiver.mode = 'accept';
      return asked(onMessage('/rebuild'))(ground);
    },
    status: 204,
    effect: (_, ground) => becomes(ground, ground.outboundId, 'delivered').then(() => undefined),
    refused: noMessage('/rebuild'),
  },
  {
    route: 'POST /admin/v1/hl7/destinations/:destinationId/rebuild',
    async ask(ground) {
      ground.outboundId = await ground.order('reject', 'parked');
      ground.receiver.mode = 'accept';
      return asked(onDestination('/rebuild'))(ground);
    },
    status: 200,
    async effect({ body }, ground) {
      expect(body).toEqual({ rebuilt: 1, left: [] });
      await becomes(ground, ground.outboundId, 'delivered');
    },
    refused: noDestination('/rebuild'),
  },
  {
    route: 'DELETE /admin/v1/hl7/messages/:messageId/files',
    ask: asked(({ inboundId }) => `/messages/${inboundId}/files`),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ erasedFiles: 1 }),
    refused: noMessage('/files'),
  },
];

const ends: readonly Row[] = [
  {
    route: 'DELETE /admin/v1/hl7/destinations/:destinationId',
    ask: asked(onDestination('')),
    status: 200,
    effect: ({ body }) => expect(body).toEqual({ parked: 0, discarded: 0, moved: 0 }),
    refused: noDestination(''),
  },
  {
    route: 'DELETE /admin/v1/hl7/listeners/:listenerId',
    ask: asked(onListener),
    status: 204,
    async effect(_, ground) {
      expect((await ground.gateway.admin('GET', `/hl7${onListener(ground)}`)).status).toBe(404);
    },
    refused: noListener(),
  },
];

export const HL7_ROUTE_ROWS: readonly Row[] = [...peers, ...messages, ...ends];
