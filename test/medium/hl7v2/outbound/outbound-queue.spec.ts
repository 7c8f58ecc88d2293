import { register } from 'prom-client';
import { v7 } from 'uuid';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import type { Arrival } from '../../../../src/exits/kit/index.js';
import type { Hl7Destination } from '../../../../src/exits/mllp/settings/hl7-destination.js';
import { OutboundMetrics } from '../../../../src/exits/mllp/sender/outbound.metrics.js';
import { SystemStatements } from '../../../../src/platform/database/statements.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { readdress } from '../../../../src/exits/mllp/oru/readdress.js';
import { newMessage, OutboundGround } from './outbound-ground.js';

const PORT = 2576;
const AT_ONCE = { beganMs: 0, endedMs: 0 };

const arrivalOf = (id: string, code: string): Arrival => ({ id, ...AT_ONCE, columns: { ack_code: code } });

describe('the outbox of HL7 messages', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: OutboundGround;
  let tenant: Tenant;
  let destination: Hl7Destination;

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
    destination = await ground.destination(tenant, PORT);
  });

  const lease = () => ({ endpointId: destination.id, token: v7() });
  /** Sends the next message as a sender would, with this acknowledgment. */
  async function deliverNext(code = 'CA'): Promise<string> {
    const mine = lease();
    expect(await ground.deliveries.hold(mine, 5000)).toBe(true);
    const due = await ground.next(mine, { ordering: 'endpoint', stopOnParked: false });
    await ground.deliveries.delivered(mine, [arrivalOf(due!.id, code)]);
    await ground.deliveries.release(mine);
    return due!.id;
  }
  const park = async (id: string) => ground.control.park(id, 'operator');

  it('refuses destinations whose settings do not fit, by name, and a name that is in use', async () => {
    const wish = {
      host: 'ehr',
      port: 0,
      version: '2.2',
      timeZone: 'Mars/Olympus',
      receivingApplication: 'A|B',
      surprise: 1,
    };
    const refused = await ground.register.create(tenant, 'EHR', wish as never).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'request.invalid' });
    expect(
      (refused as { facts: { errors: { pointer: string }[] } }).facts.errors.map(({ pointer }) => pointer).sort(),
    ).toEqual([
      '/settings/',
      '/settings/port',
      '/settings/receivingApplication',
      '/settings/timeZone',
      '/settings/version',
    ]);
    await expect(ground.register.create(tenant, destination.name, { host: 'ehr', port: 1 })).rejects.toMatchObject({
      code: 'hl7.name_taken',
    });
    await expect(ground.register.find(v7())).rejects.toMatchObject({ code: 'hl7.destination_not_found' });
    await expect(ground.removal.remove('no-id', { kind: 'discard' }, readdress)).rejects.toMatchObject({
      code: 'hl7.destination_not_found',
    });
  });

  it('keeps a tenant’s messages from another tenant', async () => {
    await ground.enqueue(tenant, destination, newMessage('mine'));
    const other = await context.createTenant();
    await expect(ground.enqueue(other, { ...destination, ...tenant }, newMessage('forged'))).resolves.toBe(0);
    expect(await ground.queries.list({ tenant: other }, 10)).toEqual([]);
    expect(await ground.messages(destination)).toHaveLength(1);
  });

  it('counts MSH-10 by destination, without a gap for what was rolled back, and keeps bytes sealed', async () => {
    await ground.enqueue(tenant, destination, newMessage('first'));
    await ground
      .inTenant(tenant, async (transaction) => {
        await ground.queue.enqueueMessages(transaction, destination, [newMessage('never')]);
        throw new Error('Rolled back.');
      })
      .catch(() => undefined);
    await ground.enqueue(tenant, destination, newMessage('second'), newMessage('third'));
    const other = await ground.destination(tenant, PORT);
    await ground.enqueue(tenant, other, newMessage('elsewhere'));
    expect((await ground.messages(destination)).map(({ controlId }) => controlId)).toEqual([
      'SUT-000000001',
      'SUT-000000002',
      'SUT-000000003',
    ]);
    const [elsewhere] = await ground.messages(other);
    expect(elsewhere!.controlId).toBe('SUT-000000001');
    expect((await ground.queries.show(elsewhere!.id)).bytes.toString()).toContain('|SUT-000000001|');
  });

  it('takes a version of a report once, however often and from however many at once', async () => {
    const message = newMessage('once', { version: 2 });
    const written = await Promise.all(Array.from({ length: 6 }, () => ground.enqueue(tenant, destination, message)));
    expect(written.reduce((sum, count) => sum + count)).toBe(1);
    expect(
      await ground.inTenant(tenant, (transaction) =>
        ground.queue.lastVersion(transaction, destination.id, message.subjectId),
      ),
    ).toBe(2);
  });

  it('leaves out preliminary results that were never sent once the final one is there, where the destination wishes so', async () => {
    const subjectId = v7();
    const preliminary = (version: number) => newMessage(`v${version}`, { subjectId, version, preliminary: true });
    await ground.enqueue(tenant, destination, preliminary(1), newMessage('v2', { subjectId, version: 2 }));
    expect(await ground.states(destination)).toEqual(['waiting', 'waiting']);
    const collapsing = await ground.destination(tenant, PORT, { collapse: true });
    destination = collapsing;
    await ground.enqueue(tenant, collapsing, preliminary(1));
    const mine = lease();
    await ground.deliveries.hold(mine, 5000);
    await ground.deliveries.next(mine, { ordering: 'endpoint', stopOnParked: false });
    await ground.enqueue(
      tenant,
      collapsing,
      preliminary(2),
      preliminary(3),
      newMessage('v4', { subjectId, version: 4 }),
      newMessage('other', { preliminary: true }),
    );
    // The first was tried: the receiver may have it.
    expect(await ground.states(collapsing)).toEqual(['waiting', 'collapsed', 'collapsed', 'waiting', 'waiting']);
  });

  it('lends a destination to one sender at a time, and gives nothing to a sender that lost it', async () => {
    await ground.enqueue(tenant, destination, newMessage('one'));
    const [mine, theirs] = [lease(), lease()];
    expect([
      await ground.deliveries.hold(mine, 60_000),
      await ground.deliveries.hold(theirs, 60_000),
      await ground.deliveries.hold(mine, 0),
    ]).toEqual([true, false, true]);
    expect(await ground.deliveries.hold(theirs, 60_000)).toBe(true);
    expect(await ground.next(mine, { ordering: 'endpoint', stopOnParked: false })).toBeNull();
    const due = await ground.next(theirs, { ordering: 'endpoint', stopOnParked: false });
    await ground.deliveries.failed(mine, due!.id, {
      state: 'parked',
      afterMs: 0,
      failures: 0,
      refusals: 0,
      fault: null,
      unsent: false,
      ...AT_ONCE,
      columns: { ack_code: 'AR', ack_condition: '200' },
    });
    expect(await ground.states(destination)).toEqual(['waiting']);
    await ground.deliveries.delivered(theirs, [arrivalOf(due!.id, 'CA')]);
    expect(await ground.states(destination)).toEqual(['delivered']);
  });

  it.each([
    ['endpoint', false, []],
    ['lane', false, ['P2']],
    ['lane', true, ['P2']],
  ] as const)(
    'with %s order, lets others pass a message that is to be tried later: %s',
    async (ordering, stopOnParked, passing) => {
      const subjectId = v7();
      await ground.enqueue(
        tenant,
        destination,
        newMessage('a', { lane: 'P1', subjectId }),
        newMessage('b', { lane: 'P1' }),
        newMessage('a2', { lane: 'P3', subjectId, version: 2 }),
        newMessage('c', { lane: 'P2' }),
      );
      const mine = lease();
      await ground.deliveries.hold(mine, 60_000);
      const first = await ground.next(mine, { ordering, stopOnParked });
      await ground.deliveries.failed(mine, first!.id, {
        state: 'waiting',
        afterMs: 60_000,
        failures: 1,
        refusals: 0,
        fault: 'timeout',
        unsent: false,
        ...AT_ONCE,
        columns: {},
      });
      const due = await ground.next(mine, { ordering, stopOnParked });
      expect(due === null ? [] : [due.bytes.toString().includes('||c') ? 'P2' : 'P1']).toEqual(passing);
      const after =
        due === null
          ? await ground.deliveries.next(mine, { ordering, stopOnParked })
          : await ground.deliveries.deliveredThenNext(mine, { ordering, stopOnParked }, [arrivalOf(due.id, 'AA')]);
      expect(after).toMatchObject({ due: [], dueInMs: expect.any(Number) });
      expect(after.dueInMs).toBeGreaterThan(50_000);
    },
  );

  it('goes on behind a parked message, unless the destination stops on errors', async () => {
    await ground.enqueue(tenant, destination, newMessage('a'), newMessage('b'));
    const [first] = await ground.messages(destination);
    await park(first!.id);
    const mine = lease();
    await ground.deliveries.hold(mine, 60_000);
    expect(await ground.next(mine, { ordering: 'endpoint', stopOnParked: true })).toBeNull();
    expect((await ground.next(mine, { ordering: 'endpoint', stopOnParked: false }))!.bytes.toString()).toContain('||b');
  });

  it('requeues a message as it was found: none that was requeued, tried or delivered since', async () => {
    await ground.enqueue(tenant, destination, newMessage('a'));
    const { id } = (await ground.messages(destination))[0]!;
    const again = (attempts: number) => ground.control.requeueAsFound({ id, attempts }, 'operator');
    await expect(again(0)).rejects.toMatchObject({ code: 'hl7.in_progress' });
    await park(id);
    await expect(again(1)).rejects.toMatchObject({ code: 'hl7.not_parked' });
    await again(0);
    await expect(again(0)).rejects.toMatchObject({ code: 'hl7.in_progress' });
    expect(await deliverNext()).toBe(id);
    await expect(again(0)).rejects.toMatchObject({ code: 'hl7.not_parked' });
    await expect(again(1)).rejects.toMatchObject({ code: 'hl7.not_parked' });
    expect(await ground.states(destination)).toEqual(['delivered']);
  });

  it('requeues a parked message, unless a newer version of its report was delivered', async () => {
    const subjectId = v7();
    await ground.enqueue(
      tenant,
      destination,
      newMessage('v1', { subjectId }),
      newMessage('v2', { subjectId, version: 2 }),
    );
    const [first] = await ground.messages(destination);
    await expect(ground.control.requeue(first!.id, 'operator')).rejects.toMatchObject({ code: 'hl7.in_progress' });
    await park(first!.id);
    await ground.control.requeue(first!.id, 'operator');
    await park(first!.id);
    const delivered = await deliverNext();
    await expect(ground.control.requeue(first!.id, 'operator')).rejects.toMatchObject({ code: 'hl7.superseded' });
    await expect(ground.control.requeue(delivered, 'operator')).rejects.toMatchObject({ code: 'hl7.not_parked' });
    await ground.control.replay(delivered, 'operator');
    expect(await ground.states(destination)).toEqual(['parked', 'waiting']);
    await expect(ground.control.discard(delivered, 'operator')).rejects.toMatchObject({ code: 'hl7.not_parked' });
    await ground.control.discard(first!.id, 'operator');
    expect(await ground.states(destination)).toEqual(['discarded', 'waiting']);
    await expect(ground.queries.show(v7())).rejects.toMatchObject({ code: 'hl7.message_not_found' });
  });

  describe('a destination that a person changes', () => {
    it('keeps its settings but for those that are named, and its messages', async () => {
      await ground.enqueue(tenant, destination, newMessage('a'));
      const other = await ground.destination(tenant, PORT);
      await expect(ground.register.change(destination.id, { settings: { port: 0 } })).rejects.toMatchObject({
        code: 'request.invalid',
      });
      await expect(ground.register.change(destination.id, { name: other.name })).rejects.toMatchObject({
        code: 'hl7.name_taken',
      });
      await expect(ground.register.change(v7(), { enabled: false })).rejects.toMatchObject({
        code: 'hl7.destination_not_found',
      });
      await ground.register.change(destination.id, {
        settings: { country: 'DEU', tls: { caFile: 'ca.pem', serverName: 'ehr' } },
      });
      const changed = await ground.register.change(destination.id, {
        name: 'new name',
        enabled: false,
        settings: { country: null, port: 2580, tls: { serverName: null } },
      });
      expect(changed).toMatchObject({
        name: 'new name',
        enabled: false,
        settings: { port: 2580, receivingFacility: 'HOSP', tls: { caFile: 'ca.pem' } },
      });
      expect(changed.settings).not.toHaveProperty('country');
      expect(await ground.register.find(destination.id)).toEqual(changed);
      expect(await ground.states(destination)).toEqual(['waiting']);
    });

    it('that this release cannot read keeps nobody else from being sent to', async () => {
      await context
        .get(SystemStatements)
        .run(`update hl7_destinations set settings = settings || '{"unheardOf": 1}' where id = $1`, [destination.id]);
      const other = await ground.destination(tenant, PORT);
      ground.logged();
      expect((await ground.register.ofTenant(tenant)).map(({ id }) => id)).toEqual([other.id]);
      expect(ground.logged()).toEqual([
        expect.objectContaining({ event: 'hl7.destination_unreadable', destinationId: destination.id }),
      ]);
    });
  });

  describe('a destination that is deleted', () => {
    it('is not, as long as nobody says what becomes of its queue', async () => {
      await ground.enqueue(tenant, destination, newMessage('a'), newMessage('b'));
      await park((await ground.messages(destination))[0]!.id);
      await expect(ground.removal.remove(destination.id, null, readdress)).rejects.toMatchObject({
        code: 'hl7.queue_not_empty',
        detail: expect.stringContaining('1 messages wait for the destination and 1 are parked') as string,
      });
      await expect(
        ground.removal.remove(destination.id, { kind: 'move', destinationId: destination.id }, readdress),
      ).rejects.toMatchObject({ code: 'hl7.destination_not_found' });
      expect(await ground.states(destination)).toEqual(['parked', 'waiting']);
      expect((await ground.register.find(destination.id)).id).toBe(destination.id);
    });

    it('leaves its queue parked, to be seen, moved or discarded, and is given nothing more', async () => {
      await ground.enqueue(tenant, destination, newMessage('a'), newMessage('b'));
      expect(await ground.removal.remove(destination.id, { kind: 'park' }, readdress)).toEqual({
        parked: 2,
        discarded: 0,
        moved: 0,
      });
      expect((await ground.messages(destination)).map(({ state, parkedFor }) => [state, parkedFor])).toEqual([
        ['parked', 'destination_deleted'],
        ['parked', 'destination_deleted'],
      ]);
      expect((await ground.deliveries.backlog()).find(({ endpointId }) => endpointId === destination.id)).toMatchObject(
        { waiting: 0, parked: 2 },
      );
      expect(await ground.enqueue(tenant, destination, newMessage('c'))).toBe(0);
      const [a, b] = await ground.messages(destination);
      await expect(ground.control.requeue(a!.id, 'operator')).rejects.toMatchObject({
        code: 'hl7.destination_deleted',
      });
      await ground.control.discard(b!.id, 'operator');
      const other = await ground.destination(tenant, PORT);
      await ground.control.move(a!.id, 'operator', other, readdress);
      expect((await ground.deliveries.backlog()).some(({ endpointId }) => endpointId === destination.id)).toBe(false);
    });

    it('hands its queue to another one, but for what that one has', async () => {
      const other = await ground.destination(tenant, PORT, {
        receivingApplication: 'NEWEHR',
        receivingFacility: 'Hofheim',
        ackMode: 'original',
      });
      const subjectId = v7();
      await ground.enqueue(tenant, destination, newMessage('a', { subjectId }), newMessage('b'));
      await ground.enqueue(tenant, other, newMessage('a too', { subjectId, version: 2 }));
      expect(await ground.removal.remove(destination.id, { kind: 'move', destinationId: other.id }, readdress)).toEqual(
        { parked: 1, discarded: 0, moved: 1 },
      );
      const moved = (await ground.messages(other))[1]!;
      expect((await ground.messages(destination)).map(({ state, movedTo }) => [state, movedTo])).toEqual([
        ['parked', null],
        ['moved', moved.id],
      ]);
      const text = (await ground.queries.show(moved.id)).bytes.toString();
      expect(text).toBe(
        'MSH|^~\\&|SUTURA|SUTURA|NEWEHR|Hofheim|20260315094100+0100||ORU^R01^ORU_R01|SUT-000000002|T|2.5.1\rNTE|1||b\r',
      );
    });

    it('forgets its queue where a person says so', async () => {
      await ground.enqueue(tenant, destination, newMessage('a'));
      expect(await ground.removal.remove(destination.id, { kind: 'discard' }, readdress)).toEqual({
        parked: 0,
        discarded: 1,
        moved: 0,
      });
      await expect(ground.removal.remove(destination.id, null, readdress)).rejects.toMatchObject({
        code: 'hl7.destination_not_found',
      });
    });
  });

  it('gives a message to another destination of its tenant only, once, and never behind a newer version', async () => {
    await ground.enqueue(tenant, destination, newMessage('a'));
    const [message] = await ground.messages(destination);
    const foreign = await ground.destination(await context.createTenant(), PORT);
    await expect(ground.control.move(message!.id, 'operator', foreign, readdress)).rejects.toMatchObject({
      code: 'hl7.destination_not_found',
    });
    await expect(ground.control.move(v7(), 'operator', destination, readdress)).rejects.toMatchObject({
      code: 'hl7.message_not_found',
    });
    const other = await ground.destination(tenant, PORT);
    const newId = await ground.control.move(message!.id, 'operator', other, readdress);
    expect((await ground.messages(other)).map(({ id, state }) => [id, state])).toEqual([[newId, 'waiting']]);
    await expect(ground.control.move(message!.id, 'operator', other, readdress)).rejects.toMatchObject({
      code: 'hl7.not_parked',
    });
    await expect(ground.control.park(message!.id, 'operator')).rejects.toMatchObject({ code: 'hl7.not_waiting' });
  });

  it('counts what waits for a paused destination', async () => {
    await ground.enqueue(tenant, destination, newMessage('a'));
    await ground.register.change(destination.id, { enabled: false });
    expect((await ground.deliveries.backlog()).find(({ endpointId }) => endpointId === destination.id)).toMatchObject({
      waiting: 1,
    });
  });

  it('lists a page after another, and says what waits', async () => {
    await ground.enqueue(tenant, destination, newMessage('a'), newMessage('b'), newMessage('c'));
    const page = await ground.queries.list({ tenant }, 2);
    const rest = await ground.queries.list({ tenant, state: 'waiting' }, 2, page.at(-1)!.id);
    expect([...page, ...rest].map(({ controlId }) => controlId)).toEqual([
      'SUT-000000003',
      'SUT-000000002',
      'SUT-000000001',
    ]);
    expect((await ground.deliveries.backlog()).find(({ endpointId }) => endpointId === destination.id)).toMatchObject({
      waiting: 3,
      parked: 0,
      oldestS: expect.any(Number) as number,
    });
  });

  it('is measured by destination, without anything of a tenant in it', async () => {
    await ground.enqueue(tenant, destination, newMessage('a'), newMessage('b'));
    await park((await ground.messages(destination))[0]!.id);
    const metrics = new OutboundMetrics(ground.deliveries);
    metrics.onModuleInit();
    metrics.attempted(destination.id, 'AE');
    const lines = (await register.metrics()).split('\n').filter((line) => line.includes(destination.id));
    expect(lines).toEqual([
      `sutura_hl7_outbound_attempts_total{destination="${destination.id}",code="AE"} 1`,
      expect.stringMatching(`^sutura_hl7_outbound_oldest_seconds\\{destination="${destination.id}"\\} [0-9.]+$`),
      `sutura_hl7_outbound_messages{destination="${destination.id}",state="waiting"} 1`,
      `sutura_hl7_outbound_messages{destination="${destination.id}",state="parked"} 1`,
    ]);
  });

  it('matches application acknowledgments that come later by MSA-2, and by who sends them where two destinations have the number', async () => {
    await ground.enqueue(tenant, destination, newMessage('a'), newMessage('b'), newMessage('c'));
    const other = await ground.destination(tenant, PORT, { receivingApplication: 'PACS' });
    await ground.enqueue(tenant, other, newMessage('x'));
    for (let count = 0; count < 2; count += 1) await deliverNext();
    const from = (controlId: string, code: 'AA' | 'AE', sendingApplication = 'EHR') =>
      ground.deferredAcknowledgments.applicationAcknowledged(tenant, {
        controlId,
        code,
        text: '',
        problems: [],
        sendingApplication,
        sendingFacility: 'HOSP',
      });
    expect(await from('SUT-000000001', 'AA', 'LAB')).toBe(false);
    expect(await from('SUT-000000009', 'AA')).toBe(false);
    expect([
      await from('SUT-000000001', 'AA'),
      await from('SUT-000000002', 'AE'),
      await from('SUT-000000003', 'AE'),
    ]).toEqual([true, true, true]);
    expect(
      (await ground.messages(destination)).map(({ state, ackCode, applicationCode }) => [
        state,
        ackCode,
        applicationCode,
      ]),
    ).toEqual([
      ['delivered', 'CA', 'AA'],
      ['parked', 'CA', 'AE'],
      // Nothing was sent yet: whatever it means, it is no answer to this message.
      ['waiting', null, null],
    ]);
    expect(await ground.states(other)).toEqual(['waiting']);
  });
});
