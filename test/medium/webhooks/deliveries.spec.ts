import { v7 } from 'uuid';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { toSecretText } from '../../../src/exits/http/index.js';
import type { WebhookRegister } from '../../../src/exits/webhooks/endpoints/webhook-register.js';
import type { WebhookEventType } from '../../../src/core/deliveries/webhook-events.js';
import type { Webhook } from '../../../src/exits/webhooks/endpoints/webhook.js';
import { DeliveryTraces } from '../../../src/exits/kit/index.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { DeliveryLog } from '../../../src/exits/webhooks/queue/delivery-log.js';
import { HTTP_TIMINGS, type HttpTimings } from '../../../src/exits/http/index.js';
import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { eventually } from '../../support/eventually.js';
import { Webhook as Verifier } from '../../support/standard-webhooks.js';
import { WebhookGround } from './webhook-ground.js';

let ground: WebhookGround;
let tenant: Tenant;
let receiver: WebhookReceiver;
let register: WebhookRegister;

beforeAll(async () => {
  ground = await WebhookGround.open();
  ({ register } = ground);
});
beforeEach(async () => {
  tenant = await ground.context.createTenant();
  receiver = await WebhookReceiver.start();
});
afterEach(async () => {
  await ground.stopAll();
  await receiver.stop();
});
afterAll(() => ground?.close());

const startProcess = (timings: Partial<HttpTimings> = {}) => ground.startProcess({ timings });
const create = (types: WebhookEventType[] = [], url = receiver.url) => ground.create(tenant, url, types);
const tell = (webhook: Webhook, ...named: readonly string[]) => ground.tell(tenant, webhook, named);
const rows = (webhook: Webhook) => ground.rows(webhook);
const untilStates = (webhook: Webhook, ...states: readonly string[]) => ground.untilStates(webhook, ...states);
const names = () => receiver.received.map(({ event }) => event.data.name as string);

describe('an endpoint that does not take an event', () => {
  it('is disabled by 410, is sent nothing more, and others are told', async () => {
    const told = await WebhookReceiver.start();
    try {
      const webhook = await create(['report.ready']);
      const other = await create(['endpoint.disabled'], told.url);
      receiver.reply = 410;
      await tell(webhook, 'a', 'b');
      startProcess();
      await eventually('the other to be told', () => told.received.length === 1);
      expect(told.received[0]!.event).toMatchObject({
        type: 'endpoint.disabled',
        data: { webhookId: webhook.id, reason: 'gone' },
      });
      expect((await register.find(tenant, webhook.id)).disabled).toMatchObject({ reason: 'gone' });
      expect(names()).toEqual(['a']);
      await untilStates(webhook, 'parked', 'waiting');
      await untilStates(other, 'delivered');
      receiver.reply = 204;
      // As after the time in which nobody sends.
      await ground.query(`update webhook_senders set lease_token = null, lease_until = null`);
      await register.resume(tenant, webhook.id);
      await untilStates(webhook, 'parked', 'delivered');
    } finally {
      await ground.stopAll();
      await told.stop();
    }
  });

  it('is disabled and told of, or neither, where its process is killed between', async () => {
    const told = await WebhookReceiver.start();
    try {
      const webhook = await create(['report.ready']);
      await create(['endpoint.disabled'], told.url);
      receiver.reply = 410;
      await tell(webhook, 'a');
      ground.startProcess({ isMute: true });
      await eventually('it was tried', async () => (await rows(webhook))[0]!.status_code === 410);
      await ground.stopAll();
      expect((await register.find(tenant, webhook.id)).disabled).toBeNull();
      await tell(webhook, 'b');
      startProcess();
      await eventually('the other to be told', () => told.received.length === 1);
      expect((await register.find(tenant, webhook.id)).disabled).toMatchObject({ reason: 'gone' });
    } finally {
      await ground.stopAll();
      await told.stop();
    }
  });

  it('is not followed elsewhere', async () => {
    receiver.reply = (response) => response.writeHead(302, { location: receiver.url }).end();
    const webhook = await create();
    await tell(webhook, 'a');
    startProcess({ failurePausesMs: [] });
    await untilStates(webhook, 'parked');
    expect([names(), (await rows(webhook))[0]!.status_code]).toEqual([['a'], 302]);
  });

  it('has the same event again after 500, keeps the order, and is told of as recovered', async () => {
    const told = await WebhookReceiver.start();
    try {
      const webhook = await create(['report.ready']);
      await create(['delivery.recovered'], told.url);
      receiver.reply = (response, { event }) =>
        response.writeHead(event.data.name === 'a' && receiver.received.length < 4 ? 500 : 200).end('x'.repeat(5000));
      await tell(webhook, 'a', 'b', 'c');
      startProcess();
      await untilStates(webhook, 'delivered', 'delivered', 'delivered');
      expect(names()).toEqual(['a', 'a', 'a', 'a', 'b', 'c']);
      expect(new Set(receiver.received.slice(0, 4).map(({ id }) => id)).size).toBe(1);
      const attempts = await ground.query<{ status_code: number; answer: Buffer }>(
        `select status_code, answer from webhook_attempts where webhook_id = '${webhook.id}' order by id`,
      );
      expect(attempts.map(({ status_code }) => status_code)).toEqual([500, 500, 500, 200, 200, 200]);
      expect(attempts.map(({ answer }) => answer.length)).toEqual(Array(6).fill(2048));
      await eventually('the recovery to be told', () => told.received.length === 1);
      expect(told.received[0]!.event).toMatchObject({ type: 'delivery.recovered', data: { webhookId: webhook.id } });
    } finally {
      await ground.stopAll();
      await told.stop();
    }
  });

  it('is left alone for as long as it asks with 429', async () => {
    receiver.reply = (response) => response.writeHead(429, { 'retry-after': '3600' }).end();
    const webhook = await create();
    await tell(webhook, 'a', 'b');
    startProcess();
    await eventually('the attempt to be written down', async () => (await rows(webhook))[0]!.status_code === 429);
    const [{ rest }] = (await ground.query<{ rest: number }>(
      `select extract(epoch from next_at - now())::float8 as rest from webhook_deliveries where webhook_id = '${webhook.id}' and number = 1`,
    )) as [{ rest: number }];
    expect(rest).toBeGreaterThan(3500);
    expect(names()).toEqual(['a']);
  });

  it('that is silent or cannot be reached is tried until its time is up, and then the next event', async () => {
    receiver.reply = () => undefined;
    const webhook = await create();
    await tell(webhook, 'a');
    ground.startProcess({ timeoutMs: 400, timings: { failurePausesMs: [10] } });
    await untilStates(webhook, 'parked');
    expect([names(), (await rows(webhook))[0]]).toMatchObject([['a', 'a'], { attempts: 2, fault: 'timeout' }]);
    const closed = await create([], 'http://127.0.0.1:1/x');
    await tell(closed, 'b');
    await untilStates(closed, 'parked');
    expect((await rows(closed))[0]).toMatchObject({ fault: 'unreachable ECONNREFUSED', attempts: 2 });
  });

  it('is disabled after five days only where two failures were 12 to 24 hours apart', async () => {
    receiver.reply = 500;
    const webhook = await create();
    await tell(webhook, 'a', 'b');
    const longAgo = (hours: number) => `sutura_now() - interval '${hours} hours'`;
    await ground.query(`update webhooks set failing_since = ${longAgo(121)} where id = '${webhook.id}'`);
    startProcess({ failurePausesMs: [] });
    await untilStates(webhook, 'parked', 'parked');
    expect((await register.find(tenant, webhook.id)).disabled).toBeNull();
    for (const hours of [120, 104])
      await ground.query(`insert into webhook_attempts (id, delivery_id, webhook_id, organization_id, environment, at, duration_ms, delivered)
           select '${v7()}', id, webhook_id, organization_id, environment, ${longAgo(hours)}, 1, false from webhook_deliveries
           where webhook_id = '${webhook.id}' and number = 1`);
    await tell(webhook, 'c');
    await eventually('it to be disabled', async () => (await register.find(tenant, webhook.id)).disabled !== null);
    expect((await register.find(tenant, webhook.id)).disabled).toMatchObject({ reason: 'failing' });
  });
});

describe('an endpoint that takes every event', () => {
  it('gets each once, in order, however many processes there are', async () => {
    const webhook = await create();
    startProcess();
    startProcess();
    const wanted = Array.from({ length: 30 }, (_, index) => `event ${index}`);
    for (const name of wanted) await tell(webhook, name);
    await untilStates(webhook, ...wanted.map(() => 'delivered'));
    expect(names()).toEqual(wanted);
    expect(receiver.received.map(({ event }) => event.data.sequence)).toEqual(wanted.map((_, index) => index + 1));
  });

  it('can verify with the old secret and with the new one while its keys are rotated in the middle', async () => {
    const webhook = await create();
    startProcess();
    await tell(webhook, 'before');
    await untilStates(webhook, 'delivered');
    const rotated = await register.rotate(tenant, webhook.id, 3600);
    // Senders take new keys up within one poll.
    await eventually('both keys to sign', async () => {
      await tell(rotated, 'after');
      await eventually('it to arrive', async () => (await rows(webhook)).every(({ state }) => state === 'delivered'));
      return String(receiver.received.at(-1)!.headers['webhook-signature']).split(' ').length === 2;
    });
    const [first, last] = [receiver.received[0]!, receiver.received.at(-1)!];
    const verify = (secret: Buffer, { body, headers }: typeof first) =>
      new Verifier(toSecretText(secret)).verify(body, headers as Record<string, string>);
    expect(() => verify(rotated.keys.secret, first)).toThrow();
    expect(verify(webhook.keys.secret, first)).toMatchObject({ type: 'report.ready' });
    for (const { secret } of [webhook.keys, rotated.keys])
      expect(verify(secret, last)).toMatchObject({ type: 'report.ready' });
  });

  it('is sent what waits as soon as it is resumed, however long the pause before the next try', async () => {
    const webhook = await create();
    receiver.reply = (response) => response.writeHead(503, { 'retry-after': '86400' }).end();
    await tell(webhook, 'a', 'b');
    startProcess();
    await eventually('the first try', async () => (await rows(webhook))[0]!.status_code === 503);
    await register.pause(tenant, webhook.id);
    receiver.reply = 204;
    await register.resume(tenant, webhook.id);
    await untilStates(webhook, 'delivered', 'delivered');
    expect(names()).toEqual(['a', 'a', 'b']);
  });

  it('is sent a time again once, though two people ask for it at once, signed with the keys of now', async () => {
    const webhook = await create();
    startProcess();
    await tell(webhook, 'a', 'b');
    await untilStates(webhook, 'delivered', 'delivered');
    const rotated = await register.rotate(tenant, webhook.id, 0);
    await ground.stopAll();
    const log = new DeliveryLog(ground.context.get(UnitOfWork));
    const replay = () => log.replay(tenant, webhook.id, 'operator', new Date(0), null);
    const replayed = await Promise.all([replay(), replay()]);
    expect(replayed.toSorted()).toEqual([0, 2]);
    startProcess();
    await untilStates(webhook, 'delivered', 'delivered');
    expect(names()).toEqual(['a', 'b', 'a', 'b']);
    const again = receiver.received.slice(2);
    expect(again.map(({ id }) => id)).toEqual(receiver.received.slice(0, 2).map(({ id }) => id));
    for (const { body, headers } of again)
      expect(new Verifier(toSecretText(rotated.keys.secret)).verify(body, headers as Record<string, string>)).toEqual(
        JSON.parse(body),
      );
  });

  it('tells in the trace, once it is sent again and taken, what came of each attempt and who sent it', async () => {
    const webhook = await create();
    receiver.reply = 400;
    await tell(webhook, 'a');
    startProcess({ refusalPausesMs: [], failurePausesMs: [] });
    await untilStates(webhook, 'parked');
    receiver.reply = 204;
    await new DeliveryLog(ground.context.get(UnitOfWork)).replay(tenant, webhook.id, 'key-7', new Date(0), null);
    await untilStates(webhook, 'delivered');
    const traces = new DeliveryTraces(ground.context.get(SystemStatements), {
      exit: 'webhook',
      deliveries: 'webhook_deliveries',
      endpoints: 'webhooks',
      endpointId: 'webhook_id',
    });
    const [delivery] = await rows(webhook);
    const [found] = await traces.find(delivery!.id);
    expect(found?.events.map(({ what, facts }) => [what, facts])).toEqual([
      ['delivery.refused', { attempt: 1, acknowledged: '400', parkedFor: 'refused' }],
      ['delivery.requeued', { by: 'key-7' }],
      ['delivery.delivered', expect.objectContaining({ attempts: 2 })],
    ]);
  });

  it('may answer with bytes that are no text: a person reads the log all the same', async () => {
    receiver.reply = (response) => response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x41]));
    const webhook = await create();
    await tell(webhook, 'a');
    startProcess();
    await untilStates(webhook, 'delivered');
    const { attempts } = await new DeliveryLog(ground.context.get(UnitOfWork)).find(
      tenant,
      webhook.id,
      (await rows(webhook))[0]!.id,
    );
    expect(attempts).toMatchObject([{ statusCode: 200, answer: expect.stringMatching(/A$/) }]);
    expect(JSON.parse(JSON.stringify(attempts))[0].answer).toBe(attempts[0]!.answer);
  });

  it('can verify with every secret whose overlap has not ended, however often its keys are rotated', async () => {
    const made = await create();
    const secrets = [made.keys.secret];
    for (let index = 0; index < 4; index += 1) secrets.push((await register.rotate(tenant, made.id, 3600)).keys.secret);
    await expect(register.rotate(tenant, made.id, 3600)).rejects.toMatchObject({
      code: 'webhook.too_many_keys',
      facts: { retryAfterS: expect.closeTo(3600, -2) },
    });
    startProcess();
    await tell(made, 'a');
    await untilStates(made, 'delivered');
    const verifies = ({ body, headers }: (typeof receiver.received)[number]) =>
      secrets.map((secret) => {
        try {
          return new Verifier(toSecretText(secret)).verify(body, headers as Record<string, string>) !== undefined;
        } catch {
          return false;
        }
      });
    expect(verifies(receiver.received[0]!)).toEqual([true, true, true, true, true]);

    // The first two have ended; the others go on beside the next one.
    await ground.query(
      `update webhooks set former_until[2] = now() - interval '1 second', former_until[3] = now() - interval '1 second' where id = '${made.id}'`,
    );
    secrets.push((await register.rotate(tenant, made.id, 3600)).keys.secret);
    await ground.stopAll();
    startProcess();
    await tell(made, 'b');
    await untilStates(made, 'delivered', 'delivered');
    expect(verifies(receiver.received[1]!)).toEqual([false, false, true, true, true, true]);

    // A secret that leaked.
    secrets.push((await register.rotate(tenant, made.id, 0)).keys.secret);
    await ground.stopAll();
    startProcess();
    await tell(made, 'c');
    await untilStates(made, 'delivered', 'delivered', 'delivered');
    expect(verifies(receiver.received[2]!)).toEqual([false, false, false, false, false, false, true]);
  });

  it('would be tried ten times over three days', () => {
    const pauses = HTTP_TIMINGS.failurePausesMs!;
    expect(pauses).toHaveLength(9);
    expect(pauses.reduce((sum, pause) => sum + pause) / 3_600_000).toBeCloseTo(75.6, 1);
  });
});
