import { SuturaError } from '../../../../src/core/errors/sutura-error.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { eventually } from '../../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { InboxProcess, messageOf, Sender } from './inbox-ground.js';
import { TestSql } from './test-sql.js';

let database: TestDatabase;
let sql: TestSql;
let door: InboxProcess;
let tenant: Tenant;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = await TestSql.open(database.url);
  const context = await DatabaseContext.open(database.url);
  tenant = await context.createTenant();
  await context.close();
  door = await InboxProcess.start(database.url);
});

afterEach(() => {
  door.records.applied.length = 0;
  door.records.faultOf = () => undefined;
  door.records.gate = Promise.resolve();
});

afterAll(async () => {
  await door?.close();
  await sql?.close();
  await database?.drop();
});

/** A feed in enhanced mode: every message is kept before any of them is carried out. */
async function fed(numbers: readonly string[]): Promise<{ readonly id: string; open(): void }> {
  const { id, servedOn } = await door.listener(tenant);
  let open = (): void => undefined;
  door.records.gate = new Promise((opened) => (open = opened));
  const sender = await Sender.open(servedOn);
  for (const [at, number] of ['first', ...numbers].entries()) {
    const wish = { type: 'ADT^A08', accept: 'AL', application: 'NE', controlId: `${id}-${at}` };
    const ack = await sender.ask(messageOf({ ...wish, segments: [`PID|1||${number}`] }));
    expect(ack.code).toBe('CA');
  }
  sender.close();
  return { id, open };
}

/** State and attempts of each message behind the first. */
const states = (id: string) =>
  sql.rows<{ state: string; attempts: number }>(
    'select state, attempts from hl7_inbound where source_id = $1 order by sequence offset 1',
    [id],
  );

const allEnded = (id: string) =>
  eventually('every message has ended', async () => {
    const found = await states(id);
    return found.every(({ state }) => state !== 'received') && found;
  });

it('holds up the later messages of a patient, and of nobody else, behind one that is put off', async () => {
  door.records.faultOf = ({ entry }) =>
    entry?.[0]?.resource?.id === 'A' ? new SuturaError('service.unavailable') : undefined;
  const { id, open } = await fed(['A', 'B', 'A', 'C', 'A']);
  open();
  const found = await eventually('others are done', async () => {
    const rows = await states(id);
    const done = rows.filter(({ state }) => state === 'processed').length;
    const isGivenBack = rows[2]!.attempts === 0 && rows[4]!.attempts === 0;
    return done === 2 && isGivenBack && rows;
  });
  expect(found).toEqual([
    { state: 'received', attempts: 0 },
    { state: 'processed', attempts: 1 },
    { state: 'received', attempts: 0 },
    { state: 'processed', attempts: 1 },
    { state: 'received', attempts: 0 },
  ]);
  door.records.faultOf = () => undefined;
  await sql.rows('update hl7_inbound set lease_until = now() where source_id = $1', [id]);
  expect((await allEnded(id)).map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'processed'));
  await expectOrder(id, 'A', [1, 3, 5]);
});

it('carries out the messages of each patient in the order of receipt, those of several at once', async () => {
  const numbers = Array.from({ length: 60 }, (_, at) => `P${at % 6}`);
  const { id, open } = await fed(numbers);
  door.records.mostRunning = 0;
  open();
  expect((await allEnded(id)).map(({ state }) => state)).toEqual(numbers.map(() => 'processed'));
  for (let patient = 0; patient < 6; patient += 1)
    await expectOrder(
      id,
      `P${patient}`,
      numbers.flatMap((number, at) => (number === `P${patient}` ? [at + 1] : [])),
    );
  expect(door.records.mostRunning).toBeGreaterThan(1);
});

/** Places of the messages of a patient in the feed, in the order in which they were carried out. */
async function expectOrder(id: string, number: string, places: readonly number[]): Promise<void> {
  const rows = await sql.rows<{ id: string; control_id: string }>(
    'select id, control_id from hl7_inbound where source_id = $1',
    [id],
  );
  const placeOf = new Map(rows.map((row) => [row.id, Number(row.control_id.split('-').at(-1))]));
  const applied = door.records.applied.filter(({ bundle }) => bundle.entry?.[0]?.resource?.id === number);
  expect(applied.map(({ options }) => placeOf.get(options.requestId))).toEqual(places);
}
