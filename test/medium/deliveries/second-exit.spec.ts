import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { v7 } from 'uuid';
import { IdSource } from '../../../src/core/ports/id-source.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import {
  DeliveryControl,
  DeliveryQueue,
  LeasedDeliveries,
  SenderPool,
  type QueueDefinition,
  type SenderReports,
  type SendingEndpoint,
  type NoAnswer,
  type Transport,
} from '../../../src/exits/kit/index.js';
import { NotificationListener } from '../../../src/platform/database/notification-listener.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { statementsOf } from '../../../src/platform/database/unit-of-work.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { freePort } from '../../support/free-port.js';
import { lockWaitsOf } from '../../support/lock-waits.js';

/** Tables of a second exit: those that src/exits/kit/README.md asks for, and one column of its own. */
const TABLES = `
  create table letter_boxes (id uuid primary key, deleted_at timestamptz);
  create table letter_senders (box_id uuid primary key references letter_boxes, organization_id uuid not null, environment text not null,
    last_number bigint not null default 0, lease_token uuid, lease_until timestamptz);
  create table letters (id uuid primary key, box_id uuid not null references letter_boxes, organization_id uuid not null, environment text not null,
    number bigint not null, subject_id uuid not null, version int not null, lane text not null, preliminary bool not null, body bytea not null,
    size_bytes int not null, state text not null, attempts int not null default 0, failures int not null default 0, refusals int not null default 0,
    unsent bool not null default true, parked_for text, fault text, next_at timestamptz not null, created_at timestamptz not null, sent_at timestamptz,
    delivered_at timestamptz, moved_to uuid references letters, stamp text not null, status_code int, history jsonb not null default '[]',
    unique (box_id, number), unique (box_id, subject_id, version));
  grant select, insert, update, delete on letter_boxes, letter_senders, letters to sutura_system, sutura_app`;

interface Stamp {
  readonly stamp: string;
}

const LETTERS: QueueDefinition<Stamp> = {
  deliveries: 'letters',
  endpoints: 'letter_boxes',
  senders: 'letter_senders',
  endpointId: 'box_id',
  body: 'body',
  ownColumns: { stamp: 'stamp' },
  attemptColumns: ['status_code'],
  answerColumns: ['status_code'],
  channel: 'letters_due',
  errors: {
    notFound: { code: 'trace.not_found' },
    waits: { code: 'data.conflict' },
    notWaiting: { code: 'data.conflict' },
    notParked: { code: 'data.unusable' },
    superseded: { code: 'report.stale' },
    endpointDeleted: { code: 'organization.not_found' },
    wrongEndpoint: { code: 'key.not_found' },
    alreadyThere: { code: 'data.conflict' },
    sealed: { code: 'hl7.sealed' },
  },
};

const SEALED = Buffer.from('sealed');
const BODIES = {
  seal: (bytes: Buffer) => bytes,
  open: (kept: Buffer) => {
    if (kept.equals(SEALED)) throw new SuturaError('hl7.sealed');
    return kept;
  },
};

interface Box extends SendingEndpoint {
  readonly port: number;
}

/** POST of the body; the status is the answer. */
const POSTS: Transport<Box, Stamp, number> = {
  open: ({ port }) =>
    Promise.resolve({
      send: async ({ bytes, stamp }) => {
        const { status } = await fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          headers: { stamp },
          body: new Uint8Array(bytes),
          signal: AbortSignal.timeout(2000),
        });
        const meaning =
          status < 300 ? 'accepted' : status === 503 ? 'transient' : status === 410 ? 'rejected' : 'refused';
        return { meaning, answer: status };
      },
      close: () => undefined,
    }),
  silenceOf: (): NoAnswer => ({ kind: 'silent', fault: 'unreachable', mayHaveArrived: false }),
  columnsOf: (_, outcome) => (outcome.kind === 'silent' ? {} : { status_code: outcome.answer }),
};

const TIMINGS = {
  firstPauseMs: 20,
  longestPauseMs: 100,
  refusalPausesMs: [10, 10],
  pollMs: 100,
  leaseMs: 1500,
  alertAfterMs: 60_000,
  unwrittenMs: 500,
  stopGraceMs: 500,
};

let database: TestDatabase;
let context: DatabaseContext;
let tenant: Tenant;
let queue: DeliveryQueue<Stamp>;
let deliveries: LeasedDeliveries<Stamp>;
let control: DeliveryControl<Stamp>;
let server: Server;
let port: number;
/** Bodies that came in, with their stamps. */
let posted: string[];
let answerTo: (body: string) => number;
/** The receiver breaks every connection off. */
let isAway = false;
let boxes: Box[];
let reported: string[];
const pools = new Set<SenderPool<Box, Stamp, number>>();

const REPORTS: SenderReports<Box, Stamp, number> = {
  attempted: (_box, { stamp }, outcome, verdict) =>
    reported.push(`${stamp} ${outcome.kind === 'silent' ? outcome.fault : outcome.answer} ${verdict}`),
  sealed: (_box, { stamp }) => reported.push(`${stamp} sealed`),
  silent: () => undefined,
  answersAgain: () => undefined,
  senderFailed: (_box, error) => reported.push(`failed ${String(error)}`),
  endpointsUnknown: (error) => reported.push(`failed ${String(error)}`),
};

beforeAll(async () => {
  database = await createTestDatabase();
  await queryDatabase(database.url, TABLES);
  context = await DatabaseContext.open(database.url);
  tenant = await context.createTenant();
  const statements = context.get(SystemStatements);
  queue = new DeliveryQueue(LETTERS, BODIES, context.get(IdSource));
  deliveries = new LeasedDeliveries(LETTERS, statements, BODIES);
  control = new DeliveryControl(LETTERS, statements, context.get(UnitOfWork), queue, BODIES);
  server = createServer((request, response) => void receive(request, response));
  const free = await freePort();
  await new Promise<void>((resolve) => server.listen(free, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.close();
  await context?.close();
  await database?.drop();
});
beforeEach(() => {
  [posted, boxes, reported, isAway] = [[], [], [], false];
  answerTo = () => 200;
});
afterEach(async () => {
  await Promise.all([...pools].map((pool) => pool.beforeApplicationShutdown()));
  pools.clear();
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readText(request);
  if (isAway) {
    response.destroy();
    return;
  }
  posted.push(`${String(request.headers['stamp'])} ${body}`);
  response.writeHead(answerTo(body)).end();
}

/** What one process has for sending. */
function startProcess(): void {
  const notifications = context.get(NotificationListener);
  const ports = {
    deliveries,
    transport: POSTS,
    reports: REPORTS,
    notifications,
    endpoints: () => Promise.resolve(boxes),
  };
  const pool = new SenderPool(LETTERS.channel, ports, TIMINGS);
  pools.add(pool);
  pool.onApplicationBootstrap();
}

async function newBox(changes: Partial<Box> = {}): Promise<Box> {
  const id = v7();
  await context.get(SystemStatements).run('insert into letter_boxes (id) values ($1)', [id]);
  const box: Box = { id, port, revision: '', collapse: false, ordering: 'lane', stopOnParked: false, ...changes };
  boxes.push(box);
  return box;
}

const enqueue = (
  box: Box,
  ...letters: readonly { text: string; lane?: string; subjectId?: string; version?: number }[]
) =>
  context.get(UnitOfWork).inSystem((transaction) =>
    queue.enqueue(
      transaction,
      { ...tenant, ...box },
      letters.map(({ text, lane = 'a', subjectId = v7(), version = 1 }) => ({
        subjectId,
        version,
        lane,
        preliminary: false,
        write: (number) => ({ bytes: Buffer.from(text), columns: { stamp: `no. ${number}` } }),
      })),
    ),
  );

const rows = async (box: Box) =>
  (
    await context.get(SystemStatements).run<{
      id: string;
      state: string;
      parked_for: string | null;
      status_code: number | null;
    }>('select id, state, parked_for, status_code from letters where box_id = $1 order by number', [box.id])
  ).rows;
/** What happened to a letter, without the times. */
const pastOf = async (id: string) => {
  const { rows: found } = await context
    .get(SystemStatements)
    .run<{ history: { at: string; until?: string }[] }>('select history from letters where id = $1', [id]);
  return found[0]!.history.map(({ at: _, until: __, ...entry }) => entry);
};
const untilStates = (box: Box, ...wanted: readonly string[]) =>
  eventually(
    `letters to be ${wanted.join(', ')}`,
    async () => (await rows(box)).map(({ state }) => state).join() === wanted.join(),
  );

describe('an exit with tables of its own', () => {
  it('parks what its endpoint rejects, and what it refuses too often; the rest goes on, and a person sends them again', async () => {
    answerTo = (body) => (body === 'rejected' ? 410 : body === 'refused' ? 400 : 200);
    const box = await newBox();
    await enqueue(box, { text: 'rejected' }, { text: 'refused', lane: 'b' }, { text: 'taken' });
    startProcess();
    await untilStates(box, 'parked', 'parked', 'delivered');
    const [rejected, refused, taken] = await rows(box);
    expect([rejected, refused]).toMatchObject([
      { parked_for: 'refused', status_code: 410 },
      { parked_for: 'refused', status_code: 400 },
    ]);
    expect(posted.toSorted()).toEqual(['no. 1 rejected', ...Array(3).fill('no. 2 refused'), 'no. 3 taken']);
    await expect(control.requeue(taken!.id, 'operator')).rejects.toMatchObject({ code: 'data.unusable' });
    await expect(control.requeue(v7(), 'operator')).rejects.toMatchObject({ code: 'trace.not_found' });

    answerTo = () => 200;
    await control.requeue(rejected!.id, 'operator');
    await control.discard(refused!.id, 'operator');
    await control.replay(taken!.id, 'operator');
    await untilStates(box, 'delivered', 'discarded', 'delivered');
    await eventually('both to be sent again', () => posted.length === 7);
    expect(await pastOf(rejected!.id)).toEqual([
      { what: 'refused', attempt: 1, answer: '410', parkedFor: 'refused' },
      { what: 'requeued', by: 'operator' },
    ]);
    // Refusals in a row are one entry, the one that parked it another.
    expect(await pastOf(refused!.id)).toEqual([
      { what: 'refused', attempt: 2, answer: '400', times: 2 },
      { what: 'refused', attempt: 3, answer: '400', parkedFor: 'refused' },
      { what: 'discarded', by: 'operator' },
    ]);
    expect(await pastOf(taken!.id)).toEqual([
      { what: 'delivered', attempt: 1, answer: '200' },
      { what: 'replayed', by: 'operator' },
    ]);
    expect(posted.slice(5).toSorted()).toEqual(['no. 1 rejected', 'no. 3 taken']);
  });

  it('keeps the newest forty things that happened to a delivery', async () => {
    const box = await newBox();
    await enqueue(box, { text: 'kept' });
    const [kept] = await rows(box);
    for (let turn = 0; turn < 25; turn += 1) {
      await control.park(kept!.id, `parker ${turn}`);
      await control.requeue(kept!.id, 'operator');
    }
    const past = await pastOf(kept!.id);
    expect(past).toHaveLength(40);
    expect(past[0]).toEqual({ what: 'parked', parkedFor: 'operator', by: 'parker 5' });
    expect(past.at(-1)).toEqual({ what: 'requeued', by: 'operator' });
  });

  it('keeps the order of each lane while one is to be tried later, and of all where the endpoint wants that', async () => {
    let away = true;
    answerTo = (body) => (away && body.startsWith('first') ? 503 : 200);
    const letters = (name: string) => [
      { text: `first ${name}` },
      { text: `behind it ${name}` },
      { text: `beside it ${name}`, lane: 'b' },
    ];
    const [byLane, strict] = [await newBox(), await newBox({ ordering: 'endpoint' })];
    await enqueue(byLane, ...letters('lane'));
    await enqueue(strict, ...letters('all'));
    startProcess();
    await untilStates(byLane, 'waiting', 'waiting', 'delivered');
    expect((await rows(strict)).map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting']);
    away = false;
    await untilStates(byLane, 'delivered', 'delivered', 'delivered');
    await untilStates(strict, 'delivered', 'delivered', 'delivered');
    const place = (text: string) => posted.findLastIndex((one) => one.endsWith(text));
    expect(place('first lane')).toBeLessThan(place('behind it lane'));
    expect(place('first all')).toBeLessThan(place('behind it all'));
    expect(place('behind it all')).toBeLessThan(place('beside it all'));
  });

  it('sends what failed least often first, so that what its receiver chokes on keeps no other lane', async () => {
    const box = await newBox();
    await enqueue(box, { text: 'choked' }, { text: 'second', lane: 'b' }, { text: 'third', lane: 'c' });
    const [choked] = await rows(box);
    await context.get(SystemStatements).run('update letters set failures = 1 where id = $1', [choked!.id]);
    startProcess();
    await untilStates(box, 'delivered', 'delivered', 'delivered');
    expect(posted).toEqual(['no. 2 second', 'no. 3 third', 'no. 1 choked']);
  });

  it('sends nothing before the first was delivered, parked or not, where that opens the endpoint', async () => {
    answerTo = (body) => (body === 'opening' ? 410 : 200);
    const box = await newBox({ ordering: 'endpoint', waitsForFirst: true });
    await enqueue(box, { text: 'opening' }, { text: 'second' });
    startProcess();
    await untilStates(box, 'parked', 'waiting');
    const lease = { endpointId: box.id, token: v7() };
    await eventually('the lease to be free', async () => {
      await Promise.all([...pools].map((pool) => pool.beforeApplicationShutdown()));
      return deliveries.hold(lease, 60_000);
    });
    expect(await deliveries.next(lease, box)).toMatchObject({ due: [] });
    expect(await deliveries.next(lease, { ...box, waitsForFirst: false })).toMatchObject({ due: [{ attempts: 1 }] });
    await deliveries.release(lease);
    pools.clear();
    answerTo = () => 200;
    await control.requeue((await rows(box))[0]!.id, 'operator');
    startProcess();
    await untilStates(box, 'delivered', 'delivered');
    expect(posted).toEqual(['no. 1 opening', 'no. 1 opening', 'no. 2 second']);
    // What waits for the first goes with its acceptance, not with the next look.
    const [first] = await rows(box);
    await context.get(SystemStatements).run(`update letters set state = 'waiting' where box_id = $1`, [box.id]);
    await Promise.all([...pools].map((pool) => pool.beforeApplicationShutdown()));
    await deliveries.hold(lease, 60_000);
    expect(await deliveries.next(lease, box)).toMatchObject({ due: [{ id: first!.id }] });
    const arrival = { id: first!.id, beganMs: 0, endedMs: 0, columns: { status_code: 200 } };
    expect(await deliveries.deliveredThenNext(lease, box, [arrival])).toMatchObject({ due: [{ stamp: 'no. 2' }] });
  });

  it('gives several endpoints what happened, each by its own number, and nothing twice however often it is told', async () => {
    const [first, second] = [await newBox(), await newBox()];
    await enqueue(second, { text: 'before' });
    const told = ['x', 'y', 'x'].map((text) => ({ text, subjectId: v7() }));
    const letters = [...told, told[0]!].map(({ text, subjectId }) => ({
      subjectId,
      version: 1,
      lane: 'a',
      preliminary: false,
      write: (number: number) => ({ bytes: Buffer.from(text), columns: { stamp: `no. ${number}` } }),
    }));
    const batches = [second, first].map((box) => ({ endpoint: { ...tenant, ...box }, deliveries: letters }));
    const ofNobody = { endpoint: { ...tenant, id: v7(), collapse: false }, deliveries: letters };
    const write = () =>
      context.get(UnitOfWork).inSystem((transaction) => queue.enqueueAll(transaction, [...batches, ofNobody]));
    // At once: whoever comes second has waited for the first and sees what that wrote.
    const written = await Promise.all([write(), write(), write()]);
    expect(written.toSorted((a, b) => a - b)).toEqual([0, 0, 6]);
    const stamps = async (box: Box) =>
      (
        await context
          .get(SystemStatements)
          .run<{ stamp: string }>('select stamp from letters where box_id = $1 order by number', [box.id])
      ).rows.map(({ stamp }) => stamp);
    expect([await stamps(first), await stamps(second)]).toEqual([
      ['no. 1', 'no. 2', 'no. 3'],
      ['no. 1', 'no. 2', 'no. 3', 'no. 4'],
    ]);
  });

  it('has no two writers wait for each other where one of several endpoints is given its first', async () => {
    const [first, second] = [await newBox(), await newBox()];
    await enqueue(second, { text: 'before' });
    const write = () =>
      context.get(UnitOfWork).inSystem((transaction) =>
        queue.enqueueAll(
          transaction,
          [first, second].map((box) => ({
            endpoint: { ...tenant, ...box },
            deliveries: [
              {
                subjectId: v7(),
                version: 1,
                lane: 'a',
                preliminary: false,
                write: (number: number) => ({ bytes: Buffer.from('x'), columns: { stamp: `no. ${number}` } }),
              },
            ],
          })),
        ),
      );
    const waiting = () => lockWaitsOf(database.url);
    let release = (): void => undefined;
    let hold = (): void => undefined;
    const held = new Promise<void>((resolve) => (hold = resolve));
    const over = new Promise<void>((resolve) => (release = resolve));
    const holder = context.get(UnitOfWork).inSystem(async (transaction) => {
      await statementsOf(transaction).run('select from letter_senders where box_id = $1 for update', [second.id]);
      hold();
      await over;
    });
    await held;
    // Began before the first endpoint had its row, and after.
    const early = write();
    await eventually('the one to wait', async () => (await waiting()) === 1);
    let isGiven = false;
    const given = enqueue(first, { text: 'its first' }).then(() => (isGiven = true));
    await eventually('the first to be given, or to wait as well', async () => isGiven || (await waiting()) === 2);
    const late = write();
    await eventually('the other to wait', async () => (await waiting()) === (isGiven ? 2 : 3));
    release();
    expect(await Promise.all([early, late])).toEqual([2, 2]);
    await Promise.all([holder, given]);
  });

  it('writes thousands at once, in their order', async () => {
    const box = await newBox();
    const many = Array.from({ length: 2500 }, (_, index) => ({ text: String(index) }));
    expect(await enqueue(box, ...many)).toBe(2500);
    const { rows: kept } = await context
      .get(SystemStatements)
      .run<{ body: Buffer }>('select body from letters where box_id = $1 order by number', [box.id]);
    expect(kept.map(({ body }) => body.toString())).toEqual(many.map(({ text }) => text));
    expect(await enqueue(box, { text: 'last' })).toBe(1);
  });

  it('waits for an endpoint that cannot be reached, and counts no refusal for it', async () => {
    const box = await newBox({ port: 1 });
    await enqueue(box, { text: 'one' });
    startProcess();
    await eventually('some tries in vain', () => reported.length > 4);
    expect(new Set(reported)).toEqual(new Set(['no. 1 unreachable retry']));
    boxes = [{ ...box, port, revision: 'moved' }];
    await untilStates(box, 'delivered');
    expect(posted).toEqual(['no. 1 one']);
  });

  it('sends what waited for an endpoint that was away as soon as that answers again, whatever the pause of each', async () => {
    isAway = true;
    const box = await newBox();
    await enqueue(box, { text: 'one' }, { text: 'two', lane: 'b' }, { text: 'three', lane: 'c' });
    startProcess();
    await eventually('all to be tried in vain', () => new Set(reported).size === 3);
    const later = `update letters set next_at = sutura_now() + interval '1 hour' where box_id = $1 and lane <> 'a'`;
    await context.get(SystemStatements).run(later, [box.id]);
    isAway = false;
    await untilStates(box, 'delivered', 'delivered', 'delivered');
  });

  it('sends each once, in order, however many processes there are', async () => {
    const box = await newBox();
    startProcess();
    startProcess();
    const texts = Array.from({ length: 20 }, (_, index) => `letter ${index}`);
    for (const text of texts) await enqueue(box, { text });
    await untilStates(box, ...texts.map(() => 'delivered'));
    expect(posted).toEqual(texts.map((text, index) => `no. ${index + 1} ${text}`));
    expect((await deliveries.backlog()).find(({ endpointId }) => endpointId === box.id)).toMatchObject({
      waiting: 0,
      parked: 0,
    });
  });

  it('parks what no key opens, and goes on', async () => {
    const box = await newBox();
    await enqueue(box, { text: SEALED.toString() }, { text: 'open' });
    startProcess();
    await untilStates(box, 'parked', 'delivered');
    expect((await rows(box))[0]).toMatchObject({ parked_for: 'sealed' });
    expect(reported).toContain('no. 1 sealed');
  });

  it('moves what waits to another endpoint of the tenant, with that one’s number', async () => {
    const [from, to] = [await newBox(), await newBox()];
    const subjectId = v7();
    await enqueue(from, { text: 'moved', subjectId });
    await enqueue(to, { text: 'there' });
    const [letter] = await rows(from);
    const rewrite = ({ bytes }: { readonly bytes: Buffer }, number: number) => ({
      bytes,
      columns: { stamp: `no. ${number}` },
    });
    const foreign = { ...to, organizationId: v7(), environment: 'test' } as const;
    await expect(control.moveTo(letter!.id, 'operator', foreign, rewrite)).rejects.toMatchObject({
      code: 'key.not_found',
    });
    await control.moveTo(letter!.id, 'operator', { ...tenant, ...to }, rewrite);
    startProcess();
    await untilStates(to, 'delivered', 'delivered');
    expect([(await rows(from))[0]!.state, posted]).toEqual(['moved', ['no. 1 there', 'no. 2 moved']]);
  });
});
