import type { ServerResponse } from 'node:http';
import { MOST_AHEAD } from '../../../src/exits/kit/queue/claim-statements.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import type { Webhook } from '../../../src/exits/webhooks/endpoints/webhook.js';
import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { eventually } from '../../support/eventually.js';
import { WebhookGround } from './webhook-ground.js';

/** So that nothing is found by a poll within a test. */
const NEVER_MS = 600_000;

let ground: WebhookGround;
let tenant: Tenant;
let receiver: WebhookReceiver;
let webhook: Webhook;

beforeAll(async () => {
  ground = await WebhookGround.open();
});
beforeEach(async () => {
  tenant = await ground.context.createTenant();
  receiver = await WebhookReceiver.start();
  webhook = await ground.create(tenant, receiver.url);
});
afterEach(async () => {
  await ground.stopAll();
  await receiver.stop();
});
afterAll(() => ground?.close());

const names = () => receiver.received.map(({ event }) => event.data.name as string);
const sequences = () => receiver.received.map(({ event }) => event.data.sequence as number);
const attempts = () =>
  ground.query<{ number: number; status_code: number | null; delivered: boolean }>(
    `select number::int, attempt.status_code, delivered from webhook_attempts attempt join webhook_deliveries delivery on delivery.id = delivery_id
       where attempt.webhook_id = '${webhook.id}' order by attempt.id`,
  );

/** Holds the answer of the event with this name until the returned function is called. */
function hold(name: string): () => void {
  let held: ServerResponse | undefined;
  receiver.reply = (response, { event }) => {
    if (event.data.name === name) held = response;
    else response.writeHead(204).end();
  };
  return () => {
    receiver.reply = 204;
    held!.writeHead(204).end();
  };
}

describe('deliveries that were read together', () => {
  it('are not sent behind one that failed, which alone has an attempt', async () => {
    receiver.reply = (response, { event }) => response.writeHead(event.data.name === 'b' ? 500 : 204).end();
    await ground.tell(tenant, webhook, ['a', 'b', 'c', 'd']);
    ground.startProcess({ timings: { failurePausesMs: [NEVER_MS] } });
    await eventually(
      'the failure to be written down',
      async () => (await ground.rows(webhook))[1]!.status_code === 500,
    );
    expect((await ground.rows(webhook)).map(({ state, attempts: made }) => [state, made])).toEqual([
      ['delivered', 1],
      ['waiting', 1],
      ['waiting', 0],
      ['waiting', 0],
    ]);
    expect(names()).toEqual(['a', 'b']);
    expect(await attempts()).toEqual([
      { number: 1, status_code: 204, delivered: true },
      { number: 2, status_code: 500, delivered: false },
    ]);
  });

  it('are not sent once a person has parked them, though one before them takes long', async () => {
    const answer = hold('b');
    await ground.tell(tenant, webhook, ['a', 'b', 'c', 'd']);
    ground.startProcess({ timeoutMs: NEVER_MS });
    // The first is written down beside a slow one once what was read is no longer fresh.
    await ground.untilStates(webhook, 'delivered', 'waiting', 'waiting', 'waiting');
    await ground.query(
      `update webhook_deliveries set state = 'parked' where webhook_id = '${webhook.id}' and number = 3`,
    );
    answer();
    await ground.untilStates(webhook, 'delivered', 'delivered', 'parked', 'delivered');
    expect(names()).toEqual(['a', 'b', 'd']);
  });

  it('are written down as they arrived, each with its times, though a later one keeps its sender', async () => {
    const answer = hold('c');
    await ground.tell(tenant, webhook, ['a', 'b', 'c']);
    ground.startProcess({ timeoutMs: NEVER_MS, timings: { unwrittenMs: 2000 } });
    await ground.untilStates(webhook, 'delivered', 'delivered', 'waiting');
    // A busy machine writes the first two down before it sends the third.
    await eventually('the third is sent', () => names().length === 3);
    expect(names()).toEqual(['a', 'b', 'c']);
    answer();
    await ground.untilStates(webhook, 'delivered', 'delivered', 'delivered');
    const rows = await ground.rows(webhook);
    expect(rows.map(({ attempts: made }) => made)).toEqual([1, 1, 1]);
    for (const { sent_at, delivered_at } of rows)
      expect(sent_at!.getTime()).toBeLessThanOrEqual(delivered_at!.getTime());
    // Each statement has the times by its own clock, and a busy machine delays one.
    expect(rows[1]!.delivered_at!.getTime()).toBeGreaterThan(rows[0]!.delivered_at!.getTime() - 1000);
    // Answered before the next one left, and written two seconds after.
    expect(rows[1]!.delivered_at!.getTime()).toBeLessThan(rows[2]!.sent_at!.getTime() + 1000);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect((await attempts()).map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('share one connection', async () => {
    await ground.tell(tenant, webhook, ['a', 'b', 'c', 'd', 'e', 'f']);
    ground.startProcess();
    await ground.untilStates(webhook, ...Array<string>(6).fill('delivered'));
    expect(new Set(receiver.received.map(({ port }) => port)).size).toBe(1);
  });

  it('are written down by a process that stops while the next one is under way', async () => {
    hold('b');
    await ground.tell(tenant, webhook, ['a', 'b']);
    ground.startProcess({ timeoutMs: NEVER_MS });
    await eventually('the second to be sent', () => names().length === 2);
    await ground.stopAll();
    expect((await ground.rows(webhook)).map(({ state }) => state)).toEqual(['delivered', 'waiting']);
  });
});

describe('what a process writes and sends itself', () => {
  it('needs neither a notification nor a poll', async () => {
    // With its first delivery an endpoint has a lease.
    await ground.tell(tenant, webhook, ['first']);
    const own = ground.startProcess({ isDeaf: true, timings: { pollMs: NEVER_MS } });
    await ground.untilStates(webhook, 'delivered');
    for (const name of ['second', 'third']) {
      await ground.tell(tenant, webhook, [name, `${name} too`], own);
      await eventually(`${name} to be sent`, () => names().at(-1) === `${name} too`);
    }
    await ground.untilStates(webhook, ...Array<string>(5).fill('delivered'));
    expect(names()).toEqual(['first', 'second', 'second too', 'third', 'third too']);
    expect(sequences()).toEqual([1, 2, 3, 4, 5]);
  });

  it('keeps its place among what others write at the same time', async () => {
    const own = ground.startProcess();
    await ground.tell(tenant, webhook, ['first'], own);
    await ground.untilStates(webhook, 'delivered');
    const told = Array.from({ length: 40 }, (_, index) => index);
    await Promise.all(
      told.map((index) =>
        ground.tell(tenant, webhook, [`event ${index}`, `and ${index}`], index % 3 === 0 ? undefined : own),
      ),
    );
    await ground.untilStates(webhook, ...Array<string>(81).fill('delivered'));
    expect(sequences()).toEqual(Array.from({ length: 81 }, (_, index) => index + 1));
    expect((await ground.rows(webhook)).every(({ attempts: made }) => made === 1)).toBe(true);
  });

  it('is written down soon, however fast more comes', async () => {
    const own = ground.startProcess();
    await ground.tell(tenant, webhook, ['first'], own);
    await ground.untilStates(webhook, 'delivered');
    const unwritten: number[] = [];
    receiver.reply = (response) => {
      const received = receiver.received.length;
      void ground.rows(webhook).then((rows) => {
        unwritten.push(received - rows.filter(({ state }) => state === 'delivered').length);
        response.writeHead(204).end();
      });
    };
    await Promise.all(Array.from({ length: 40 }, (_, index) => ground.tell(tenant, webhook, [`event ${index}`], own)));
    await ground.untilStates(webhook, ...Array<string>(41).fill('delivered'));
    // The one that is under way, and those that arrived.
    expect(Math.max(...unwritten)).toBeLessThanOrEqual(1 + MOST_AHEAD);
    expect(sequences()).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
  });

  it('waits in the queue where its sender is pausing, or has just stopped', async () => {
    receiver.reply = 500;
    const own = ground.startProcess({ timings: { failurePausesMs: [NEVER_MS] } });
    await ground.tell(tenant, webhook, ['a'], own);
    await eventually('the first try', async () => (await ground.rows(webhook))[0]?.status_code === 500);
    receiver.reply = 204;
    await ground.tell(tenant, webhook, ['b'], own);
    expect((await ground.rows(webhook)).map(({ state }) => state)).toEqual(['waiting', 'waiting']);
    await ground.stopAll();
    await ground.tell(tenant, webhook, ['c'], own);
    await ground.query(`update webhook_deliveries set next_at = now() where webhook_id = '${webhook.id}'`);
    ground.startProcess();
    await ground.untilStates(webhook, 'delivered', 'delivered', 'delivered');
    expect(names()).toEqual(['a', 'a', 'b', 'c']);
  });
});

describe('what arrived, where nothing else is to be sent', () => {
  const arrives = (name: string) => eventually(`${name} to be sent`, () => names().at(-1) === name);
  const states = async () => (await ground.rows(webhook)).map(({ state }) => state);
  /** A process that writes down what arrived with something else alone, and has sent the first event. */
  async function sendsFirst({ isDeaf = false } = {}) {
    // It is there when the process starts: a deaf one would not hear of what comes between its first look and its lease.
    await ground.tell(tenant, webhook, ['first']);
    const own = ground.startProcess({ isDeaf, timings: { pollMs: NEVER_MS, unwrittenMs: NEVER_MS } });
    await arrives('first');
    return own;
  }

  it('is written down soon without a further event', async () => {
    const own = ground.startProcess({ timings: { pollMs: NEVER_MS } });
    for (const told of [1, 2]) {
      await ground.tell(tenant, webhook, [`event ${told}`], own);
      await ground.untilStates(webhook, ...Array<string>(told).fill('delivered'));
    }
  });

  it('is written down together with what comes next, four at most', async () => {
    // On a busy machine the notification of its own event may come first, and what arrived is written down with the look at it.
    const own = await sendsFirst({ isDeaf: true });
    for (const name of ['b', 'c']) {
      await ground.tell(tenant, webhook, [name], own);
      await arrives(name);
    }
    expect(await states()).toEqual(['waiting', 'waiting', 'waiting']);
    await ground.tell(tenant, webhook, ['d'], own);
    await ground.untilStates(webhook, ...Array<string>(MOST_AHEAD).fill('delivered'));
    expect(names()).toEqual(['first', 'b', 'c', 'd']);
    expect((await attempts()).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  it('keeps nothing waiting that another process wrote', async () => {
    const own = await sendsFirst();
    for (const [name, queue] of [['other'], ['own', own], ['other again'], ['own again', own]] as const) {
      await ground.tell(tenant, webhook, [name], queue);
      await arrives(name);
    }
    expect(sequences()).toEqual([1, 2, 3, 4, 5]);
    await ground.stopAll();
    expect(await states()).toEqual(Array<string>(5).fill('delivered'));
  });

  it('is written down before a failure is', async () => {
    const own = await sendsFirst();
    receiver.reply = 500;
    await ground.tell(tenant, webhook, ['b'], own);
    await eventually('the failure', async () => (await ground.rows(webhook))[1]?.status_code === 500);
    expect((await states())[0]).toBe('delivered');
  });
});
