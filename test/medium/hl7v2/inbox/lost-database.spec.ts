import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { eventually } from '../../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { InboxProcess, messageOf, Sender } from './inbox-ground.js';
import { TestSql } from './test-sql.js';

/** Of each process here. */
const LEASE_S = 2;

let database: TestDatabase;
let sql: TestSql;
let door: InboxProcess;
let tenant: Tenant;
let id: string;
let peer: Sender;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = await TestSql.open(database.url);
  const context = await DatabaseContext.open(database.url);
  tenant = await context.createTenant();
  await context.close();
  door = await InboxProcess.start(database.url);
});

beforeEach(async () => {
  const listener = await door.listener(tenant);
  id = listener.id;
  peer = await Sender.open(listener.servedOn);
  door.records.applied.length = 0;
});

afterEach(() => peer.close());

afterAll(async () => {
  await door?.close();
  await sql?.close();
  await database?.drop();
});

/** As a disk that is full: PostgreSQL refuses the write with 53100. */
async function fillDisk(on: 'insert' | 'update'): Promise<void> {
  await sql.rows(
    `create function no_room() returns trigger language plpgsql as $$ begin raise exception 'no space left' using errcode = '53100'; end $$`,
  );
  await sql.rows(`create trigger full_disk before ${on} on hl7_inbound for each row execute function no_room()`);
}

async function makeRoom(): Promise<void> {
  await sql.rows('drop trigger full_disk on hl7_inbound');
  await sql.rows('drop function no_room()');
}

const states = async () =>
  (await sql.rows<{ state: string }>('select state from hl7_inbound where source_id = $1', [id])).map(
    ({ state }) => state,
  );

test('[F13] a disk that is full when the message comes: AR 207, nothing kept, and the resend is processed', async () => {
  const message = messageOf();
  await fillDisk('insert');
  const refused = await peer.ask(message);
  expect([refused.code, refused.conditions]).toEqual(['AR', ['207']]);
  expect(await states()).toEqual([]);
  await makeRoom();
  expect((await peer.ask(message)).code).toBe('AA');
  expect([await states(), door.records.applied.length]).toEqual([['processed'], 1]);
});

test('[F13] in enhanced mode it is CE 207, never CA', async () => {
  await fillDisk('insert');
  const refused = await peer.ask(messageOf({ accept: 'AL' }));
  expect([refused.code, refused.conditions]).toEqual(['CE', ['207']]);
  await makeRoom();
});

test('[F13] a disk that is full when the outcome is written: AR 207, no half state, and the message is done later, once', async () => {
  const message = messageOf();
  await fillDisk('update');
  const refused = await peer.ask(message);
  expect([refused.code, refused.conditions]).toEqual(['AR', ['207']]);
  expect([await states(), door.records.applied.length]).toEqual([['received'], 0]);
  expect(await sql.rows('select from hl7_orders where source_id = $1', [id])).toHaveLength(0);
  await makeRoom();
  expect((await peer.ask(message)).code).toBe('AA');
  expect([await states(), door.records.applied.length]).toEqual([['processed'], 1]);
});

test('a database that is away: AR 207, the connection stays, and the resend is processed', async () => {
  const message = messageOf();
  const name = new URL(database.url).pathname.slice(1);
  const server = await TestSql.open(new URL('/postgres', database.url).href);
  await server.rows(`alter database ${name} with allow_connections false`);
  await server.rows('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  const refused = await peer.ask(message);
  expect([refused.code, refused.conditions]).toEqual(['AR', ['207']]);
  await server.rows(`alter database ${name} with allow_connections true`);
  await server.close();
  sql = await TestSql.open(database.url);
  await eventually('it is taken', async () => (await peer.ask(message)).code === 'AA');
  expect([await states(), door.records.applied.length]).toEqual([['processed'], 1]);
});

/** A second process, and a message that neither can get done before `open`. */
async function beginLongWork() {
  const second = await InboxProcess.start(database.url);
  const held: { open: () => void } = { open: () => undefined };
  const gate = new Promise<void>((go) => (held.open = go));
  door.records.gate = gate;
  second.records.gate = gate;
  expect((await peer.ask(messageOf({ accept: 'AL' }))).code).toBe('CA');
  return { second, open: () => held.open(), running: () => door.records.running + second.records.running };
}

test('a message whose processing outlives its lease stays with the process that works on it', async () => {
  const { second, open, running } = await beginLongWork();
  const [{ ends } = { ends: new Date() }] = await sql.rows<{ ends: Date }>(
    "select received_at + $2 * interval '1 second' as ends from hl7_inbound where source_id = $1",
    [id, LEASE_S],
  );
  // By now it would have ended twice.
  await eventually(
    'the lease has been renewed',
    async () =>
      (
        await sql.rows('select from hl7_inbound where source_id = $1 and lease_until > $2 and attempts = 1', [
          id,
          new Date(ends.getTime() + LEASE_S * 1000),
        ])
      ).length === 1,
  );
  expect(running()).toBe(1);
  open();
  await eventually('it is done', async () => (await states())[0] === 'processed');
  expect(await sql.rows('select attempts from hl7_inbound where source_id = $1', [id])).toEqual([{ attempts: 1 }]);
  await second.close();
});

test('a message whose lease passes on while it is worked on is done by one process alone', async () => {
  const { second, open, running } = await beginLongWork();
  // As a process whose renewals do not get through: the other takes it, too, and only one commit counts.
  await eventually('both work on it', async () => {
    if (running() === 1)
      await sql.rows(`update hl7_inbound set lease_until = sutura_now() where source_id = $1 and attempts = 1`, [id]);
    return running() >= 2;
  });
  open();
  await eventually('it is done', async () => (await states())[0] === 'processed');
  await eventually('both have ended', () => door.records.running + second.records.running === 0);
  expect(door.records.applied.length + second.records.applied.length).toBe(1);
  expect(await sql.rows('select from hl7_orders where source_id = $1', [id])).toHaveLength(1);
  await second.close();
});
