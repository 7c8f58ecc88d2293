import type { ServerResponse } from 'node:http';
import { MOST_AHEAD } from '../../../src/exits/kit/queue/claim-statements.js';
import type { ReceivedWebhook, WebhookReceiver } from '../../peers/webhook-receiver.js';
import { eventually } from '../../support/eventually.js';
import { backwards } from '../../support/backwards.js';
import { becomes, content, createSubscription, numbersOf, subscriptionTo } from '../../support/fhir-subscriptions.js';
import { HOUR_S, MINUTE_S, MortalGateway, PATIENCE_MS } from '../mortal-gateway.js';
import { verify } from '../verify.js';

/** Every step between a change and the last word about its notification. */
const TELLING = ['outbox_handed_over', 'subscription_in_handle', 'subscription_after_handle', 'outbox_before_handled'];
const SENDING = ['delivery_taken', 'delivery_answered', 'delivery_written'];
const PHOTOS = 3;
const MANY_WAIT = 10_000;
/** As notifications of other resources that were made while it was held back; one more column would be another number. */
const MANY = `with made as (insert into fhir_subscription_deliveries (id, subscription_id, organization_id, environment, number, subject_id, version, lane,
    preliminary, body, size_bytes, type, state, next_at, created_at)
  select gen_random_uuid(), subscription_id, organization_id, environment, number + place, gen_random_uuid(), 1, lane, false,
    body, size_bytes, type, 'waiting', sutura_now(), sutura_now() from fhir_subscription_deliveries, generate_series(1, $2::int) place
  where subscription_id = $1 and number = 2 returning number)
  update fhir_subscription_senders set last_number = (select max(number) from made) where subscription_id = $1`;

let ground: MortalGateway;
const open = async (env: Record<string, string> = {}) => {
  ground = await MortalGateway.open(env);
};
afterEach(() => ground?.close());

interface Told {
  readonly id: string;
  readonly receiver: WebhookReceiver;
}
async function subscribe(reply: WebhookReceiver['reply'] = 204): Promise<Told> {
  const receiver = await ground.receiver();
  const { id } = await createSubscription(ground.client, subscriptionTo(receiver.url, {}, content('id-only')));
  await becomes(ground.client, id, 'active');
  receiver.forget();
  receiver.reply = reply;
  return { id, receiver };
}

const rowsOf = ({ id }: Told) =>
  ground.query<{ id: string; state: string }>(
    `select id, state from fhir_subscription_deliveries where subscription_id = $1 and type = 'event-notification' order by number`,
    [id],
  );
const numberOf = (received: ReceivedWebhook) => Number(numbersOf(received)[0]);

/** All were told, the first time each in the order of their numbers, and again only with the same id and the same body. */
async function expectAllTold(told: Told, count: number): Promise<void> {
  const isTold = async () => {
    const states = (await rowsOf(told)).map(({ state }) => state);
    if (states.length === count && states.every((state) => state === 'delivered')) return true;
    throw new Error(`${states.length} notifications: ${[...new Set(states)].join()}`);
  };
  await eventually('all to be delivered', isTold, 3 * PATIENCE_MS, 200);
  const { received } = told.receiver;
  expect([...new Set(received.map(({ id }) => id))]).toEqual((await rowsOf(told)).map(({ id }) => id));
  expect(new Set(received.map(({ id, body }) => `${id} ${body}`)).size).toBe(count);
}

it('are told in order, none left out, though the gateway is killed at every step', async () => {
  await open({ SUTURA_FP: 'subscription_in_handle:throw' });
  const told = await subscribe();
  await ground.analyse(PHOTOS);
  // So that nothing is sent before those steps are over.
  await ground.query('update fhir_subscriptions set paused = true');
  await ground.kill();
  expect(await rowsOf(told)).toEqual([]);
  for (const step of TELLING) await ground.dieAt(step);
  await ground.query('update fhir_subscriptions set paused = false');
  for (const step of SENDING) await ground.dieAt(step);
  await ground.letPass(2 * HOUR_S);
  await ground.comeBack();
  await expectAllTold(told, PHOTOS);
  // The one that was killed with the answer in its hands was not believed.
  expect(told.receiver.received.length).toBeGreaterThan(PHOTOS);
  const numbers = told.receiver.received.map(numberOf);
  expect([...new Set(numbers)]).toEqual([1, 2, 3]);
  expect(backwards(numbers)).toBeLessThan(MOST_AHEAD);
  await ground.letPass(2 * HOUR_S);
  await verify(ground.steady, ground.jobs, { dayByDay: false });
}, 150_000);

it('are told in order by receivers that fail for an hour, are busy, gone or silent, and after another endpoint was named', async () => {
  await open();
  const failing = await subscribe(500);
  const busy = await subscribe((response) => response.writeHead(429, { 'retry-after': '1200' }).end());
  const gone = await subscribe(410);
  const silent = await subscribe((response) => {
    if (silent.receiver.received.length > 1) response.writeHead(200).end();
  });
  await ground.analyse(PHOTOS);
  const all = [failing, busy, gone, silent];
  await eventually('a first attempt at each', () => all.every(({ receiver }) => receiver.received.length === 1));
  await becomes(ground.client, gone.id, 'error');
  busy.receiver.reply = 204;
  for (const attempts of [2, 3]) {
    await ground.letPass(6 * MINUTE_S);
    await eventually(`attempt ${attempts}`, () => failing.receiver.received.length === attempts, PATIENCE_MS);
  }
  // Asked for twenty minutes, of which twelve have passed.
  expect(busy.receiver.received).toHaveLength(1);
  // The endpoint that is gone is another one from now on: a handshake, then what waits.
  const moved = await ground.receiver();
  const json = { ...subscriptionTo(moved.url, {}, content('id-only')), id: gone.id };
  expect((await ground.client.request('PUT', `/fhir/Subscription/${gone.id}`, { json })).status).toBe(200);
  failing.receiver.reply = 200;
  await ground.letPass(HOUR_S);
  for (const told of [busy, silent, failing]) await expectAllTold(told, PHOTOS);
  expect(failing.receiver.received.map(numberOf)).toEqual([1, 1, 1, 1, 2, 3]);
  await eventually('what waited to be sent there', () => moved.received.length === PHOTOS);
  expect(moved.received.map((one) => numbersOf(one)[0])).toEqual([undefined, '2', '3']);
  // The one that was answered 410 is parked, for a person or $resend; the others were not held up.
  expect((await rowsOf(gone)).map(({ state }) => state)).toEqual(['parked', 'delivered', 'delivered']);
  await verify(ground.steady, ground.jobs, { dayByDay: false });
}, 150_000);

it('are told in order though the database goes away between an answer and its writing down', async () => {
  await open();
  const held: ServerResponse[] = [];
  const told = await subscribe((response) => void held.push(response));
  await ground.analyse(PHOTOS);
  await eventually('an attempt to be under way', () => held.length === 1);
  await ground.withoutDatabase(async () => {
    held[0]!.writeHead(200).end();
    told.receiver.reply = 200;
    await eventually('the sender to notice', () => ground.steady.logs.includes('subscription.sender_failed'));
  });
  await ground.letPass(MINUTE_S);
  await expectAllTold(told, PHOTOS);
  expect(told.receiver.received.map(numberOf)).toEqual([1, 2, 3]);
  await verify(ground.steady, ground.jobs, { dayByDay: false });
}, 150_000);

it('are told in order after ten thousand have waited, and the gateway is killed among them', async () => {
  await open();
  const told = await subscribe();
  await ground.analyse(1);
  await expectAllTold(told, 1);
  await ground.query(MANY, [told.id, MANY_WAIT]);
  await eventually('some to arrive', () => told.receiver.received.length > MANY_WAIT / 10, PATIENCE_MS);
  await ground.kill();
  await ground.letPass(MINUTE_S);
  await ground.comeBack();
  const isSent = () => told.receiver.received.length > MANY_WAIT;
  await eventually('all to arrive', isSent, 3 * PATIENCE_MS);
  await eventually('the last to be written down', async () =>
    (await rowsOf(told)).every(({ state }) => state === 'delivered'),
  );
  const { received } = told.receiver;
  expect([...new Set(received.map(({ id }) => id))]).toEqual((await rowsOf(told)).map(({ id }) => id));
  expect(received.length).toBeLessThanOrEqual(MANY_WAIT + MOST_AHEAD + 1);
  await verify(ground.steady, ground.jobs, { dayByDay: false });
}, 240_000);
