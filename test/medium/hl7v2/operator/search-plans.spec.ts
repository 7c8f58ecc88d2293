import { v7 } from 'uuid';
import { IdSource } from '../../../../src/core/ports/id-source.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { InboundQueries, type InboundFilter } from '../../../../src/doors/hl7v2/inbox/store/inbound-queries.js';
import type { InboundRecord } from '../../../../src/doors/hl7v2/inbox/store/inbound-record.js';
import { COME_SINCE, MessageSequence } from '../../../../src/doors/hl7v2/inbox/store/message-sequence.js';
import { FIND_POINTED } from '../../../../src/doors/hl7v2/inbox/store/pointed-photos.js';
import type { ObjectStore } from '../../../../src/core/images/object-store.js';
import { MessageFileStore } from '../../../../src/standards/hl7v2/files/message-file-store.js';
import { MemoryStore } from '../../../support/memory-store.js';
import { OutboundQueries } from '../../../../src/exits/mllp/outbox/outbound-queries.js';
import type { OutboundFilter } from '../../../../src/exits/mllp/outbox/outbound-queries.js';
import { MessageEncryption } from '../../../../src/standards/hl7v2/encryption/message-encryption.js';
import { Settings } from '../../../../src/platform/config/settings.js';
import { SystemStatements } from '../../../../src/platform/database/statements.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { roundsOf } from '../../../support/rounds.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { OutboundGround } from '../outbound/outbound-ground.js';

/**
 * As many messages as a hospital sends in some days, at night in some weeks. Every search must reach its own by an index,
 * with the planner's own judgement.
 */
const MESSAGES = Math.min(100_000, roundsOf(100_000, 20_000));
/** A page of the list; a search that reads more of the table than some pages is no search by an index. */
const PAGE = 100;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

let database: TestDatabase;
let context: DatabaseContext;
let tenant: Tenant;
let vault: MessageEncryption;
let destinationId: string;
const listenerId = v7();

beforeAll(async () => {
  database = await createTestDatabase();
  context = await DatabaseContext.open(database.url, { HL7_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') });
  tenant = await context.createTenant();
  vault = new MessageEncryption(context.get(Settings));
  destinationId = (await new OutboundGround(context).destination(tenant, 2576)).id;
  const ids = Array.from({ length: MESSAGES }, () => context.get(IdSource).next());
  await fillInbound(ids);
  await fillOutbound(ids);
  await queryDatabase(database.url, 'vacuum analyze hl7_inbound');
  await queryDatabase(database.url, 'vacuum analyze hl7_outbox');
}, 300_000);
afterAll(async () => {
  await context?.close();
  await database?.drop();
});

const sealed = Buffer.concat([Buffer.of(1), Buffer.alloc(400, 7)]);
const numberOf = (kind: 'patient' | 'order' | 'word', value: string) => vault.terms.of(kind, [value])[0]!;
const seldom = () => [numberOf('patient', 'MRN-7'), numberOf('order', 'ORD-7'), numberOf('word', 'unknown')] as const;

/** One in a thousand is of the patient and order that is looked for; one in two hundred was refused. */
async function fillInbound(ids: readonly string[]): Promise<void> {
  await queryDatabase(
    database.url,
    `insert into hl7_inbound (id, organization_id, environment, source_id, transport, received_at, key_id, address, sending_application, sending_facility, control_id, message_type, version,
        message_key, holds_key, sha256, raw, size_bytes, state, lease_until, processed_at, application_ack, ack_code, problems, terms)
      select id, $1, $2, case when n % 50 = 0 then $3::uuid else $4::uuid end, 'mllp', now() - make_interval(secs => $9 - n), 'k', '127.0.0.1', 'EHR', 'HOSP', 'MSG' || n,
        case when n % 100 = 0 then 'ADT^A40' else 'OMG^O19' end, '2.5.1', null, false, $5, $5, 400,
        case when n % 200 = 0 then 'failed' when n % 5000 = 1 then 'sealed' else 'processed' end, now(), now(), 'now', 'AA',
        case when n % 200 = 0 then '[{"code":"order.unknown","text":"No order carries this placer number."}]'::jsonb else '[]'::jsonb end,
        case when n % 1000 = 0 then array[$6::bytea, $7::bytea] else array[decode(md5(n::text), 'hex')] end
      from unnest($8::uuid[]) with ordinality as made (id, n)`,
    [tenant.organizationId, tenant.environment, listenerId, v7(), sealed, ...seldom().slice(0, 2), [...ids], MESSAGES],
  );
}

async function fillOutbound(ids: readonly string[]): Promise<void> {
  await queryDatabase(
    database.url,
    `insert into hl7_outbox (id, destination_id, organization_id, environment, number, control_id, kind, subject_id, version, lane, preliminary, message, size_bytes, state, next_at, created_at, parked_for, terms, answer_terms)
      select id, $3, $1, $2, n, 'SUT-' || n, 'result', gen_random_uuid(), 1, 'P', false, $4, 400, case when n % 500 = 0 then 'parked' else 'delivered' end, now(), now() - make_interval(secs => $9 - n),
        case when n % 500 = 0 then 'refused' end, case when n % 1000 = 0 then array[$5::bytea, $6::bytea] else array[decode(md5(n::text), 'hex')] end,
        case when n % 500 = 0 then array[$7::bytea] else '{}' end
      from unnest($8::uuid[]) with ordinality as made (id, n)`,
    [tenant.organizationId, tenant.environment, destinationId, sealed, ...seldom(), [...ids], MESSAGES],
  );
}

interface Asked {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The statement that a search runs. */
async function statementOf(search: (statements: SystemStatements) => Promise<unknown>): Promise<Asked> {
  const asked: Asked[] = [];
  const noted = {
    run: (sql: string, values: readonly unknown[]) => {
      asked.push({ sql, values });
      return Promise.resolve({ rows: [], affected: 0 });
    },
  };
  await search(noted as unknown as SystemStatements);
  return asked[0]!;
}

/** What the database did for it, found by running it. */
async function scansOf(
  search: (statements: SystemStatements) => Promise<unknown>,
): Promise<{ indexes: string[]; touched: number; sequential: boolean }> {
  return planOf(await statementOf(search));
}

async function planOf({ sql, values }: Asked): Promise<{ indexes: string[]; touched: number; sequential: boolean }> {
  const { rows } = await context
    .get(SystemStatements)
    .run<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(`explain (analyze, format json) ${sql}`, values);
  const nodes = flat(rows[0]!['QUERY PLAN'][0].Plan);
  return {
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
    touched: Math.max(
      ...nodes.map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']),
    ),
    sequential: nodes.some((node) => node['Node Type'] === 'Seq Scan'),
  };
}

function flat(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flat)];
}

/** Nothing, or what a few pages hold, is looked at and passed over. */
const FEW = 20 * PAGE;
const hour = { from: new Date(Date.now() - 600_000), to: new Date() };
/** Lists do not read files. */
const noFiles = new MessageFileStore(new MemoryStore() as unknown as ObjectStore);
const listIn = (filter: InboundFilter) => (statements: SystemStatements) =>
  new InboundQueries(statements, vault, noFiles).list(filter, PAGE);
const listOut = (filter: OutboundFilter) => (statements: SystemStatements) =>
  new OutboundQueries(statements, vault, noFiles).list(filter, PAGE);

describe('among tens of thousands of messages what came in is found by an index', () => {
  it.each<[string, InboundFilter, string]>([
    ['the number of a patient', { patient: 'mrn-7' }, 'hl7_inbound_by_term'],
    ['the number of an order', { order: 'ORD-7' }, 'hl7_inbound_by_term'],
    ['a number that nobody has', { patient: 'MRN-8' }, 'hl7_inbound_by_term'],
    ['words of an error', { error: 'order unknown placer' }, 'hl7_inbound_by_problem'],
    ['words that no error has', { error: 'lorem ipsum' }, 'hl7_inbound_by_problem'],
    ['a control id', { controlId: 'MSG77' }, 'hl7_inbound_by_control_id'],
    ['a type', { messageType: 'ADT^A40' }, 'hl7_inbound_by_type'],
    ['a type that never came', { messageType: 'ADT^A99' }, 'hl7_inbound_by_type'],
    ['a listener', { sourceId: listenerId }, 'hl7_inbound_by_source'],
    ['a listener that nothing came to', { sourceId: v7() }, 'hl7_inbound_by_source'],
    ['the state failed', { state: 'failed' }, 'hl7_inbound_by_state'],
    ['the state sealed', { state: 'sealed' }, 'hl7_inbound_by_state'],
    ['the state discarded, which none has', { state: 'discarded' }, 'hl7_inbound_by_state'],
    ['a range of time', hour, 'hl7_inbound_by_time'],
    ['a range of time long ago', { from: new Date(0), to: new Date(1) }, 'hl7_inbound_by_time'],
  ])('by %s', async (_, filter, index) => {
    const { indexes, touched, sequential } = await scansOf(listIn(filter));
    expect([sequential, indexes]).toEqual([
      false,
      expect.arrayContaining([expect.stringMatching(`^(?:${index}|hl7_inbound_failed)$`)]),
    ]);
    expect(touched).toBeLessThan(FEW);
  });
});

describe('among tens of thousands of messages what goes out is found by an index', () => {
  it.each<[string, () => OutboundFilter, string]>([
    ['the number of a patient', () => ({ patient: 'MRN-7' }), 'hl7_outbox_by_term'],
    ['the number of an order', () => ({ order: 'ord-7' }), 'hl7_outbox_by_term'],
    ['words of an answer', () => ({ error: 'unknown' }), 'hl7_outbox_by_answer'],
    ['words that nobody answered', () => ({ error: 'lorem ipsum' }), 'hl7_outbox_by_answer'],
    ['a control id', () => ({ controlId: 'SUT-77' }), 'hl7_outbox_by_its_control_id'],
    ['the state parked', () => ({ state: 'parked' }), 'hl7_outbox_by_state'],
    ['the state waiting, which none has', () => ({ state: 'waiting' }), 'hl7_outbox_by_state'],
    ['a destination that nothing goes to', () => ({ destinationId: v7() }), 'hl7_outbox_.*'],
    ['a range of time', () => hour, 'hl7_outbox_by_time'],
    ['a range of time long ago', () => ({ from: new Date(0), to: new Date(1) }), 'hl7_outbox_by_time'],
  ])('by %s', async (_, filter, index) => {
    const { indexes, touched, sequential } = await scansOf(listOut(filter()));
    expect([sequential, indexes]).toEqual([false, expect.arrayContaining([expect.stringMatching(`^${index}$`)])]);
    expect(touched).toBeLessThan(FEW);
  });
});

it('later messages of the same photo, patient or order, and what older ones said, are found by an index', async () => {
  const asked: Asked[] = [];
  const noted = {
    run: (sql: string, values: readonly unknown[]) => {
      asked.push({ sql, values });
      return context.get(SystemStatements).run(sql, values);
    },
  };
  const [first] = await queryDatabase<{ id: string }>(database.url, 'select id from hl7_inbound order by id limit 1');
  const record = { ...tenant, id: first!.id } as InboundRecord;
  const bytes = Buffer.from('MSH|^~\\&|EHR|HOSP\rPID|1||MRN-7\rORC|CA|ORD-7\r');
  const { statements } = await new MessageSequence(noted as unknown as SystemStatements, vault).of(record, bytes);
  await statements.saidBefore(['Patient/p1/1']);
  const place = [record.id, tenant.organizationId, tenant.environment];
  for (const one of [...asked, { sql: COME_SINCE, values: [...place, new Date()] }]) {
    const { indexes, touched, sequential } = await planOf(one);
    expect([sequential, indexes]).toEqual([
      false,
      expect.arrayContaining([expect.stringMatching(/^hl7_inbound_(by_term|said)$/)]),
    ]);
    expect(touched).toBeLessThan(FEW);
  }
});

it('photos of messages are looked up by the keys of their tables', async () => {
  const { rows } = await context
    .get(SystemStatements)
    .run('explain ' + FIND_POINTED.replace('$1::uuid[]', `array['${v7()}']::uuid[]`));
  expect(JSON.stringify(rows)).toMatch(/images_pkey.*remote_images_pkey|remote_images_pkey.*images_pkey/s);
});
