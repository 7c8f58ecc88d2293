import type { ServerResponse } from 'node:http';
import { MOST_AHEAD } from '../../../src/exits/kit/queue/claim-statements.js';
import type { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { expectStatus, type Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { backwards } from '../../support/backwards.js';
import { Webhook } from '../../support/standard-webhooks.js';
import { HOUR_S, MINUTE_S, MortalGateway, PATIENCE_MS } from '../mortal-gateway.js';
import { verify } from '../verify.js';

/** Every step between an event and the last word about its delivery. */
const TELLING = ['outbox_handed_over', 'webhook_in_handle', 'webhook_after_handle', 'outbox_before_handled'];
const SENDING = ['delivery_taken', 'delivery_answered', 'delivery_written'];
const PHOTOS = 3;
const MANY_WAIT = 10_000;
/** As events that were told while the endpoint was paused. */
const MANY = `with made as (insert into webhook_deliveries (id, webhook_id, organization_id, environment, number, subject_id, version, lane, preliminary,
    body, size_bytes, type, state, next_at, created_at)
  select gen_random_uuid(), webhook_id, organization_id, environment, number + place, gen_random_uuid(), 1, lane, false,
    body, size_bytes, type, 'waiting', sutura_now(), sutura_now() from webhook_deliveries, generate_series(1, $2::int) place
  where webhook_id = $1 returning number)
  update webhook_senders set last_number = (select max(number) from made) where webhook_id = $1`;

let ground: MortalGateway;
const open = async (env: Record<string, string> = {}) => {
  ground = await MortalGateway.open(env);
};
afterEach(() => ground?.close());

interface Endpoint {
  readonly id: string;
  readonly secret: string;
  readonly receiver: WebhookReceiver;
}
async function subscribe(reply: WebhookReceiver['reply'] = 204): Promise<Endpoint> {
  const receiver = await ground.receiver(reply);
  const json = { url: receiver.url, types: ['report.ready'] };
  const { id, secret } = expectStatus(201, await ground.client.request('POST', '/api/v1/webhooks', { json })).body;
  return { id, secret, receiver };
}
const act = async (path: string, json?: object): Promise<Answer> =>
  expectStatus(
    200,
    await ground.client.request('POST', `/api/v1/webhooks/${path}`, json === undefined ? {} : { json }),
  );

const read = async (path: string): Promise<Answer['body']> =>
  expectStatus(200, await ground.client.request('GET', `/api/v1/webhooks/${path}`)).body;

interface Row {
  readonly subject_id: string;
  readonly state: string;
  readonly attempts: number;
}
const rowsOf = ({ id }: Endpoint) =>
  ground.query<Row>(
    'select subject_id, state, attempts from webhook_deliveries where webhook_id = $1 order by number',
    [id],
  );

/** All were told, the first time each in the order of their numbers, and again only with the same id, the same body, and what came with it. */
async function expectAllTold(endpoint: Endpoint, count: number): Promise<void> {
  const isTold = async () => {
    const states = (await rowsOf(endpoint)).map(({ state }) => state);
    if (states.length === count && states.every((state) => state === 'delivered')) return true;
    throw new Error(`${states.length} deliveries: ${[...new Set(states)].join()}`);
  };
  await eventually('all to be delivered', isTold, PATIENCE_MS, 200);
  const { received } = endpoint.receiver;
  const rows = await rowsOf(endpoint);
  expect([...new Set(received.map(({ id }) => id))]).toEqual(rows.map(({ subject_id }) => subject_id));
  expect(new Set(received.map(({ id, body }) => `${id} ${body}`)).size).toBe(count);
  const sequences = received.map(({ event }) => event.data.sequence as number);
  expect(backwards(sequences)).toBeLessThan(MOST_AHEAD);
}

it('are told in order, none left out, though the gateway is killed at every step', async () => {
  await open({ SUTURA_FP: 'webhook_in_handle:throw' });
  const endpoint = await subscribe();
  await ground.analyse(PHOTOS);
  // So that no event is sent before those steps are over.
  await act(`${endpoint.id}/pause`);
  await ground.kill();
  expect(await rowsOf(endpoint)).toEqual([]);
  for (const step of TELLING) await ground.dieAt(step);
  await ground.query('update webhooks set paused = false');
  for (const step of SENDING) await ground.dieAt(step);
  await ground.letPass(2 * HOUR_S);
  await ground.comeBack();
  await expectAllTold(endpoint, PHOTOS);
  // The one that was killed with the answer in its hands was not believed.
  expect(endpoint.receiver.received.length).toBeGreaterThan(PHOTOS);
  await ground.letPass(2 * HOUR_S);
  await verify(ground.steady, ground.jobs, { dayByDay: false });
}, 150_000);

it('are told in order by receivers that fail for an hour, are busy, gone, silent or slow, and while keys are rotated', async () => {
  await open();
  const failing = await subscribe(500);
  const busy = await subscribe((response) => response.writeHead(429, { 'retry-after': '1200' }).end());
  const gone = await subscribe(410);
  const silent = await subscribe((response) => {
    if (silent.receiver.received.length > 1) response.writeHead(200).end();
  });
  const held: ServerResponse[] = [];
  const slow = await subscribe((response) => void held.push(response));
  await ground.analyse(3);
  const firstTries = () => [failing, busy, gone, silent, slow].every(({ receiver }) => receiver.received.length === 1);
  await eventually('a first attempt at each', firstTries);
  // What comes after waits for the answer that is slow; then each goes on its own.
  await eventually('the disabling', async () => (await read(gone.id)).state === 'disabled');
  expect(slow.receiver.received).toHaveLength(1);
  slow.receiver.reply = 202;
  held[0]!.writeHead(202).end();
  await expectAllTold(slow, 3);

  busy.receiver.reply = 204;
  for (const attempts of [2, 3]) {
    await ground.letPass(6 * MINUTE_S);
    await eventually(`attempt ${attempts}`, () => failing.receiver.received.length === attempts, PATIENCE_MS);
  }
  // Asked for twenty minutes, of which twelve have passed.
  expect(busy.receiver.received).toHaveLength(1);
  const { secret } = (await act(`${failing.id}/rotate`, {})).body;
  [failing.receiver.reply, gone.receiver.reply] = [200, 200];
  await act(`${gone.id}/resume`);
  await ground.letPass(60 * MINUTE_S);
  await expectAllTold(busy, 3);
  await expectAllTold(silent, 3);
  await expectAllTold(failing, 3);
  expect(failing.receiver.received.map(({ event }) => event.data.sequence)).toEqual([1, 1, 1, 1, 2, 3]);
  const { deliveries } = await read(`${failing.id}/deliveries`);
  const last = await eventually('both keys to sign', async () => {
    await ground.client.request('POST', `/api/v1/webhooks/${failing.id}/deliveries/${deliveries[0].id}/replay`);
    const latest = failing.receiver.received.at(-1)!;
    return String(latest.headers['webhook-signature']).includes(' ') ? latest : undefined;
  });
  for (const one of [failing.secret, secret])
    expect(new Webhook(one).verify(last.body, last.headers as Record<string, string>)).toEqual(last.event);
  // The one that was answered 410 is parked, for a person to send; the others were not held up.
  expect((await rowsOf(gone)).map(({ state }) => state)).toEqual(['parked', 'delivered', 'delivered']);
  await verify(ground.steady, ground.jobs, { dayByDay: false });
}, 150_000);

it('are told in order though the database goes away between an answer and its writing down', async () => {
  await open();
  const held: ServerResponse[] = [];
  const endpoint = await subscribe((response) => void held.push(response));
  await ground.analyse(3);
  await eventually('an attempt to be under way', () => held.length === 1);
  await ground.withoutDatabase(async () => {
    held[0]!.writeHead(200).end();
    endpoint.receiver.reply = 200;
    await eventually('the sender to notice', () => ground.steady.logs.includes('webhook.sender_failed'));
  });
  await ground.letPass(MINUTE_S);
  await expectAllTold(endpoint, 3);
  expect(endpoint.receiver.received.map(({ event }) => event.data.sequence)).toEqual([1, 2, 3]);
  expect(ground.steady.process.hasExited).toBe(false);
  await verify(ground.steady, ground.jobs, { dayByDay: false });
}, 150_000);

it('are told in order after many have waited, and the gateway is killed among them', async () => {
  await open();
  const endpoint = await subscribe();
  await ground.analyse(1);
  await expectAllTold(endpoint, 1);
  endpoint.receiver.forget();
  await ground.query(MANY, [endpoint.id, MANY_WAIT]);
  await eventually('some to arrive', () => endpoint.receiver.received.length > MANY_WAIT / 10, PATIENCE_MS);
  await ground.kill();
  await ground.letPass(MINUTE_S);
  await ground.comeBack();
  await eventually('all to arrive', () => endpoint.receiver.received.length >= MANY_WAIT, 5 * PATIENCE_MS);
  const first = (await rowsOf(endpoint))[0]!.subject_id;
  const { received } = endpoint.receiver;
  await eventually('the last to be written down', async () =>
    (await rowsOf(endpoint)).every(({ state }) => state === 'delivered'),
  );
  expect([first, ...new Set(received.map(({ id }) => id))]).toEqual(
    (await rowsOf(endpoint)).map(({ subject_id }) => subject_id),
  );
  expect(received.length).toBeLessThanOrEqual(MANY_WAIT + MOST_AHEAD);
  await verify(ground.steady, ground.jobs, { dayByDay: false });
}, 400_000);
