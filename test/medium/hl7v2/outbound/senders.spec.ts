import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { acknowledge, EhrReceiver, headerField, type ReceiverMode } from '../../../peers/mllp-receiver.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { eventually } from '../../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { makeTlsIdentity } from '../../../support/tls-identity.js';
import { newMessage, OutboundGround, saidIn } from './outbound-ground.js';

describe('senders of HL7 messages', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: OutboundGround;
  let tenant: Tenant;
  let receiver: EhrReceiver;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
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
    for (const { id } of await ground.register.ofTenant(tenant)) await ground.register.remove(id);
  });

  const messageIn = (mode: ReceiverMode, wish = {}) => {
    receiver.mode = mode;
    return ground.destination(tenant, receiver.port, { ackTimeoutMs: 100, ...wish });
  };

  it.each(['silent', 'hang-up', 'wrong-id', 'garbage', 'late'] as const)('sends the same bytes again where the receiver is %s, until it acknowledges them, and nothing else before', async (mode) => {
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
    expect(saidIn(messages).slice(0, 3)).toEqual(['one', 'one', 'one']);
    expect(saidIn(messages).filter((text) => text === 'two')).toHaveLength(1);
  });

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
    await ground.desk.requeue(parked!.id);
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
    await ground.desk.discard(parked!.id);
    await ground.untilStates(destination, 'discarded', 'delivered');
    expect(saidIn(receiver.messages)).toEqual(['bad', 'good']);
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
    await eventually('both to be noted', async () => (await ground.messages(destination)).map(({ applicationCode }) => applicationCode).join() === 'AA,AE');
  });

  it('lets other patients pass where the destination orders by patient, and nobody where it is strict', async () => {
    receiver.mode = 'silent';
    const [strict, byPatient] = [await messageIn('silent'), await messageIn('silent', { ordering: 'perPatient' })];
    const messages = () => [newMessage('1 a', { lane: '1' }), newMessage('1 b', { lane: '1' }), newMessage('2 a', { lane: '2' })];
    await ground.enqueue(tenant, strict, ...messages());
    await ground.enqueue(tenant, byPatient, ...messages());
    ground.startProcess({ firstPauseMs: 60_000, longestPauseMs: 60_000 });
    await eventually('the other patient’s message to be tried', async () => (await ground.messages(byPatient)).map(({ attempts }) => attempts).join() === '1,0,1');
    await eventually('the strict one to be tried', async () => (await ground.messages(strict))[0]!.attempts === 1);
    expect((await ground.messages(strict)).map(({ attempts }) => attempts)).toEqual([1, 0, 0]);
  });

  it('sends every message once and in order, however many processes there are and while they come and go', async () => {
    const destination = await messageIn('accept', { ackTimeoutMs: 2000 });
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
    expect((await ground.messages(destination)).map(({ state, attempts }) => [state, attempts])).toEqual([['waiting', 1], ['waiting', 0]]);
    receiver.mode = 'accept';
    ground.startProcess();
    await ground.untilStates(destination, 'delivered', 'delivered');
    expect(saidIn(receiver.messages)).toEqual(['one', 'one', 'two']);
    expect(receiver.messages[0]).toBe(receiver.messages[1]);
  });

  it('takes over from a process that vanished, once its lease is over', async () => {
    const destination = await messageIn('accept');
    await ground.enqueue(tenant, destination, newMessage('one'));
    expect(await ground.rows.hold({ destinationId: destination.id, token: v7() }, 400)).toBe(true);
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
      const wish = { ...destination.settings, port: elsewhere.port };
      await ground.register.change(destination.id, { wish, enabled: true });
      await eventually('the new address to be used', async () => {
        await ground.enqueue(tenant, destination, newMessage('two'));
        return elsewhere.messages.length > 0;
      });
      await ground.register.change(destination.id, { wish, enabled: false });
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
      const trusted = await ground.destination(tenant, secure.port, { tls: { caFile: join(folder, 'ca.pem'), serverName: 'ehr.example' } });
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
