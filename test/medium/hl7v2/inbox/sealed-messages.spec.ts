import { PassThrough } from 'node:stream';
import { OperatorTrail, type OperatorAct } from '../../../../src/core/audit/operator-trail.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { ListenerSupervisor } from '../../../../src/doors/hl7v2/inbox/receiving/listener-supervisor.js';
import { InboundQueries } from '../../../../src/doors/hl7v2/inbox/store/inbound-queries.js';
import { InboundControl } from '../../../../src/doors/hl7v2/inbox/store/inbound-control.js';
import { MessageOperations } from '../../../../src/doors/admin/hl7v2/operations/message-operations.js';
import { DestinationRegister } from '../../../../src/exits/mllp/destinations/destination-register.js';
import { OutboundControl } from '../../../../src/exits/mllp/outbox/outbound-control.js';
import { OutboundQueries } from '../../../../src/exits/mllp/outbox/outbound-queries.js';
import { ReceivedOrders } from '../../../../src/standards/hl7v2/records/received-orders.js';
import { Logger } from '../../../../src/platform/logging/logger.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { eventually } from '../../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { InboxProcess, messageOf, Sender } from './inbox-ground.js';
import { TestSql } from './test-sql.js';

const [LOST, NEW] = [1, 2].map((fill) => Buffer.alloc(32, fill).toString('base64')) as [string, string];
const ENHANCED = { accept: 'AL', application: 'NE' } as const;

let database: TestDatabase;
let sql: TestSql;
let tenant: Tenant;
let listenerId: string;
let door: InboxProcess | undefined;
let log: PassThrough;
const senders: Sender[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  sql = await TestSql.open(database.url);
});
beforeEach(async () => {
  const context = await DatabaseContext.open(database.url);
  tenant = await context.createTenant();
  await context.close();
  await startWith(LOST);
  listenerId = (await door!.listener(tenant)).id;
});
afterEach(async () => {
  for (const sender of senders.splice(0)) sender.close();
  await door?.close();
});
afterAll(async () => {
  await sql?.close();
  await database?.drop();
});

/** The gateway with these keys, in place of the one before. */
async function startWith(keys: string): Promise<void> {
  await door?.close();
  log = new PassThrough();
  door = await InboxProcess.start(database.url, { HL7_ENCRYPTION_KEY: keys }, Logger.create('debug', log));
}

async function sender(): Promise<Sender> {
  await door!.get(ListenerSupervisor).look();
  const made = await Sender.open(door!.get(ListenerSupervisor).portOf(listenerId)!);
  senders.push(made);
  return made;
}

/** Taken with a key that is lost by the next start, which finds it unfinished. */
async function leftBehind(message: string): Promise<void> {
  expect((await (await sender()).ask(message)).code).toBe('AA');
  await sql.rows(
    `update hl7_inbound set state = 'received', attempts = 0, ack = null, ack_code = null, processed_at = null, lease_until = now() + interval '1 hour' where source_id = $1`,
    [listenerId],
  );
}
const release = () =>
  sql.rows(`update hl7_inbound set lease_until = now() where source_id = $1 and state = 'received'`, [listenerId]);
const messages = async () => (await door!.get(InboundQueries).list({ sourceId: listenerId }, 10)).reverse();
const states = async () => (await messages()).map(({ state }) => state);
const until = (...wanted: string[]) =>
  eventually(`messages to be ${wanted.join()}`, async () => (await states()).join() === wanted.join());
const logged = () =>
  ((log.read() as Buffer | null)?.toString() ?? '')
    .split('\n')
    .filter((line) => line.includes('_sealed'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const acts: OperatorAct[] = [];
function desk() {
  const trail = {
    record: (_: unknown, act: OperatorAct) => Promise.resolve(void acts.push(act)),
  } as unknown as OperatorTrail;
  const get = door!.get.bind(door!);
  return new MessageOperations(
    get(InboundQueries),
    get(InboundControl),
    get(OutboundQueries),
    get(OutboundControl),
    get(DestinationRegister),
    trail,
  );
}
const OPERATOR = { door: 'cli', name: 'operator:test' } as const;

describe('a message that none of the keys opens [H14]', () => {
  it('steps aside, is told of once by its id, and what its sender sent behind it goes on', async () => {
    await leftBehind(messageOf());
    await startWith(NEW);
    const peer = await sender();
    expect((await peer.ask(messageOf(ENHANCED))).code).toBe('CA');
    await release();
    await until('sealed', 'processed');
    expect((await peer.ask(messageOf(ENHANCED))).code).toBe('CA');
    await until('sealed', 'processed', 'processed');
    const [sealed] = await messages();
    expect(sealed).toMatchObject({ attempts: 0, problems: [{ code: 'hl7.sealed', severity: 'error' }] });
    expect(logged()).toEqual([
      expect.objectContaining({
        event: 'hl7.message_sealed',
        messageId: sealed!.id,
        listenerId,
        controlId: sealed!.controlId,
        level: 50,
      }),
    ]);
    expect(
      (await desk().listInbound({ listenerId, state: 'sealed', limit: 10 })).map(({ messageId, reason }) => [
        messageId,
        reason?.text,
      ]),
    ).toEqual([[sealed!.id, 'no key that is set opens it']]);
  });

  it('is taken up by a person once its key is back, and not before', async () => {
    await leftBehind(messageOf());
    await startWith(NEW);
    await release();
    await until('sealed');
    const { id } = (await messages())[0]!;
    for (const act of [
      () => desk().requeue(OPERATOR, id),
      () => desk().replay(OPERATOR, id),
      () => desk().retry(OPERATOR, id),
      () => desk().show(OPERATOR, id),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'hl7.sealed' });
    await expect(desk().park(OPERATOR, id)).rejects.toMatchObject({ code: 'hl7.not_waiting' });
    await startWith(`${NEW},${LOST}`);
    expect(await states()).toEqual(['sealed']);
    await desk().requeue(OPERATOR, id);
    await until('processed');
    expect((await messages())[0]).toMatchObject({ problems: [], replays: 1, ackCode: 'AA' });
    await expect(desk().requeue(OPERATOR, id)).rejects.toMatchObject({ code: 'hl7.not_parked' });
    expect(acts.at(-1)).toMatchObject({ interaction: '$requeue', resources: [`MessageHeader/${id}`] });
  });

  it('is given up by a person without being opened, for good, and its sender may send it anew', async () => {
    const message = messageOf();
    await leftBehind(message);
    await startWith(NEW);
    await release();
    await until('sealed');
    const { id } = (await messages())[0]!;
    await desk().discard(OPERATOR, id);
    expect(await states()).toEqual(['discarded']);
    await expect(desk().discard(OPERATOR, id)).rejects.toMatchObject({ code: 'hl7.not_parked' });
    await startWith(`${NEW},${LOST}`);
    await expect(desk().replay(OPERATOR, id)).rejects.toMatchObject({ code: 'hl7.not_parked' });
    expect((await (await sender()).ask(message)).code).toBe('AA');
    await until('discarded', 'processed');
  });

  it.each([
    ['original mode', {}, 'AA'],
    ['enhanced mode', ENHANCED, 'CA'],
  ] as const)('gives way to the same message when its sender sends it again in %s', async (_, mode, code) => {
    const message = messageOf(mode);
    expect((await (await sender()).ask(message)).code).toBe(code);
    await until('processed');
    await sql.rows(
      `update hl7_inbound set state = 'received', attempts = 0, lease_until = now() + interval '1 hour' where source_id = $1`,
      [listenerId],
    );
    await startWith(NEW);
    await release();
    await until('sealed');
    expect((await (await sender()).ask(message)).code).toBe(code);
    await until('discarded', 'processed');
    expect(door!.records.applied).toHaveLength(1);
  });

  it('and was done is answered as before when it is repeated, though its answer cannot be opened', async () => {
    const message = messageOf();
    const before = await (await sender()).ask(message);
    await startWith(NEW);
    expect(await (await sender()).ask(message)).toMatchObject({ code: before.code, of: before.of });
    expect(door!.records.applied).toHaveLength(0);
  });
});

it('what an order said, and no key opens, holds up no result: it is found without its words, and told of', async () => {
  await (
    await sender()
  ).ask(messageOf({ segments: ['PID|1||MRN-1^^^HOSP^MR', 'OBR|1|ORD-7||39135-9^Wound assessment panel^LN'] }));
  const { id, analysisIds } = (await messages())[0]!;
  const orderKey = (
    await sql.rows<{ order_key: string }>('select order_key from hl7_orders where inbound_id = $1', [id])
  )[0]!.order_key;
  const find = () =>
    door!
      .get(UnitOfWork)
      .inTenant(tenant, (transaction) =>
        door!.get(ReceivedOrders).find(transaction, { orderKey, analysisIds: [analysisIds[0]!] }),
      );
  expect(await find()).toMatchObject({ received: { orc2: 'ORD-7' } });
  await startWith(NEW);
  expect(await find()).toEqual({ sourceId: listenerId, facility: 'HOSP', received: null });
  expect(logged()).toEqual([expect.objectContaining({ event: 'hl7.order_sealed', messageId: id, level: 50 })]);
});
