import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compareAbba } from '../lib/abba.mjs';
import { ask, endProcess, startFloor } from '../lib/child-program.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { query } from '../lib/postgres-server.mjs';
import { describeLatencies } from '../lib/statistics.mjs';
import { createTenants, createJob, uploadPhoto, waitForJob } from '../lib/tenants.mjs';
import { startWebhookReceiver } from '../lib/webhook-receiver.mjs';

const FLOOR = resolve(import.meta.dirname, '../floors/raw-webhook-post.mjs');
const ENDPOINTS = 10;
const SHARE_OF_FLOOR = 0.5;
const FIRST_ATTEMPT_MS = 250;
const MOST_GROWTH = 1.3;
const FEW = 1000;
/** Nobody sends more in a second here: no side is to run out of events. */
const MOST_PER_S = 6000;
const DECISIONS = 40;
const SCOPES = ['images:write', 'analysis:write', 'analysis:read', 'analysis:review', 'webhooks:manage'];

/** Signed events to ten endpoints, each in order; how soon the first attempt is made; and the same with many waiting (`--jobs N` of them). */
export const s12 = {
  id: 's12',
  name: 'webhooks',
  unit: 'events/s',
  goal: `at least ${SHARE_OF_FLOOR} of a raw loop that posts signed bodies from a table; first attempt p50 at most ${FIRST_ATTEMPT_MS} ms after the commit; growth from 1e3 to 1e6 waiting events at most ${MOST_GROWTH}`,
  async run({ postgres, secs, rounds, jobs, model }) {
    const databaseUrl = await postgres.createDatabase();
    const gateway = await startGateway({
      databaseUrl,
      env: { SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8', SUTURA_SEGMENTATION_MODEL: model, SUTURA_WORKER_PROCESSES: '1' },
    });
    const [tenant] = await createTenants(gateway, 1, SCOPES);
    const receiver = await startWebhookReceiver();
    try {
      const woundId = await makeWound(gateway, tenant);
      const firstMs = await timeFirstAttempts(gateway, tenant, receiver, woundId);
      const webhooks = [];
      for (let made = 0; made < ENDPOINTS; made += 1) webhooks.push(await createWebhook(gateway, tenant, receiver.url));
      const ours = () => rateOf(databaseUrl, receiver, secs);
      await fill(databaseUrl, webhooks, FEW + secs * MOST_PER_S * (rounds * 2 + 1));
      await ours();
      const compared = await compareWithFloor({ databaseUrl, gateway, receiver, secs, rounds, ours });
      await empty(databaseUrl);
      const growth = await measureGrowth({ databaseUrl, webhooks, receiver, secs, jobs });
      const passed =
        compared.ratio >= SHARE_OF_FLOOR && firstMs.p50 <= FIRST_ATTEMPT_MS && growth.growth <= MOST_GROWTH;
      return { ...compared, firstAttemptMs: firstMs, ...growth, waiting: jobs, passed };
    } finally {
      receiver.close();
      await gateway.stop();
    }
  },
};

async function api(gateway, tenant, method, path, json) {
  const answer = await fetch(`${gateway.baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: tenant.authorization, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
}

/** The id of a new endpoint of the tenant. */
export const createWebhook = async (gateway, tenant, url, types = ['report.ready']) =>
  (await api(gateway, tenant, 'POST', '/webhooks', { url, types })).id;

async function makeWound(gateway, tenant) {
  const [photo] = await drawPhotos(['1 MP']);
  const jobId = await createJob(gateway, tenant, await uploadPhoto(gateway, tenant, photo.bytes));
  await waitForJob(gateway, tenant, jobId);
  for (;;) {
    const { items } = await api(gateway, tenant, 'GET', '/wounds');
    if (items.length > 0) return items[0].id;
    await pause(50);
  }
}

/** From the answer to a person's decision, which is given after its commit, to the arrival of its event, one at a time. */
async function timeFirstAttempts(gateway, tenant, receiver, woundId) {
  const id = await createWebhook(gateway, tenant, receiver.url, ['wound.closed', 'wound.opened']);
  // Its sender is there once it was seen by the pool.
  await pause(4000);
  const latenciesMs = [];
  for (let made = 0; made < DECISIONS; made += 1) {
    let arrivedAt = 0;
    const arrival = new Promise((arrived) => {
      receiver.onRequest = () => {
        arrivedAt = performance.now();
        arrived();
      };
    });
    const decision = made % 2 === 0 ? 'close' : 'reopen';
    await api(gateway, tenant, 'POST', `/wounds/${woundId}/${decision}`, { reviewer: { id: 'N-7', name: 'A. Nurse' } });
    const committedAt = performance.now();
    await arrival;
    latenciesMs.push(Math.max(0, arrivedAt - committedAt));
  }
  receiver.onRequest = () => undefined;
  await api(gateway, tenant, 'DELETE', `/webhooks/${id}`);
  return describeLatencies(latenciesMs);
}

/** As many events of a usual size as are asked for, shared out over the endpoints; their senders are told. */
async function fill(databaseUrl, webhooks, count) {
  for (const webhookId of webhooks)
    await query(
      databaseUrl,
      `with endpoint as (select id, organization_id, environment from webhooks where id = $1),
        sender as (insert into webhook_senders (webhook_id, organization_id, environment, last_number) select id, organization_id, environment, $2::int from endpoint
          on conflict (webhook_id) do update set last_number = webhook_senders.last_number + $2::int returning last_number - $2::int as first)
      insert into webhook_deliveries (id, webhook_id, organization_id, environment, number, subject_id, version, lane, preliminary, body, size_bytes, type, state, next_at, created_at)
        select gen_random_uuid(), endpoint.id, endpoint.organization_id, endpoint.environment, sender.first + place, gen_random_uuid(), 1, 'x', false,
          convert_to('{"type":"report.ready","timestamp":"2026-01-05T08:00:00.000Z","data":{"sequence":' || place || ',"reason":"' || repeat('x', 600) || '"}}', 'utf8'),
          700, 'report.ready', 'waiting', sutura_now(), sutura_now()
        from endpoint, sender, generate_series(1, $2::int) place`,
      [webhookId, Math.ceil(count / webhooks.length)],
    );
  await query(databaseUrl, 'vacuum (analyze) webhook_deliveries');
  for (const webhookId of webhooks)
    await query(databaseUrl, `select pg_notify('sutura_webhooks_out', $1)`, [webhookId]);
}

const empty = (databaseUrl) =>
  query(databaseUrl, `update webhook_deliveries set state = 'discarded' where state = 'waiting'`);

/** Events a second that arrive while all endpoints have some waiting. */
async function rateOf(databaseUrl, receiver, secs) {
  await pause(500);
  const [before, began] = [receiver.count, performance.now()];
  await pause(secs * 1000);
  const rate = ((receiver.count - before) * 1000) / (performance.now() - began);
  const [{ endpoints }] = await query(
    databaseUrl,
    `select count(distinct webhook_id)::int as endpoints from webhook_deliveries where state = 'waiting'`,
  );
  if (endpoints < ENDPOINTS) throw new Error('An endpoint ran out of events during the measurement.');
  return rate;
}

async function compareWithFloor({ databaseUrl, gateway, receiver, secs, rounds, ours }) {
  await query(
    databaseUrl,
    'create table raw_webhooks (id text primary key, endpoint int, number int, body bytea, delivered boolean not null default false)',
  );
  await query(
    databaseUrl,
    `insert into raw_webhooks (id, endpoint, number, body) select gen_random_uuid()::text, place % $1::int, place, convert_to(repeat('x', 700), 'utf8') from generate_series(1, $2::int) place`,
    [ENDPOINTS, MOST_PER_S * secs * rounds * 2],
  );
  await query(databaseUrl, 'create index on raw_webhooks (endpoint, number) where not delivered');
  const floor = await startFloor(FLOOR, { databaseUrl, url: receiver.url, endpoints: ENDPOINTS });
  const bare = () =>
    gateway.pausedDuring(async () => {
      const [before, began] = [receiver.count, performance.now()];
      await ask(floor, { secs });
      return ((receiver.count - before) * 1000) / (performance.now() - began);
    });
  try {
    return await compareAbba(rounds, { ours, floor: bare });
  } finally {
    await endProcess(floor.child, 'SIGKILL');
  }
}

/** The rate with few events waiting against that with many. */
async function measureGrowth({ databaseUrl, webhooks, receiver, secs, jobs }) {
  await fill(databaseUrl, webhooks, FEW + secs * MOST_PER_S);
  const few = await rateOf(databaseUrl, receiver, secs);
  await fill(databaseUrl, webhooks, jobs);
  const many = await rateOf(databaseUrl, receiver, secs);
  return { growth: few / many, perSecondWith: { few, many } };
}
