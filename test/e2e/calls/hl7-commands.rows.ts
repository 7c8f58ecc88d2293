import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { EhrReceiver, ReceiverMode } from '../../peers/mllp-receiver.js';
import { EhrSender } from '../../peers/mllp-sender.js';
import { eventually } from '../../support/eventually.js';
import { fieldOf, orderMessage } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import type { Orders } from './hl7-orders.js';
import { NOBODY, type CommandGround, type CommandRow } from './command-row.js';

/** A ground with an EHR that receives results; the rows make its listener and its destinations. */
export type Hl7Ground = CommandGround & {
  readonly organizationId: string;
  readonly receiver: EhrReceiver;
  readonly port: number;
  readonly orders: Orders;
  readonly made: Made;
};

interface Made {
  listenerId: string;
  destinationId: string;
  otherId: string;
  /** Of the message that came in, and of one that goes out. */
  inboundId: string;
  outboundId: string;
}

type Row = CommandRow<Hl7Ground>;

interface Listed {
  readonly messageId: string;
  readonly state: string;
  readonly attempts: number;
}

const owner = ({ organizationId }: Hl7Ground, name: string) => [
  '--org',
  organizationId,
  '--env',
  'test',
  '--name',
  name,
];
const idIn = (out: string, field: string) => (JSON.parse(out) as Record<string, string>)[field]!;
const unknown = (code: string, ...more: string[]): Row['refused'] => ({
  call: () => ['--id', NOBODY, ...more],
  code: 1,
  says: code,
});

const messageIn = async ({ gateway }: Hl7Ground, id: string): Promise<Listed> =>
  (await gateway.admin('GET', `/hl7/messages/${id}`)).body as Listed;

/** The id of the result of one more order, once it is in this state. */
async function ordered({ orders, made }: Hl7Ground, mode: ReceiverMode, state: string): Promise<string> {
  made.outboundId = await orders.place(mode, state);
  return made.outboundId;
}

const becomes = (ground: Hl7Ground, id: string, state: string) =>
  eventually(`message ${id} is ${state}`, async () => (await messageIn(ground, id)).state === state);

const listener = (id: string, path = '') => `/hl7/listeners/${id}${path}`;

const listeners: readonly Row[] = [
  {
    name: 'hl7 listener create',
    call: (ground) => [...owner(ground, 'ward'), '--port', String(ground.port), '--host', '127.0.0.1', '--json'],
    async effect(out, ground) {
      ground.made.listenerId = idIn(out, 'listenerId');
      await eventually('the gateway listens', async () => {
        const { served } = (await ground.gateway.admin('GET', listener(ground.made.listenerId))).body;
        return served === true;
      });
    },
    refused: {
      call: (ground) => [...owner({ ...ground, organizationId: NOBODY } as Hl7Ground, 'x'), '--port', '2575'],
      code: 1,
      says: 'organization.not_found',
    },
  },
  {
    name: 'hl7 listener list',
    call: ({ organizationId }) => ['--org', organizationId],
    effect: (out, { made, port }) =>
      expect(out).toMatch(new RegExp(`^${made.listenerId} +test +ward +${port} +127\\.0\\.0\\.1 +no +on +yes`, 'm')),
    refused: { call: () => ['--env', 'test'], code: 2, says: "Unknown option '--env'" },
  },
  {
    name: 'hl7 listener show',
    call: ({ made }) => ['--id', made.listenerId],
    effect: (out, { port }) => expect(out).toMatch(new RegExp(`served +yes\nport +${port}\n`)),
    refused: unknown('hl7.listener_not_found'),
  },
  {
    name: 'hl7 listener set',
    call: ({ made }) => ['--id', made.listenerId, '--settings', '{"timeZone":"Europe/Vienna"}'],
    effect: (out) => expect(out).toContain('"timeZone":"Europe/Vienna"'),
    refused: {
      call: ({ made }) => ['--id', made.listenerId, '--settings', '{"timeZone":"Mars/Olympus"}'],
      code: 1,
      says: 'settings/timeZone',
    },
  },
  {
    name: 'hl7 listener pause',
    call: ({ made }) => ['--id', made.listenerId],
    async effect(out, { port }) {
      expect(out).toMatch(/state +paused/);
      await eventually('the port is closed', () =>
        EhrSender.connect(port).then(
          (sender) => sender.destroy().then(() => false),
          () => true,
        ),
      );
    },
    refused: unknown('hl7.listener_not_found'),
  },
  {
    name: 'hl7 listener resume',
    call: ({ made }) => ['--id', made.listenerId],
    async effect(out, { port }) {
      expect(out).toMatch(/state +on/);
      await eventually('the port is open', () =>
        EhrSender.connect(port).then((sender) => sender.destroy().then(() => true)),
      );
    },
    refused: unknown('hl7.listener_not_found'),
  },
];

const address = ({ receiver }: Hl7Ground) => ['--host', '127.0.0.1', '--port', String(receiver.port)];
const ACK_SOON = ['--settings', '{"ackTimeoutMs":1000}'];

const destinations: readonly Row[] = [
  {
    name: 'hl7 destination create',
    call: (ground) => [...owner(ground, 'EHR'), ...address(ground), ...ACK_SOON, '--json'],
    async effect(out, ground) {
      ground.made.destinationId = idIn(out, 'destinationId');
      const { items } = await ground.admin('GET', `/hl7/destinations?organizationId=${ground.organizationId}`);
      expect(items).toMatchObject([{ id: ground.made.destinationId, name: 'EHR' }]);
    },
    refused: {
      call: (ground) => owner(ground, 'EHR').concat('--port', '2580'),
      code: 2,
      says: '--host is missing',
    },
  },
  {
    name: 'hl7 destination list',
    call: ({ organizationId }) => ['--org', organizationId],
    effect: (out, { made, receiver }) =>
      expect(out).toMatch(
        new RegExp(`^${made.destinationId} +test +EHR +127\\.0\\.0\\.1:${receiver.port} +2\\.5\\.1 +on`, 'm'),
      ),
    refused: { call: () => ['--env', 'test'], code: 2, says: "Unknown option '--env'" },
  },
  {
    name: 'hl7 destination show',
    call: ({ made }) => ['--id', made.destinationId],
    effect: (out) => expect(out).toContain('"ackTimeoutMs":1000'),
    refused: unknown('hl7.destination_not_found'),
  },
  {
    name: 'hl7 destination set',
    call: ({ made }) => ['--id', made.destinationId, '--receiving-app', 'EHR', '--receiving-facility', 'HOSP'],
    effect: (out) => expect(out).toContain('"receivingApplication":"EHR"'),
    refused: { call: ({ made }) => ['--id', made.destinationId], code: 2, says: 'Name what is to be changed' },
  },
  {
    name: 'hl7 destination test',
    call: ({ made }) => ['--id', made.destinationId],
    effect(out, { receiver }) {
      expect(out).toMatch(/^connected +yes/);
      expect(receiver.connectionsSoFar).toBeGreaterThan(0);
    },
    refused: unknown('hl7.destination_not_found'),
  },
  {
    name: 'hl7 destination pause',
    call: ({ made }) => ['--id', made.destinationId],
    effect: (out) => expect(out).toMatch(/state +paused/),
    refused: unknown('hl7.destination_not_found'),
  },
  {
    name: 'hl7 destination resume',
    call: ({ made }) => ['--id', made.destinationId],
    effect: (out) => expect(out).toMatch(/state +on/),
    refused: unknown('hl7.destination_not_found'),
  },
];

const ORDER_FILE = 'order.hl7';

const comingIn: readonly Row[] = [
  {
    name: 'hl7 dry-run',
    async call(ground) {
      const photo = await drawWoundPhoto({ seed: 1 });
      await writeFile(ground.file(ORDER_FILE), orderMessage({ order: 'ORD-0', mrn: 'MRN-0', photo }));
      return [ground.file(ORDER_FILE), '--listener', ground.made.listenerId];
    },
    async effect(out, ground) {
      expect(out).toMatch(/AA/);
      expect(out).toContain('Patient');
      expect((await ground.admin('GET', `/hl7/messages?organizationId=${ground.organizationId}`)).items).toEqual([]);
    },
    refused: {
      call: ({ made }) => ['/nowhere', '--listener', made.listenerId],
      code: 1,
      says: 'The file cannot be read',
    },
  },
  {
    name: 'hl7 send',
    call: (ground) => [ground.file(ORDER_FILE), '--to', `127.0.0.1:${ground.port}`],
    async effect(out, ground) {
      expect(out).toMatch(/^MSA\|AA\|ORD-0/m);
      await eventually('its result', () =>
        ground.receiver.messages.find((text) => fieldOf(text, 'OBR', 2).startsWith('ORD-0')),
      );
    },
    refused: { call: (ground) => [ground.file(ORDER_FILE), '--to', '127.0.0.1:1'], code: 1, says: 'hl7.no_answer' },
  },
  {
    name: 'hl7 messages',
    call: ({ organizationId }) => ['--org', organizationId, '--order', 'ORD-0', '--json'],
    effect(out, { made }) {
      const [message, ...more] = JSON.parse(out) as Listed[];
      expect([message?.state, more]).toEqual(['processed', []]);
      made.inboundId = message!.messageId;
    },
    refused: { call: () => ['--state', 'burnt'], code: 2, says: '--state' },
  },
  {
    name: 'hl7 show',
    call: ({ made }) => ['--id', made.inboundId],
    effect: (out) => expect(out).toContain('ORD-0'),
    refused: unknown('hl7.message_not_found'),
  },
  {
    name: 'hl7 export',
    call: (ground) => ['--into', ground.file('messages'), '--org', ground.organizationId],
    async effect(out, ground) {
      expect(out).toContain('1 messages are in');
      expect(await readdir(ground.file('messages'))).toEqual([`${ground.made.inboundId}.hl7`]);
      const written = await readFile(`${ground.file('messages')}/${ground.made.inboundId}.hl7`);
      expect(written.equals(await readFile(ground.file(ORDER_FILE)))).toBe(true);
    },
    refused: {
      call: (ground) => ['--into', ground.file(ORDER_FILE)],
      code: 1,
      says: `${ORDER_FILE} is there already. Name another place, or remove it.`,
    },
  },
];

const goingOut: readonly Row[] = [
  {
    name: 'hl7 parked',
    call: async (ground) => {
      await ordered(ground, 'reject', 'parked');
      return ['--org', ground.organizationId, '--env', 'test'];
    },
    effect: (out, { made }) => expect(out).toContain(made.outboundId),
    refused: { call: () => ['--limit', '0'], code: 2, says: '--limit' },
  },
  {
    name: 'hl7 requeue',
    call: ({ receiver, made }) => {
      receiver.mode = 'accept';
      return ['--id', made.outboundId];
    },
    async effect(out, ground) {
      expect(out).toBe(`Message ${ground.made.outboundId} is on its way again.\n`);
      await becomes(ground, ground.made.outboundId, 'delivered');
    },
    refused: unknown('hl7.message_not_found'),
  },
  {
    name: 'hl7 replay',
    call: ({ made }) => ['--id', made.outboundId],
    async effect(out, { made, receiver, orders }) {
      expect(out).toBe(`Message ${made.outboundId} is on its way again.\n`);
      const copies = () =>
        receiver.messages.filter((text) => fieldOf(text, 'OBR', 2).startsWith(`ORD-${orders.count}^`));
      await eventually('it comes again', () => copies().length >= 3);
    },
    refused: unknown('hl7.message_not_found'),
  },
  {
    name: 'hl7 retry',
    call: async (ground) => ['--id', await ordered(ground, 'hang-up', 'waiting')],
    async effect(out, ground) {
      const { made, receiver } = ground;
      expect(out).toBe(`Message ${made.outboundId} is tried now.\n`);
      receiver.mode = 'accept';
      await ground.gateway.admin('POST', `/hl7/messages/${made.outboundId}/retry`);
      await becomes(ground, made.outboundId, 'delivered');
    },
    refused: unknown('hl7.message_not_found'),
  },
  {
    name: 'hl7 park',
    call: async (ground) => ['--id', await ordered(ground, 'hang-up', 'waiting')],
    async effect(out, ground) {
      expect(out).toBe(`Message ${ground.made.outboundId} is parked.\n`);
      expect(await messageIn(ground, ground.made.outboundId)).toMatchObject({ state: 'parked' });
    },
    refused: { call: ({ made }) => ['--id', made.outboundId], code: 1, says: 'hl7.not_waiting', after: true },
  },
  {
    name: 'hl7 move',
    call: async (ground) => {
      const other = [...owner(ground, 'archive'), ...address(ground)];
      const made = await ground.json<{ destinationId: string }>('hl7', 'destination', 'create', ...other);
      ground.made.otherId = made.destinationId;
      ground.receiver.mode = 'accept';
      return ['--id', ground.made.outboundId, '--to', made.destinationId, '--json'];
    },
    async effect(out, ground) {
      const moved = idIn(out, 'messageId');
      expect(moved).not.toBe(ground.made.outboundId);
      await becomes(ground, moved, 'delivered');
    },
    refused: { call: () => ['--id', NOBODY, '--to', NOBODY], code: 1, says: 'hl7.destination_not_found' },
  },
  {
    name: 'hl7 discard',
    async call(ground) {
      await ground.admin('DELETE', `/hl7/destinations/${ground.made.otherId}`);
      return ['--id', await ordered(ground, 'reject', 'parked')];
    },
    async effect(out, ground) {
      expect(out).toBe(`Message ${ground.made.outboundId} is discarded.\n`);
      expect(await messageIn(ground, ground.made.outboundId)).toMatchObject({ state: 'discarded' });
    },
    refused: { call: ({ made }) => ['--id', made.inboundId], code: 1, says: 'hl7.not_parked' },
  },
];

const ends: readonly Row[] = [
  {
    name: 'hl7 erase',
    call: ({ made }) => ['--id', made.inboundId, '--yes'],
    async effect(out, ground) {
      expect(out).toMatch(/^1 files of \d+ bytes are no longer in message /);
      const shown = await ground.call(['hl7', 'show', '--id', ground.made.inboundId]);
      expect(shown.out).toContain('ORD-0');
      expect(shown.out).not.toContain((await readFile(ground.file(ORDER_FILE), 'utf8')).slice(-400, -300));
    },
    refused: {
      call: ({ made }) => ['--id', made.inboundId],
      code: 2,
      says: 'This cannot be undone. Add --yes to do it',
    },
  },
  {
    name: 'hl7 destination delete',
    call: ({ made }) => ['--id', made.destinationId],
    async effect(out, ground) {
      expect(out).toContain(`Destination ${ground.made.destinationId} is deleted.`);
      const { items } = await ground.admin('GET', `/hl7/destinations?organizationId=${ground.organizationId}`);
      expect(items).toEqual([]);
    },
    refused: { call: () => ['--id', NOBODY, '--queue', 'move'], code: 2, says: '--to is missing' },
  },
  {
    name: 'hl7 listener delete',
    call: ({ made }) => ['--id', made.listenerId],
    async effect(out, ground) {
      expect(out).toBe(`Listener ${ground.made.listenerId} is deleted.\n`);
      expect((await ground.gateway.admin('GET', listener(ground.made.listenerId))).status).toBe(404);
    },
    refused: unknown('hl7.listener_not_found'),
  },
];

export const HL7_COMMAND_ROWS: readonly Row[] = [...listeners, ...destinations, ...comingIn, ...goingOut, ...ends];
