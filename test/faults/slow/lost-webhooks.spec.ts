import type { ServerResponse } from 'node:http';
import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { expectStatus, type Answer, type ApiClient } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway, type GatewayOptions } from '../../support/gateway.js';
import { Webhook } from '../../support/standard-webhooks.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { verify } from '../verify.js';

/** Every step between an event and the last word about its delivery. */
const TELLING = ['outbox_handed_over', 'webhook_in_handle', 'webhook_after_handle', 'outbox_before_handled'];
const SENDING = ['delivery_taken', 'delivery_answered', 'delivery_written'];
const PHOTOS = 3;
const MANY_WAIT = 500;
/** As events that were told while the endpoint was paused. */
const MANY = `with made as (insert into webhook_deliveries (id, webhook_id, organization_id, environment, number, subject_id, version, lane, preliminary,
    body, size_bytes, type, state, next_at, created_at)
  select gen_random_uuid(), webhook_id, organization_id, environment, number + place, gen_random_uuid(), 1, lane, false,
    body, size_bytes, type, 'waiting', sutura_now(), sutura_now() from webhook_deliveries, generate_series(1, $2::int) place
  where webhook_id = $1 returning number)
  update webhook_senders set last_number = (select max(number) from made) where webhook_id = $1`;
const PATIENCE_MS = 45_000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

let base: Gateway;
let steady: Gateway;
let client: ApiClient;
let receivers: WebhookReceiver[];
let jobs: string[];
/** Of the database's clock. */
let aheadS: number;

async function open(env: Record<string, string> = {}): Promise<void> {
  [receivers, jobs, aheadS] = [[], [], 0];
  base = await startGateway({ env: { SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8', ...env } });
  steady = base;
  client = await base.createClient();
}
afterEach(async () => {
  if (steady !== base) await steady?.stop();
  await base?.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

const start = (env: Record<string, string> = {}, until: NonNullable<GatewayOptions['until']> = 'ready') =>
  startGateway({
    databaseUrl: base.databaseUrl,
    dataDir: base.dataDir,
    env: { SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8', ...env },
    until,
  });

/** A gateway starts where the one before it died, once that one's leases have ended: those of events double with each. */
async function dieAt(step: string): Promise<void> {
  await letPass(HOUR_S);
  const doomed = await start({ SUTURA_FP: `${step}:kill` }, 'spawned');
  await eventually(`the end at ${step}`, () => doomed.process.hasExited, PATIENCE_MS);
  expect((await doomed.process.exited).signal).toBe('SIGKILL');
}

interface Endpoint {
  readonly id: string;
  readonly secret: string;
  readonly receiver: WebhookReceiver;
}
async function subscribe(reply: WebhookReceiver['reply'] = 204): Promise<Endpoint> {
  const receiver = await WebhookReceiver.start();
  receiver.reply = reply;
  receivers.push(receiver);
  const json = { url: receiver.url, types: ['report.ready'] };
  const { id, secret } = expectStatus(201, await client.request('POST', '/api/v1/webhooks', { json })).body;
  return { id, secret, receiver };
}
const act = async (path: string, json?: object): Promise<Answer> =>
  expectStatus(200, await client.request('POST', `/api/v1/webhooks/${path}`, json === undefined ? {} : { json }));

async function analyse(count: number): Promise<void> {
  const imageId = await client.uploadPhoto(await drawWoundPhoto({ width: 128, height: 96 }));
  for (let done = 0; done < count; done += 1) jobs.push((await client.startJob({ imageId })).id);
  await Promise.all(jobs.map((id) => client.waitForJob(id)));
}

/** The clock of the database jumps ahead: what waits for a while is due. */
async function letPass(seconds: number): Promise<void> {
  aheadS += seconds;
  await queryDatabase(
    base.databaseUrl,
    `create or replace function sutura_now() returns timestamptz language sql volatile as 'select clock_timestamp() + interval ''${aheadS} seconds'''`,
  );
}

const read = async (path: string): Promise<Answer['body']> =>
  expectStatus(200, await client.request('GET', `/api/v1/webhooks/${path}`)).body;

interface Row {
  readonly subject_id: string;
  readonly state: string;
  readonly attempts: number;
}
const rowsOf = ({ id }: Endpoint) =>
  queryDatabase<Row>(
    base.databaseUrl,
    'select subject_id, state, attempts from webhook_deliveries where webhook_id = $1 order by number',
    [id],
  );

/** All were told, the first time each in the order of their numbers, and again only with the same id and the same body. */
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
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
}

it('are told in order, none left out, though the gateway is killed at every step', async () => {
  await open({ SUTURA_FP: 'webhook_in_handle:throw' });
  const endpoint = await subscribe();
  await analyse(PHOTOS);
  // So that no event is sent before those steps are over.
  await act(`${endpoint.id}/pause`);
  await base.kill();
  expect(await rowsOf(endpoint)).toEqual([]);
  for (const step of TELLING) await dieAt(step);
  await queryDatabase(base.databaseUrl, 'update webhooks set paused = false');
  for (const step of SENDING) await dieAt(step);
  await letPass(2 * HOUR_S);
  steady = await start();
  await expectAllTold(endpoint, PHOTOS);
  // The one that was killed with the answer in its hands was not believed.
  expect(endpoint.receiver.received.length).toBeGreaterThan(PHOTOS);
  await letPass(2 * HOUR_S);
  await verify(steady, jobs, { dayByDay: false });
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
  await analyse(3);
  const firstTries = () => receivers.every(({ received }) => received.length === 1);
  await eventually('a first attempt at each', firstTries);
  // What comes after waits for the answer that is slow; then each goes on its own.
  await eventually('the disabling', async () => (await read(gone.id)).state === 'disabled');
  expect(slow.receiver.received).toHaveLength(1);
  slow.receiver.reply = 202;
  held[0]!.writeHead(202).end();
  await expectAllTold(slow, 3);

  busy.receiver.reply = 204;
  for (const attempts of [2, 3]) {
    await letPass(6 * MINUTE_S);
    await eventually(`attempt ${attempts}`, () => failing.receiver.received.length === attempts, PATIENCE_MS);
  }
  // Asked for twenty minutes, of which twelve have passed.
  expect(busy.receiver.received).toHaveLength(1);
  const { secret } = (await act(`${failing.id}/rotate`, {})).body;
  [failing.receiver.reply, gone.receiver.reply] = [200, 200];
  await act(`${gone.id}/resume`);
  await letPass(60 * MINUTE_S);
  await expectAllTold(busy, 3);
  await expectAllTold(silent, 3);
  await expectAllTold(failing, 3);
  expect(failing.receiver.received.map(({ event }) => event.data.sequence)).toEqual([1, 1, 1, 1, 2, 3]);
  const { deliveries } = await read(`${failing.id}/deliveries`);
  const last = await eventually('both keys to sign', async () => {
    await client.request('POST', `/api/v1/webhooks/${failing.id}/deliveries/${deliveries[0].id}/replay`);
    const latest = failing.receiver.received.at(-1)!;
    return String(latest.headers['webhook-signature']).includes(' ') ? latest : undefined;
  });
  for (const one of [failing.secret, secret])
    expect(new Webhook(one).verify(last.body, last.headers as Record<string, string>)).toEqual(last.event);
  // The one that was answered 410 is parked, for a person to send; the others were not held up.
  expect((await rowsOf(gone)).map(({ state }) => state)).toEqual(['parked', 'delivered', 'delivered']);
  await verify(steady, jobs, { dayByDay: false });
}, 150_000);

it('are told in order though the database goes away between an answer and its writing down', async () => {
  await open();
  const held: ServerResponse[] = [];
  const endpoint = await subscribe((response) => void held.push(response));
  await analyse(3);
  await eventually('an attempt to be under way', () => held.length === 1);
  await withoutDatabase(async () => {
    held[0]!.writeHead(200).end();
    endpoint.receiver.reply = 200;
    await eventually('the sender to notice', () => steady.logs.includes('webhook.sender_failed'));
  });
  await letPass(MINUTE_S);
  await expectAllTold(endpoint, 3);
  expect(endpoint.receiver.received.map(({ event }) => event.data.sequence)).toEqual([1, 1, 2, 3]);
  expect(steady.process.hasExited).toBe(false);
  await verify(steady, jobs, { dayByDay: false });
}, 150_000);

it('are told in order after many have waited, and the gateway is killed among them', async () => {
  await open();
  const endpoint = await subscribe();
  await analyse(1);
  await expectAllTold(endpoint, 1);
  endpoint.receiver.forget();
  await queryDatabase(base.databaseUrl, MANY, [endpoint.id, MANY_WAIT]);
  await eventually('some to arrive', () => endpoint.receiver.received.length > MANY_WAIT / 10, PATIENCE_MS);
  await base.kill();
  await letPass(MINUTE_S);
  steady = await start();
  await eventually('all to arrive', () => endpoint.receiver.received.length >= MANY_WAIT, PATIENCE_MS);
  const first = (await rowsOf(endpoint))[0]!.subject_id;
  const { received } = endpoint.receiver;
  await eventually('the last to be written down', async () =>
    (await rowsOf(endpoint)).every(({ state }) => state === 'delivered'),
  );
  expect([first, ...new Set(received.map(({ id }) => id))]).toEqual(
    (await rowsOf(endpoint)).map(({ subject_id }) => subject_id),
  );
  expect(received.length).toBeLessThanOrEqual(MANY_WAIT + 1);
  await verify(steady, jobs, { dayByDay: false });
}, 150_000);

/** Nobody can connect to it, and whoever was connected is cut off. */
async function withoutDatabase(work: () => Promise<void>): Promise<void> {
  const server = new URL(base.databaseUrl);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const run = (sql: string) => queryDatabase(server.href, sql);
  await run(`alter database ${name} allow_connections false`);
  try {
    await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await work();
  } finally {
    await run(`alter database ${name} allow_connections true`);
  }
}
