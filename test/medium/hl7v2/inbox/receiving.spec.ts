import { once } from 'node:events';
import { connect } from 'node:net';
import { v7 } from 'uuid';
import { SuturaError } from '../../../../src/core/errors/sutura-error.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { eventually } from '../../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { InboxProcess, messageOf, readAck, Sender } from './inbox-ground.js';
import { InboundQueries } from '../../../../src/doors/hl7v2/inbox/store/inbound-queries.js';
import { TestSql } from './test-sql.js';

let database: TestDatabase;
let sql: TestSql;
let door: InboxProcess;
let tenant: Tenant;
const senders: Sender[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  sql = await TestSql.open(database.url);
  const context = await DatabaseContext.open(database.url);
  tenant = await context.createTenant();
  await context.close();
  door = await InboxProcess.start(database.url);
});

afterEach(() => {
  for (const sender of senders.splice(0)) sender.close();
  door.records.applied.length = 0;
  door.records.faults.length = 0;
  door.records.gate = Promise.resolve();
  door.records.waitsForQuotaUntil = null;
});

afterAll(async () => {
  await door?.close();
  await sql?.close();
  await database?.drop();
});

async function sender(port: number): Promise<Sender> {
  const made = await Sender.open(port);
  senders.push(made);
  return made;
}

const kept = (sourceId: string) =>
  sql.rows<{
    control_id: string;
    state: string;
    accept_code: string | null;
    ack_code: string | null;
    application_ack: string;
  }>(
    'select control_id, state, accept_code, ack_code, application_ack from hl7_inbound where source_id = $1 order by sequence',
    [sourceId],
  );

describe('what is refused', () => {
  it.each([
    ['an unknown type', { type: 'ZZZ^Z01' }, 'AR', '200'],
    ['an unknown event', { type: 'ORU^R30' }, 'AR', '201'],
    ['a live message on a test connection', { processingId: 'P' }, 'AR', '202'],
    ['an unknown version', { version: '3.0' }, 'AR', '203'],
    ['a missing control id', { controlId: '' }, 'AE', '101'],
    ['a missing PID', { segments: ['OBR|1|A'] }, 'AE', '100'],
  ])('%s is answered in original mode and kept', async (_, wish, code, condition) => {
    const { id, servedOn } = await door.listener(tenant);
    const ack = await (await sender(servedOn)).ask(messageOf(wish));
    expect([ack.code, ack.conditions]).toEqual([code, [condition]]);
    expect(await kept(id)).toEqual([expect.objectContaining({ state: 'failed', ack_code: code, accept_code: null })]);
    expect(door.records.applied).toHaveLength(0);
  });

  it.each([
    ['an unknown type', { type: 'ZZZ^Z01' }, 'CR', '200'],
    ['a live message on a test connection', { processingId: 'P' }, 'CR', '202'],
    ['a missing PID', { segments: ['OBR|1|A'] }, 'CE', '100'],
    ['a missing control id', { controlId: '' }, 'CE', '101'],
  ])('%s is answered in enhanced mode and kept', async (_, wish, code, condition) => {
    const { id, servedOn } = await door.listener(tenant);
    const ack = await (await sender(servedOn)).ask(messageOf({ ...wish, accept: 'AL', application: 'AL' }));
    expect([ack.code, ack.conditions]).toEqual([code, [condition]]);
    expect(await kept(id)).toEqual([
      expect.objectContaining({ state: 'failed', ack_code: null, accept_code: code, application_ack: 'never' }),
    ]);
  });

  it('a frame without MSH is not answered, and the connection goes on', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    peer.write('hello');
    expect((await peer.ask(messageOf())).code).toBe('AA');
    expect(await kept(id)).toHaveLength(2);
  });

  it('a sender of TLS or HTTP leaves one row of each that says so', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const hello = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]);
    for (const bytes of [hello, hello, Buffer.from('GET / HTTP/1.1\r\n\r\n')]) {
      const socket = connect(servedOn, '127.0.0.1');
      const closed = once(socket, 'close');
      socket
        .resume()
        .on('error', () => undefined)
        .write(bytes);
      await closed;
    }
    const rows = await eventually('a row of each', async () => {
      const found = await sql.rows(
        'select address, state, problems from hl7_inbound where source_id = $1 order by id',
        [id],
      );
      return found.length === 2 && found;
    });
    expect(rows).toEqual([
      {
        address: '127.0.0.1',
        state: 'failed',
        problems: [
          expect.objectContaining({ code: 'message.protocol', text: expect.stringContaining('looks like TLS') }),
        ],
      },
      {
        address: '127.0.0.1',
        state: 'failed',
        problems: [
          expect.objectContaining({ code: 'message.protocol', text: expect.stringContaining('looks like HTTP') }),
        ],
      },
    ]);
  });

  it('a frame without MSH is rejected where the listener says so', async () => {
    const { servedOn } = await door.listener(tenant, { nakUnparsable: true });
    const ack = await (await sender(servedOn)).ask('hello');
    expect([ack.code, ack.of, ack.conditions]).toEqual(['AR', '', ['100']]);
  });

  it('a refusal of the record is AE with its condition, and nothing of it is done', async () => {
    const { id, servedOn } = await door.listener(tenant);
    door.records.faults.push(new SuturaError('fhir.image'));
    const ack = await (await sender(servedOn)).ask(messageOf());
    expect([ack.code, ack.conditions]).toEqual(['AE', ['102']]);
    expect(await kept(id)).toEqual([expect.objectContaining({ state: 'failed', ack_code: 'AE' })]);
    expect(await sql.rows('select from hl7_orders where source_id = $1', [id])).toHaveLength(0);
  });

  it('a conflict with another message that was quicker is AR 206 at the third try, and at the first it is nothing', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const conflict = () => new SuturaError('fhir.version_conflict');
    door.records.faults.push(conflict(), conflict(), conflict());
    const peer = await sender(servedOn);
    const refused = await peer.ask(messageOf());
    expect([refused.code, refused.conditions]).toEqual(['AR', ['206']]);
    door.records.faults.push(new SuturaError('fhir.duplicate'));
    expect((await peer.ask(messageOf())).code).toBe('AA');
    expect((await kept(id)).map(({ state }) => state)).toEqual(['failed', 'processed']);
  });

  it('a fault of ours is AR 207, and the resend is processed', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    const message = messageOf();
    door.records.faults.push(new Error('a bug'));
    const refused = await peer.ask(message);
    expect([refused.code, refused.conditions]).toEqual(['AR', ['207']]);
    expect(await kept(id)).toEqual([expect.objectContaining({ state: 'failed', ack_code: 'AR' })]);
    expect((await peer.ask(message)).code).toBe('AA');
    expect(await kept(id)).toEqual([expect.objectContaining({ state: 'processed', ack_code: 'AA' })]);
  });
});

describe('what is taken', () => {
  it('is kept with its outcome, its analyses and what results repeat of the order', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const ack = await (await sender(servedOn)).ask(messageOf({ controlId: 'OK1' }));
    expect([ack.code, ack.of, ack.conditions]).toEqual(['AA', 'OK1', []]);
    const [row] = await sql.rows<{ state: string; analysis_ids: string[]; id: string }>(
      'select id, state, analysis_ids from hl7_inbound where source_id = $1',
      [id],
    );
    expect(row).toMatchObject({ state: 'processed', analysis_ids: [expect.any(String)] });
    expect(await sql.rows('select inbound_id, analysis_ids from hl7_orders where source_id = $1', [id])).toEqual([
      { inbound_id: row!.id, analysis_ids: row!.analysis_ids },
    ]);
    expect(door.records.applied[0]?.caller).toMatchObject({
      ...tenant,
      keyId: id,
      origin: { requestId: row!.id, address: '127.0.0.1' },
    });
  });

  it('an event of no interest is acknowledged, kept and without effect', async () => {
    const { id, servedOn } = await door.listener(tenant);
    expect((await (await sender(servedOn)).ask(messageOf({ type: 'ADT^A02^ADT_A02' }))).code).toBe('AA');
    expect(await kept(id)).toEqual([expect.objectContaining({ state: 'ignored', ack_code: 'AA' })]);
    expect(door.records.applied).toHaveLength(0);
  });

  it('what waits for the quota is AA with a warning 207', async () => {
    const { servedOn } = await door.listener(tenant);
    door.records.waitsForQuotaUntil = new Date('2026-03-16T00:00:00Z');
    const ack = await (await sender(servedOn)).ask(messageOf());
    expect([ack.code, ack.conditions]).toEqual(['AA', ['207']]);
    expect(ack.text).toContain('2026-03-16T00:00:00.000Z');
  });

  it.each([
    ['', '', 'AA', 'processed'],
    ['AL', 'NE', 'CA', 'processed'],
    ['AL', '', 'CA', 'processed'],
    ['SU', 'NE', 'CA', 'processed'],
    ['ER', 'NE', null, 'processed'],
    ['NE', 'NE', null, 'processed'],
    ['NE', 'AL', null, 'processed'],
  ])('MSH-15 %j and MSH-16 %j: on receipt %j', async (accept, application, code, state) => {
    const { id, servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    peer.write(messageOf({ accept, application }));
    // The answers come in order, so that what is answered first tells whether the one before was.
    peer.write(messageOf({ controlId: 'AFTER', type: 'ADT^A02' }));
    const first = readAck((await peer.next())!);
    // The outcome that MSH-16 asks for may come before the second message is answered; it is no answer on receipt.
    const isOutcome = application === 'AL' && first.code === 'AA';
    expect(first.of === 'AFTER' || isOutcome ? null : first.code).toBe(code);
    await eventually('it is processed', async () => (await kept(id))[0]?.state === state);
    expect((await kept(id))[0]).toMatchObject({ accept_code: code === 'CA' ? 'CA' : null, ack_code: 'AA' });
  });

  it('in enhanced mode the outcome follows on the same connection where the listener says so', async () => {
    const { servedOn } = await door.listener(tenant, { deferredOnSameConnection: true });
    const peer = await sender(servedOn);
    const accepted = await peer.ask(messageOf({ controlId: 'D1', accept: 'AL', application: 'AL' }));
    const outcome = readAck((await peer.next())!);
    expect([accepted.code, accepted.of, outcome.code, outcome.of]).toEqual(['CA', 'D1', 'AA', 'D1']);
    expect(outcome.controlId).not.toBe(accepted.controlId);
  });

  it('messages of one source that were accepted are done one after another, in their order', async () => {
    const { servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    for (const placer of ['1', '2', '3', '4', '5'])
      expect((await peer.ask(messageOf({ placer, accept: 'AL' }))).code).toBe('CA');
    await eventually('all are done', () => door.records.applied.length === 5);
    const seen = await sql.rows<{ placer: string }>(
      `select control_id as placer from hl7_inbound where application_ack = 'never' and state = 'processed' order by processed_at desc limit 5`,
    );
    expect(seen.map(({ placer }) => placer)).toEqual(
      [...seen].map(({ placer }) => placer).sort((one, other) => Number(other.slice(3)) - Number(one.slice(3))),
    );
  });
});

describe('what is no message', () => {
  const MSH = 'MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003||ORU^R01|U1|T|2.5.1\r';

  it.each([
    ['UTF-16', Buffer.from(MSH, 'utf16le')],
    ['with a delimiter twice', Buffer.from(MSH.replace('^~\\&', '^~\\\\&'))],
    ['a web page', Buffer.from('<html>'.repeat(2000))],
  ])('%s is not answered, and leaves a row with its first bytes and the peer', async (_, bytes) => {
    const { id, servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    peer.write(bytes);
    // What is behind it is answered.
    expect((await peer.ask(messageOf({ controlId: 'BEHIND' }))).of).toBe('BEHIND');
    const [row] = await sql.rows<{ id: string; address: string }>(
      `select id, state, address, size_bytes, problems from hl7_inbound where source_id = $1 and state = 'failed'`,
      [id],
    );
    expect(row).toMatchObject({
      address: expect.stringContaining('127.0.0.1'),
      size_bytes: bytes.length,
      problems: [{ code: 'segment.missing' }],
    });
    expect((await door.get(InboundQueries).show(row!.id)).bytes).toEqual(bytes.subarray(0, 4096));
  });

  it('but blanks before MSH are passed over', async () => {
    const { servedOn } = await door.listener(tenant);
    expect((await (await sender(servedOn)).ask(` \t\r\n ${messageOf({ controlId: 'BLANKS' })}`)).of).toBe('BLANKS');
    expect(door.records.applied).toHaveLength(1);
  });

  it('and a batch is answered by a batch, message for message', async () => {
    const { servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    peer.write(
      `FHS|^~\\&|EHR\rBHS|^~\\&|EHR\r${messageOf({ controlId: 'B1' })}${messageOf({ controlId: 'B2', type: 'ZZZ^Z01' })}BTS|2\rFTS|1\r`,
    );
    const answer = (await peer.next())!;
    expect(
      answer
        .split('\r')
        .filter((segment) => /^(?:BHS|MSA|BTS)/.test(segment))
        .map((segment) => segment.split('|').slice(0, 3).join('|')),
    ).toEqual(['BHS|^~\\&|SUTURA', 'MSA|AA|B1', 'MSA|AR|B2', 'BTS|2']);
    expect(door.records.applied).toHaveLength(1);
  });
});

describe('an outcome that is asked for and has no way', () => {
  it('is said with the acceptance, and in the record of the message', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const accepted = await (await sender(servedOn)).ask(messageOf({ accept: 'AL', application: 'AL' }));
    expect([accepted.code, accepted.conditions]).toEqual(['CA', ['207']]);
    expect(accepted.text).toContain('message.no_return');
    await eventually('it is processed', async () => (await kept(id))[0]?.state === 'processed');
    expect(await sql.rows('select problems from hl7_inbound where source_id = $1', [id])).toMatchObject([
      { problems: [{ code: 'message.no_return', severity: 'warning' }] },
    ]);
  });

  it('goes back on the connection where no acceptance was asked for', async () => {
    const { servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    peer.write(messageOf({ controlId: 'ONLY', accept: 'NE', application: 'AL' }));
    const outcome = readAck((await peer.next())!);
    expect([outcome.code, outcome.of]).toEqual(['AA', 'ONLY']);
  });
});

it('two messages in one frame are refused, and neither is done', async () => {
  const { id, servedOn } = await door.listener(tenant);
  const ack = await (await sender(servedOn)).ask(messageOf({ controlId: 'ONE' }) + messageOf({ controlId: 'TWO' }));
  expect([ack.code, ack.of, ack.conditions]).toEqual(['AR', 'ONE', ['100']]);
  expect(door.records.applied).toHaveLength(0);
  expect(await kept(id)).toHaveLength(1);
});

describe('[F14] a message that comes again', () => {
  it('three times is one processing, each answer with a fresh time and control id', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    const message = (sentAt: string) => messageOf({ controlId: 'DUP', sentAt });
    const acks = [
      await peer.ask(message('20260315094003')),
      await peer.ask(message('20260315094104')),
      await peer.ask(message('20260315094205')),
    ];
    expect(acks.map(({ code, of }) => [code, of])).toEqual([
      ['AA', 'DUP'],
      ['AA', 'DUP'],
      ['AA', 'DUP'],
    ]);
    expect(new Set(acks.map(({ controlId }) => controlId)).size).toBe(3);
    expect(door.records.applied).toHaveLength(1);
    expect(await kept(id)).toHaveLength(1);
  });

  it('over two connections at once is one processing, both are answered', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const [one, other] = [await sender(servedOn), await sender(servedOn)];
    let open: () => void = () => undefined;
    door.records.gate = new Promise((go) => (open = go));
    const asked = [one.ask(messageOf({ controlId: 'TWICE' })), other.ask(messageOf({ controlId: 'TWICE' }))];
    await eventually('one is being processed', () => door.records.running === 1);
    open();
    expect((await Promise.all(asked)).map(({ code }) => code)).toEqual(['AA', 'AA']);
    expect(door.records.applied).toHaveLength(1);
    expect(await kept(id)).toHaveLength(1);
  });

  it('after a refusal is tried again, since its cause may be mended: in original mode at once, in enhanced mode behind another CA', async () => {
    const { servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    door.records.faults.push(new SuturaError('fhir.image'));
    const message = messageOf();
    const [first, second] = [await peer.ask(message), await peer.ask(message)];
    expect([first.code, second.code, (await peer.ask(message)).code]).toEqual(['AE', 'AA', 'AA']);
    expect(door.records.applied).toHaveLength(1);
    door.records.faults.push(new SuturaError('fhir.image'));
    const { id, servedOn: later } = await door.listener(tenant);
    const enhanced = await sender(later);
    const accepted = messageOf({ accept: 'AL', application: 'NE' });
    expect((await enhanced.ask(accepted)).code).toBe('CA');
    await eventually('it is refused', async () => (await kept(id))[0]?.state === 'failed');
    expect((await enhanced.ask(accepted)).code).toBe('CA');
    await eventually('it is done', async () => (await kept(id))[0]?.state === 'processed');
    expect(door.records.applied).toHaveLength(2);
  });

  it('over a second connection while the first one is being refused is refused once more, and then done', async () => {
    const { servedOn } = await door.listener(tenant);
    const message = messageOf();
    door.records.faults.push(new SuturaError('fhir.image'), new SuturaError('fhir.image'));
    const [one, other] = await Promise.all([
      (await sender(servedOn)).ask(message),
      (await sender(servedOn)).ask(message),
    ]);
    expect([one.code, other.code]).toEqual(['AE', 'AE']);
    expect((await (await sender(servedOn)).ask(message)).code).toBe('AA');
  });

  it('in enhanced mode it is accepted again and done once', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    const message = messageOf({ accept: 'AL', application: 'NE' });
    expect([(await peer.ask(message)).code, (await peer.ask(message)).code]).toEqual(['CA', 'CA']);
    await eventually('it is done', async () => (await kept(id))[0]?.state === 'processed');
    expect(door.records.applied).toHaveLength(1);
  });

  it('with other content is refused with 205 in either mode, and kept', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    await peer.ask(messageOf({ controlId: 'SAME' }));
    const original = await peer.ask(messageOf({ controlId: 'SAME', placer: 'other' }));
    const enhanced = await peer.ask(messageOf({ controlId: 'SAME', placer: 'another', accept: 'AL' }));
    expect([original.code, original.conditions, enhanced.code, enhanced.conditions]).toEqual([
      'AE',
      ['205'],
      'CE',
      ['205'],
    ]);
    expect((await kept(id)).map(({ state }) => state)).toEqual(['processed', 'failed', 'failed']);
    expect(door.records.applied).toHaveLength(1);
  });

  it('with other content is processed where the listener takes rolling counters', async () => {
    const { servedOn } = await door.listener(tenant, { reusedControlId: 'process' });
    const peer = await sender(servedOn);
    const acks = [
      await peer.ask(messageOf({ controlId: '1', placer: 'a' })),
      await peer.ask(messageOf({ controlId: '1', placer: 'b' })),
      await peer.ask(messageOf({ controlId: '1', placer: 'b' })),
    ];
    expect(acks.map(({ code }) => code)).toEqual(['AA', 'AA', 'AA']);
    expect(door.records.applied).toHaveLength(2);
  });

  it('after thirty days is a new message', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    await peer.ask(messageOf({ controlId: 'OLD' }));
    await sql.rows(`update hl7_inbound set received_at = received_at - interval '31 days' where source_id = $1`, [id]);
    expect((await peer.ask(messageOf({ controlId: 'OLD', placer: 'new' }))).code).toBe('AA');
    expect(door.records.applied).toHaveLength(2);
  });

  it('[F17] after its acknowledgment was lost is answered with it', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const hasty = await sender(servedOn);
    hasty.write(messageOf({ controlId: 'LOST' }));
    await eventually('it is processed', async () => (await kept(id))[0]?.state === 'processed');
    hasty.close();
    expect((await (await sender(servedOn)).ask(messageOf({ controlId: 'LOST' }))).code).toBe('AA');
    expect(door.records.applied).toHaveLength(1);
  });
});

describe('what a process left behind', () => {
  /** As a process leaves it that ends between the commit of the message and its answer. */
  async function leaveBehind(sourceId: string, controlId: string): Promise<void> {
    await sql.rows(
      `update hl7_inbound set state = 'received', ack = null, ack_code = null, processed_at = null, lease_token = $2, lease_until = now() where source_id = $1 and control_id = $3`,
      [sourceId, v7(), controlId],
    );
  }

  it('is done by the next one without a resend', async () => {
    const { id, servedOn } = await door.listener(tenant);
    await (await sender(servedOn)).ask(messageOf({ controlId: 'CRASH' }));
    await leaveBehind(id, 'CRASH');
    await eventually('it is done again', async () => (await kept(id))[0]?.state === 'processed');
    expect(door.records.applied).toHaveLength(2);
  });

  it('is given up after it has ended five processes', async () => {
    const { id, servedOn } = await door.listener(tenant);
    await (await sender(servedOn)).ask(messageOf({ controlId: 'POISON' }));
    await sql.rows(`update hl7_inbound set attempts = 5 where source_id = $1`, [id]);
    await leaveBehind(id, 'POISON');
    await eventually('it is given up', async () => (await kept(id))[0]?.state === 'failed');
    expect(door.records.applied).toHaveLength(1);
  });
});
