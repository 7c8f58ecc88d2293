import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { readSettings } from '../../../../src/platform/config/settings.js';
import { SystemStatements } from '../../../../src/platform/database/statements.js';
import { acknowledge, EhrReceiver, headerField, type ReceiverMode } from '../../../peers/mllp-receiver.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { eventually } from '../../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { makeTlsIdentity } from '../../../support/tls-identity.js';
import { readdress } from '../../../../src/exits/mllp/oru/readdress.js';
import { newMessage, OutboundGround, saidIn } from './outbound-ground.js';

const ANSWERS_AT_ONCE: readonly ReceiverMode[] = ['accept', 'accept-then-error', 'error', 'reject', 'hang-up'];

describe('senders of HL7 messages', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: OutboundGround;
  let tenant: Tenant;
  let receiver: EhrReceiver;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url, { HL7_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') });
    ground = new OutboundGround(context);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
    receiver = await EhrReceiver.start();
  });
  afterEach(async () => {
    await ground.stopAll();
    await receiver.stop();
    for (const { id } of await ground.register.ofTenant(tenant))
      await ground.removal.remove(id, { kind: 'discard' }, readdress);
  });

  const messageIn = (mode: ReceiverMode, wish = {}) => {
    receiver.mode = mode;
    // A short one only where the receiver gives none: a busy machine takes longer than that over one that is given.
    const ackTimeoutMs = ANSWERS_AT_ONCE.includes(mode) ? 30_000 : 100;
    return ground.destination(tenant, receiver.port, { ackTimeoutMs, ...wish });
  };

  it.each(['silent', 'hang-up', 'wrong-id', 'garbage', 'late'] as const)(
    'sends the same bytes again where the receiver is %s, until it acknowledges them, and nothing else before',
    async (mode) => {
      const destination = await messageIn(mode);
      await ground.enqueue(tenant, destination, newMessage('one'), newMessage('two'));
      ground.startProcess();
      await receiver.waitFor(3);
      expect(await ground.states(destination)).toEqual(['waiting', 'waiting']);
      receiver.releaseLate();
      receiver.mode = 'accept';
      await ground.untilStates(destination, 'delivered', 'delivered');
      const { messages } = receiver;
      expect(new Set(messages).size).toBe(2);
      // Where the time is short, a busy machine’s acknowledgment of the second comes too late as well, and it is sent once more.
      const second = ANSWERS_AT_ONCE.includes(mode) ? 'two' : 'two(?:,two)*';
      expect(saidIn(messages).join()).toMatch(new RegExp(`^(?:one,){3,}${second}$`));
    },
  );

  it('waits for a receiver that is not there, and finds it', async () => {
    const { port } = receiver;
    await receiver.stop();
    const destination = await ground.destination(tenant, port);
    await ground.enqueue(tenant, destination, newMessage('one'));
    ground.startProcess();
    await eventually('two attempts', async () => (await ground.messages(destination))[0]!.attempts >= 2);
    receiver = await EhrReceiver.start({ port });
    await ground.untilStates(destination, 'delivered');
  });

  it('tries three times more after an application error, parks the message, and goes on', async () => {
    receiver.refusal = { condition: '102' };
    const destination = await messageIn('error');
    await ground.enqueue(tenant, destination, newMessage('bad'));
    ground.startProcess();
    await ground.untilStates(destination, 'parked');
    expect(receiver.messages).toHaveLength(4);
    const [parked] = await ground.messages(destination);
    expect(parked).toMatchObject({ attempts: 4, ackCode: 'CE', ackCondition: '102' });
    receiver.mode = 'accept';
    await ground.enqueue(tenant, destination, newMessage('good'));
    await ground.untilStates(destination, 'parked', 'delivered');
    await ground.control.requeue(parked!.id, 'operator');
    await ground.untilStates(destination, 'delivered', 'delivered');
    expect(saidIn(receiver.messages)).toEqual(['bad', 'bad', 'bad', 'bad', 'good', 'bad']);
  });

  it('parks what the receiver rejects at once, and lets nothing pass where the destination stops on errors', async () => {
    receiver.refusal = { condition: '200' };
    const destination = await messageIn('reject', { stopOnError: true });
    await ground.enqueue(tenant, destination, newMessage('bad'), newMessage('good'));
    ground.startProcess();
    await ground.untilStates(destination, 'parked', 'waiting');
    receiver.mode = 'accept';
    const [parked] = await ground.messages(destination);
    expect(parked).toMatchObject({ attempts: 1, ackCode: 'CR', ackCondition: '200' });
    await ground.control.discard(parked!.id, 'operator');
    await ground.untilStates(destination, 'discarded', 'delivered');
    expect(saidIn(receiver.messages)).toEqual(['bad', 'good']);
  });

  it('keeps what a receiver said of a refusal once the message is sent again and taken', async () => {
    receiver.refusal = { condition: '204', text: 'Patient 4711 is not known here' };
    const destination = await messageIn('reject');
    await ground.enqueue(tenant, destination, newMessage('bad'));
    ground.startProcess();
    await ground.untilStates(destination, 'parked');
    receiver.mode = 'accept';
    const { id } = (await ground.messages(destination))[0]!;
    await ground.control.requeue(id, 'operator ana');
    await ground.untilStates(destination, 'delivered');
    const { record, history } = await ground.queries.find(id);
    expect(record).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(history).toMatchObject([
      { what: 'refused', attempt: 1, answer: 'CR 204', parkedFor: 'refused', by: null },
      { what: 'requeued', by: 'operator ana', answerWords: null },
    ]);
    expect(history[0]!.answerWords?.text).toBe('Patient 4711 is not known here');
    // The words are sealed like the message.
    const { rows } = await context
      .get(SystemStatements)
      .run('select history::text from hl7_outbox where id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain('4711');
  });

  it('tries again for as long as a receiver says that it cannot take messages now', async () => {
    receiver.refusal = { condition: '207' };
    const destination = await messageIn('reject', { ackMode: 'original' });
    await ground.enqueue(tenant, destination, newMessage('one'));
    ground.startProcess();
    await receiver.waitFor(5);
    receiver.mode = 'accept';
    await ground.untilStates(destination, 'delivered');
  });

  it('does not wait for the acknowledgment of an acknowledgment', async () => {
    const destination = await messageIn('silent');
    await ground.enqueue(tenant, destination, newMessage('ack', { kind: 'ack' }), newMessage('ack 2', { kind: 'ack' }));
    ground.startProcess();
    await ground.untilStates(destination, 'delivered', 'delivered');
    expect(saidIn(await receiver.waitFor(2))).toEqual(['ack', 'ack 2']);
  });

  it('takes a second acknowledgment on its own connection for the word of the application', async () => {
    const destination = await messageIn('accept');
    await ground.enqueue(tenant, destination, newMessage('one'), newMessage('two'));
    ground.startProcess();
    await ground.untilStates(destination, 'delivered', 'delivered');
    const [one, two] = receiver.messages;
    receiver.say(acknowledge(one!, 'AA', headerField(one!, 10)));
    receiver.say(acknowledge(two!, 'AE', headerField(two!, 10), '102'));
    await ground.untilStates(destination, 'delivered', 'parked');
    await eventually(
      'both to be noted',
      async () => (await ground.messages(destination)).map(({ applicationCode }) => applicationCode).join() === 'AA,AE',
    );
  });

  it('lets other patients pass where the destination orders by patient, and nobody where it is strict', async () => {
    receiver.mode = 'silent';
    const [strict, byPatient] = [await messageIn('silent', { ordering: 'strict' }), await messageIn('silent')];
    const messages = () => [
      newMessage('1 a', { lane: '1' }),
      newMessage('1 b', { lane: '1' }),
      newMessage('2 a', { lane: '2' }),
    ];
    await ground.enqueue(tenant, strict, ...messages());
    await ground.enqueue(tenant, byPatient, ...messages());
    ground.startProcess({ firstPauseMs: 60_000, longestPauseMs: 60_000 });
    await eventually(
      'the other patient’s message to be tried',
      async () => (await ground.messages(byPatient)).map(({ attempts }) => attempts).join() === '1,0,1',
    );
    await eventually('the strict one to be tried', async () => (await ground.messages(strict))[0]!.attempts === 1);
    expect((await ground.messages(strict)).map(({ attempts }) => attempts)).toEqual([1, 0, 0]);
  });

  it('parks what no key opens, says so, and goes on with everything else [H14]', async () => {
    const destination = await messageIn('accept', { ordering: 'strict' });
    const other = new OutboundGround(
      context,
      readSettings({ HL7_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') }),
    );
    await other.enqueue(tenant, destination, newMessage('sealed'));
    await ground.enqueue(tenant, destination, newMessage('open'));
    ground.logged();
    ground.startProcess();
    await ground.untilStates(destination, 'parked', 'delivered');
    const [sealed] = await ground.messages(destination);
    expect(sealed).toMatchObject({ parkedFor: 'sealed', attempts: 0 });
    expect(ground.logged().filter(({ event }) => event === 'hl7.message_sealed')).toEqual([
      expect.objectContaining({ destinationId: destination.id, messageId: sealed!.id, level: 50 }),
    ]);
    await expect(ground.control.requeue(sealed!.id, 'operator')).rejects.toMatchObject({ code: 'hl7.sealed' });
    await other.control.requeue(sealed!.id, 'operator');
    await ground.untilStates(destination, 'parked', 'delivered');
    await ground.control.discard(sealed!.id, 'operator');
    expect(await ground.states(destination)).toEqual(['discarded', 'delivered']);
  });

  it('lets other patients pass one whose message is refused or makes its receiver hang up, without being told to [H15]', async () => {
    const destination = await messageIn('accept');
    receiver.modeOf = (message) =>
      message.includes('||bad') ? 'error' : message.includes('||poison') ? 'hang-up' : undefined;
    await ground.enqueue(
      tenant,
      destination,
      newMessage('bad', { lane: 'OA' }),
      newMessage('poison', { lane: 'OB' }),
      ...Array.from({ length: 8 }, (_, index) => newMessage(`good ${index}`, { lane: `P${index}` })),
    );
    ground.startProcess({ refusalPausesMs: [60_000], firstPauseMs: 60_000, longestPauseMs: 60_000 });
    await ground.untilStates(destination, 'waiting', 'waiting', ...Array.from({ length: 8 }, () => 'delivered'));
  });

  it('tries a message now where a person wants it, whatever its pause and that of its destination is', async () => {
    const destination = await messageIn('hang-up');
    await ground.enqueue(
      tenant,
      destination,
      newMessage('one'),
      newMessage('two', { lane: 'P2' }),
      newMessage('three', { lane: 'P3' }),
    );
    ground.startProcess({ firstPauseMs: 60_000, longestPauseMs: 60_000 });
    await receiver.waitFor(2);
    await eventually(
      'both attempts to be written down',
      async () => (await ground.messages(destination)).filter(({ fault }) => fault === 'closed').length === 2,
    );
    receiver.mode = 'accept';
    const [first] = await ground.messages(destination);
    await ground.control.retryNow(first!.id, 'operator');
    await eventually(
      'the first and the third',
      async () => (await ground.states(destination)).join() === 'delivered,waiting,delivered',
    );
    await ground.control.park((await ground.messages(destination))[1]!.id, 'operator');
    await expect(ground.control.retryNow(first!.id, 'operator')).rejects.toMatchObject({ code: 'hl7.not_waiting' });
  });

  it('leaves a receiver that cannot be reached alone for a while, and then sends what waits for it at once', async () => {
    const { port } = receiver;
    await receiver.stop();
    const destination = await ground.destination(tenant, port);
    await ground.enqueue(
      tenant,
      destination,
      ...Array.from({ length: 20 }, (_, index) => newMessage(`message ${index}`, { lane: `P${index}` })),
    );
    ground.logged();
    ground.startProcess({ firstPauseMs: 150, longestPauseMs: 150 });
    await eventually(
      'some attempts',
      async () => (await ground.messages(destination)).filter(({ attempts }) => attempts > 0).length >= 3,
    );
    expect((await ground.messages(destination)).every(({ attempts }) => attempts <= 1)).toBe(true);
    expect((await ground.messages(destination))[0]!.fault).toBe('unreachable ECONNREFUSED');
    expect(ground.logged().filter(({ event }) => event === 'hl7.destination_silent')).toEqual([
      expect.objectContaining({ fault: 'unreachable ECONNREFUSED', level: 40 }),
    ]);
    receiver = await EhrReceiver.start({ port });
    await ground.untilStates(destination, ...Array.from({ length: 20 }, () => 'delivered'));
  });

  it('keeps what the receiver says of a refusal, sealed, and nothing of it in the log [H8]', async () => {
    receiver.refusal = {
      condition: '103',
      text: 'Not taken',
      rest: 'W12^Unknown ward^99EHR||ward 7b of Anna Beispiel|Ask the ward',
    };
    const destination = await messageIn('reject');
    await ground.enqueue(tenant, destination, newMessage('bad'));
    ground.logged();
    ground.startProcess();
    await ground.untilStates(destination, 'parked');
    const [parked] = await ground.messages(destination);
    expect(parked).toMatchObject({ ackCode: 'CR', ackCondition: '103', parkedFor: 'refused', fault: null });
    expect((await ground.queries.show(parked!.id)).answer).toEqual({
      text: 'Not taken',
      problems: [
        {
          place: 'MSH^1',
          condition: '103',
          conditionText: 'refused',
          severity: 'E',
          applicationCode: 'W12',
          applicationText: 'Unknown ward',
          diagnostic: 'ward 7b of Anna Beispiel',
          message: 'Ask the ward',
        },
      ],
    });
    const logged = JSON.stringify(ground.logged());
    expect(logged).toContain('"condition":"103"');
    expect(logged).not.toMatch(/Beispiel|ward|Not taken/);
    const rows = await context
      .get(SystemStatements)
      .run<{ sealed: number }>('select get_byte(answer, 0) as sealed from hl7_outbox where id = $1', [parked!.id]);
    expect(rows.rows).toEqual([{ sealed: 1 }]);
  });

  it('counts an application’s refusal that comes in the same packet as the accept acknowledgment [H16]', async () => {
    receiver.refusal = { condition: '204', text: 'No such order' };
    const destination = await messageIn('accept-then-error');
    await ground.enqueue(
      tenant,
      destination,
      ...Array.from({ length: 10 }, (_, index) => newMessage(`message ${index}`)),
    );
    ground.startProcess();
    await ground.untilStates(destination, ...Array.from({ length: 10 }, () => 'parked'));
    const messages = await ground.messages(destination);
    expect(
      new Set(messages.map(({ ackCode, applicationCode, parkedFor }) => `${ackCode} ${applicationCode} ${parkedFor}`)),
    ).toEqual(new Set(['CA AE refused_later']));
    expect((await ground.queries.show(messages[0]!.id)).answer).toMatchObject({
      text: 'No such order',
      problems: [{ condition: '204' }],
    });
    receiver.mode = 'accept';
    for (const { id } of messages) await ground.control.requeue(id, 'operator');
    await ground.untilStates(destination, ...Array.from({ length: 10 }, () => 'delivered'));
  });

  it('leaves out a preliminary result whose connection was refused, once the final one is there [H20]', async () => {
    const { port } = receiver;
    await receiver.stop();
    const destination = await ground.destination(tenant, port, { collapse: true });
    const subjectId = v7();
    await ground.enqueue(tenant, destination, newMessage('preliminary', { subjectId, preliminary: true }));
    ground.startProcess();
    await eventually('an attempt', async () => (await ground.messages(destination))[0]!.fault !== null);
    await ground.enqueue(tenant, destination, newMessage('final', { subjectId, version: 2 }));
    await eventually(
      'the preliminary one to be left out',
      async () => (await ground.states(destination)).join() === 'collapsed,waiting',
    );
    receiver = await EhrReceiver.start({ port });
    await ground.untilStates(destination, 'collapsed', 'delivered');
    expect(saidIn(receiver.messages)).toEqual(['final']);
  });

  it('sends every message once and in order, however many processes there are and while they come and go', async () => {
    const destination = await messageIn('accept');
    const [first] = [ground.startProcess(), ground.startProcess()];
    const texts = Array.from({ length: 60 }, (_, index) => `message ${index}`);
    for (const text of texts.slice(0, 30)) await ground.enqueue(tenant, destination, newMessage(text));
    await first.beforeApplicationShutdown();
    ground.startProcess();
    for (const text of texts.slice(30)) await ground.enqueue(tenant, destination, newMessage(text));
    await receiver.waitFor(60);
    await ground.untilStates(destination, ...texts.map(() => 'delivered'));
    expect(saidIn(receiver.messages)).toEqual(texts);
  });

  it('goes on where a process was that ended in the middle of a message', async () => {
    const destination = await messageIn('silent', { ackTimeoutMs: 60_000 });
    await ground.enqueue(tenant, destination, newMessage('one'), newMessage('two'));
    const process = ground.startProcess({ stopGraceMs: 1 });
    await receiver.waitFor(1);
    await process.beforeApplicationShutdown();
    expect((await ground.messages(destination)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['waiting', 1],
      ['waiting', 0],
    ]);
    receiver.mode = 'accept';
    ground.startProcess();
    await ground.untilStates(destination, 'delivered', 'delivered');
    expect(saidIn(receiver.messages)).toEqual(['one', 'one', 'two']);
    expect(receiver.messages[0]).toBe(receiver.messages[1]);
  });

  it('takes over from a process that vanished, once its lease is over', async () => {
    const destination = await messageIn('accept');
    await ground.enqueue(tenant, destination, newMessage('one'));
    expect(await ground.deliveries.hold({ endpointId: destination.id, token: v7() }, 400)).toBe(true);
    ground.startProcess();
    await ground.untilStates(destination, 'delivered');
    expect(receiver.messages).toHaveLength(1);
  });

  it('sees new destinations, changed ones and those that are switched off, while it runs', async () => {
    ground.startProcess();
    const destination = await messageIn('accept');
    await ground.enqueue(tenant, destination, newMessage('one'));
    await ground.untilStates(destination, 'delivered');
    const elsewhere = await EhrReceiver.start();
    try {
      await ground.register.change(destination.id, { settings: { port: elsewhere.port } });
      await eventually('the new address to be used', async () => {
        await ground.enqueue(tenant, destination, newMessage('two'));
        return elsewhere.messages.length > 0;
      });
      await ground.register.change(destination.id, { enabled: false });
      await eventually('messages to wait', async () => {
        await ground.enqueue(tenant, destination, newMessage('three'));
        return (await ground.states(destination)).includes('waiting');
      });
    } finally {
      await elsewhere.stop();
    }
  });

  it('speaks TLS with a receiver whose certificate it knows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sutura-hl7-'));
    const identity = makeTlsIdentity(['ehr.example']);
    writeFileSync(join(folder, 'ca.pem'), identity.cert);
    const secure = await EhrReceiver.start({ tls: identity });
    try {
      const trusted = await ground.destination(tenant, secure.port, {
        tls: { caFile: join(folder, 'ca.pem'), serverName: 'ehr.example' },
      });
      const stranger = await ground.destination(tenant, secure.port, { tls: { serverName: 'ehr.example' } });
      await ground.enqueue(tenant, trusted, newMessage('secret'));
      await ground.enqueue(tenant, stranger, newMessage('never'));
      ground.startProcess();
      await ground.untilStates(trusted, 'delivered');
      await eventually('attempts', async () => (await ground.messages(stranger))[0]!.attempts > 1);
      expect(saidIn(secure.messages)).toEqual(['secret']);
    } finally {
      await ground.stopAll();
      await secure.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
