import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebhookReceiver } from '../../../peers/webhook-receiver.js';
import { ApiClient, expectStatus } from '../../../support/api-client.js';
import { queryDatabase } from '../../../support/database-query.js';
import { eventually } from '../../../support/eventually.js';
import {
  becomes,
  content,
  createSubscription,
  numbersOf,
  readSubscription,
  said,
  secretOf,
  subscriptionTo,
  BACKPORT,
  TOPICS,
} from '../../../support/fhir-subscriptions.js';
import { startGateway, type Gateway } from '../../../support/gateway.js';
import { makeTlsIdentity } from '../../../support/tls-identity.js';
import { Webhook } from '../../../support/standard-webhooks.js';
import { drawSmallWoundPhoto } from '../../../support/wound-photo.js';

let gateway: Gateway;
let receiver: WebhookReceiver;

let folder: string;
const tls = makeTlsIdentity(['localhost']);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sutura-trust-'));
  const trusted = join(folder, 'trusted.pem');
  await writeFile(trusted, tls.cert);
  gateway = await startGateway({
    env: { SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: trusted },
  });
});
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.stop());
afterAll(async () => {
  await gateway?.stop();
  await rm(folder, { recursive: true, force: true });
});

const heartbeatEvery = (valueUnsignedInt: number) => ({
  extension: [{ url: `${BACKPORT}/backport-heartbeat-period`, valueUnsignedInt }],
});
const query = (sql: string, values: unknown[]) => queryDatabase(gateway.databaseUrl, sql, values);

/** A Subscription to the statuses of tasks, told of one photo. */
async function told(client: ApiClient, channel: object = content('id-only')): Promise<string> {
  const { id } = await createSubscription(client, subscriptionTo(receiver.url, { criteria: 'Task' }, channel));
  await becomes(client, id, 'active');
  await client.analyse(await drawSmallWoundPhoto(), { subject: { patientId: 'MRN-4711', woundId: 'W1' } });
  await allArrive(id);
  return id;
}

/** Everything that happened was told, and arrived. */
const allArrive = (id: string) =>
  eventually('all to arrive', async () => {
    const [left] = await query(
      `select (select count(*) from outbox_events) + (select count(*) from fhir_subscription_deliveries
        where subscription_id = $1 and state <> 'delivered') as count`,
      [id],
    );
    return (left as { count: string }).count === '0';
  });
/** A client whose organization is known. */
async function owner() {
  const organizationId = await gateway.createOrganization();
  const { key } = await gateway.createKey(organizationId);
  return { organizationId, client: new ApiClient(gateway.baseUrl, key) };
}
const operate = (client: ApiClient, id: string, operation: string, method = 'GET', options: object = {}) =>
  client.request(method, `/fhir/Subscription/${id}/${operation}`, options);

describe('$events and $resend are refused', () => {
  it('to another organization, to keys that may not read what is told, and where nobody told what', async () => {
    const { client, organizationId } = await owner();
    const { id } = await createSubscription(client, subscriptionTo(receiver.url));
    const stranger = await gateway.createClient();
    for (const [method, operation] of [
      ['GET', '$events'],
      ['POST', '$resend'],
    ] as const) {
      expect((await operate(stranger, id, operation, method)).status).toBe(404);
      const { key } = await gateway.createKey(organizationId, 'test', ['webhooks:manage']);
      expect((await operate(client, id, operation, method, { key })).status).toBe(403);
      const { key: reader } = await gateway.createKey(organizationId, 'test', ['analysis:read']);
      expect((await operate(client, id, operation, method, { key: reader })).status).toBe(403);
      for (const wrong of ['eventsSinceNumber=one', 'eventsUntilNumber=-1', 'since=1'])
        expect((await operate(client, id, `${operation}?${wrong}`, method)).status).toBe(400);
    }
    expect((await operate(client, id, '$events?content=everything')).status).toBe(400);
    expect((await operate(client, id, '$resend?eventsSinceInstant=yesterday', 'POST')).status).toBe(400);
    // What changes something is not done by GET.
    expect((await operate(client, id, '$resend')).status).toBe(405);
    expect((await client.request('GET', '/fhir/Subscription/$events')).status).toBe(404);
  });
});

describe('a receiver that missed something', () => {
  it('reads it by its numbers, never more than the Subscription tells', async () => {
    const client = await gateway.createClient();
    const id = await told(client);
    const events = async (parameters = '') => expectStatus(200, await operate(client, id, `$events${parameters}`)).body;
    const all = await events();
    const count = Number(said({ event: all }, 'events-since-subscription-start').valueString);
    expect(count).toBeGreaterThan(1);
    expect(all).toMatchObject({ resourceType: 'Bundle', type: 'history' });
    expect(said({ event: all }, 'type').valueCode).toBe('query-event');
    expect(said({ event: all }, 'status').valueCode).toBe('active');
    expect(numbersOf({ event: all })).toEqual(Array.from({ length: count }, (_, index) => String(index + 1)));
    // One entry for the task, though it has several statuses.
    expect(all.entry.slice(1)).toHaveLength(1);
    expect(all.entry[1]).not.toHaveProperty('resource');
    expect(numbersOf({ event: await events('?eventsSinceNumber=2&eventsUntilNumber=2') })).toEqual(['2']);
    expect(numbersOf({ event: await events(`?eventsSinceNumber=${count + 1}`) })).toEqual([]);
    expect((await events('?content=full-resource')).entry[1]).not.toHaveProperty('resource');
    expect((await events('?content=empty')).entry).toHaveLength(1);
    const parameter = [{ name: 'eventsSinceNumber', valueString: '2' }];
    const posted = await operate(client, id, '$events', 'POST', {
      json: { resourceType: 'Parameters', parameter },
      headers: { 'content-type': 'application/fhir+json' },
    });
    expect(numbersOf({ event: expectStatus(200, posted).body })[0]).toBe('2');
  });

  it('has it sent again in its order, with the ids and the bodies that it had', async () => {
    const client = await gateway.createClient();
    const id = await told(client);
    const before = receiver.received.slice(1);
    receiver.forget();
    const resend = async (parameters: string) =>
      expectStatus(200, await operate(client, id, `$resend${parameters}`, 'POST')).body.issue[0];
    expect(await resend('?eventsSinceNumber=1')).toMatchObject({
      severity: 'information',
      details: { text: `${before.length} events are sent again. Those that wait anyhow are not counted.` },
    });
    await eventually('them to come again', () => receiver.received.length === before.length);
    const bytes = (received: typeof before) => received.map(({ id: webhookId, body }) => `${webhookId} ${body}`);
    expect(bytes(receiver.received)).toEqual(bytes(before));
    await allArrive(id);
    expect(await resend(`?eventsUntilNumber=1`)).toMatchObject({
      details: { text: expect.stringMatching(/^1 event is/) },
    });
    await allArrive(id);
    const nothing = '0 events are sent again. Those that wait anyhow are not counted.';
    expect((await resend('?eventsSinceInstant=2999-01-01T00:00:00Z')).details.text).toBe(nothing);
    expect((await resend('?eventsUntilInstant=2020-01-01T00:00:00%2B01:00')).details.text).toBe(nothing);
    // The handshake is no event.
    expect(receiver.received).toHaveLength(before.length + 1);
  });

  it('is told by an operator, who sends a time again although each version but the last was overtaken', async () => {
    const client = await gateway.createClient();
    const id = await told(client);
    const before = receiver.received.length - 1;
    const json = { endpointId: id, since: '2026-01-01T00:00:00Z' };
    expect(expectStatus(200, await gateway.admin('POST', '/deliveries/replay', json)).body).toEqual({
      replayed: before,
    });
    await eventually('them to come again', () => receiver.received.length === 2 * before + 1);
  });
});

it('subscriptions_r4_server_full_resource_conformance: whole reports go out over TLS and are in the audit trail; an older version is not sent again alone', async () => {
  const client = await gateway.createClient();
  const safe = await WebhookReceiver.start(tls);
  try {
    const { id } = await createSubscription(client, subscriptionTo(safe.url, {}, content('full-resource')));
    await becomes(client, id, 'active');
    const job = await client.analyse(await drawSmallWoundPhoto(), {
      subject: { patientId: 'MRN-4711', woundId: 'W1' },
    });
    const report = expectStatus(200, await client.request('GET', job.links.report));
    await eventually('the first version', () => safe.received.length === 2);
    expectStatus(
      201,
      await client.request('POST', `/api/v1/reports/${report.body.id}/reviews`, {
        json: { decision: 'accept', reviewer: { id: 'HCP-0042', name: 'Example Reviewer' } },
        headers: { 'if-match': report.headers.get('etag')! },
      }),
    );
    await eventually('the second', () => safe.received.length === 3);
    const [, first, second] = safe.received;
    expect(said(first!, 'topic').valueCanonical).toBe(`${TOPICS}/wound-assessment-report`);
    expect([first!, second!].map(({ event }) => event.entry[1].resource.status)).toEqual(['preliminary', 'final']);
    expect(second!.event.entry[1]).toMatchObject({
      fullUrl: `${gateway.baseUrl}/fhir/DiagnosticReport/${report.body.id}`,
      request: { method: 'PUT', url: `DiagnosticReport/${report.body.id}` },
      response: { status: '200' },
    });
    const figuresOf = ({ event }: { event: { entry: { resource: { id: string; status: string } }[] } }) =>
      event.entry.slice(2).map(({ resource }) => `${resource.id.split('-').at(-1)!} ${resource.status}`);
    // Each version with its own figures, as the report lists them.
    expect(figuresOf(first!)).toEqual(['panel preliminary', 'area preliminary']);
    expect(figuresOf(second!)).toEqual(['panel final', 'area final']);
    await allArrive(id);

    const both = expectStatus(200, await operate(client, id, '$events')).body;
    expect(numbersOf({ event: both })).toEqual(['1', '2']);
    expect(both.entry.slice(1).map(({ resource }: { resource: { status: string } }) => resource.status)).toEqual([
      'final',
      'final',
      'final',
    ]);
    const looks = await query(
      `select interaction, patient_id is not null as named from audit_events where $1 = any(resources) and interaction in ('$notify', '$events') order by id`,
      [`DiagnosticReport/${report.body.id}`],
    );
    expect(looks).toEqual(['$notify', '$notify', '$events'].map((interaction) => ({ interaction, named: true })));

    const older = expectStatus(200, await operate(client, id, '$resend?eventsUntilNumber=1', 'POST')).body;
    expect(older.issue[0].details.text).toContain(
      '0 events are sent again. Those that wait anyhow are not counted. 1 is held back',
    );
    expectStatus(200, await operate(client, id, '$resend', 'POST'));
    await eventually('both again', () => safe.received.length === 5);
    expect(safe.received.map(({ id: webhookId }) => webhookId).slice(3)).toEqual([first!.id, second!.id]);
  } finally {
    await safe.stop();
  }
});

it('of an erased patient nothing is left: not what waits, not what was told, and no filter', async () => {
  const { client, organizationId } = await owner();
  const first = await client.analyse(await drawSmallWoundPhoto(), {
    subject: { patientId: 'MRN-0815', woundId: 'W1' },
  });
  const patientId = await eventually('the patient to be in FHIR', async () => {
    const { status, body } = await client.request('GET', '/fhir/Patient?identifier=MRN-0815');
    return status === 200 ? (body.entry?.[0].resource.id as string | undefined) : undefined;
  });
  const patient = `Patient/${patientId}`;
  const channel = content('id-only');
  const { id } = await createSubscription(
    client,
    subscriptionTo(receiver.url, { criteria: `DiagnosticReport?patient=${patient}` }, channel),
  );
  await becomes(client, id, 'active');
  const report = expectStatus(200, await client.request('GET', first.links.report));
  expectStatus(
    201,
    await client.request('POST', `/api/v1/reports/${report.body.id}/reviews`, {
      json: { decision: 'accept', reviewer: { id: 'HCP-0042', name: 'Example Reviewer' } },
      headers: { 'if-match': report.headers.get('etag')! },
    }),
  );
  await eventually('the notification', () => receiver.received.length === 2);
  await client.analyse(await drawSmallWoundPhoto({ seed: 7 }), { subject: { patientId: 'MRN-4712', woundId: 'W1' } });
  // While an event of the patient is being told, they are in use.
  await allArrive(id);
  const path = `/organizations/${organizationId}/patients/erase`;
  expectStatus(200, await gateway.admin('POST', path, { environment: 'test', patient: 'MRN-0815' }));
  const bundle = expectStatus(200, await operate(client, id, '$events')).body;
  expect(numbersOf({ event: bundle })).toEqual([]);
  expect(JSON.stringify([bundle, await readSubscription(client, id)])).not.toContain(patientId);
  const [left] = await query(
    'select count(*)::int as count from fhir_subscription_deliveries where subscription_id = $1',
    [id],
  );
  expect(left).toEqual({ count: 1 });
  expect(receiver.received).toHaveLength(2);
});

describe('heartbeats', () => {
  /** As after an hour in which nothing happened. */
  const letPass = (id: string) =>
    Promise.all([
      query(
        `update fhir_subscriptions set created_at = created_at - interval '1 hour', heartbeat_at = heartbeat_at - interval '1 hour' where id = $1`,
        [id],
      ),
      query(
        `update fhir_subscription_deliveries set delivered_at = delivered_at - interval '1 hour' where subscription_id = $1`,
        [id],
      ),
    ]);
  const heartbeats = () => receiver.received.filter((one) => said(one, 'type').valueCode === 'heartbeat');

  it('subscriptions_r4_server_heartbeat_conformance: come where they were asked for, once in a period, signed and without an event', async () => {
    const client = await gateway.createClient();
    const asked = await createSubscription(client, subscriptionTo(receiver.url, {}, heartbeatEvery(600)));
    const quiet = await WebhookReceiver.start();
    try {
      const other = await createSubscription(client, subscriptionTo(quiet.url));
      for (const { id } of [asked, other]) await becomes(client, id, 'active');
      await letPass(other.id);
      await letPass(asked.id);
      await eventually('a heartbeat', () => heartbeats().length === 1);
      const [heartbeat] = heartbeats();
      new Webhook(secretOf(asked)).verify(heartbeat!.body, heartbeat!.headers as Record<string, string>);
      expect(said(heartbeat!, 'status').valueCode).toBe('active');
      expect(said(heartbeat!, 'events-since-subscription-start').valueString).toBe('0');
      expect(numbersOf(heartbeat!)).toEqual([]);
      expect(heartbeat!.event.entry).toHaveLength(1);
      await letPass(asked.id);
      await eventually('the next', () => heartbeats().length === 2);
      expect(quiet.received).toHaveLength(1);
    } finally {
      await quiet.stop();
    }
  });

  it('change nothing where they are refused, but that 410 ends the Subscription', async () => {
    const client = await gateway.createClient();
    const { id } = await createSubscription(client, subscriptionTo(receiver.url, {}, heartbeatEvery(600)));
    await becomes(client, id, 'active');
    receiver.reply = 500;
    await letPass(id);
    await eventually('a heartbeat', () => heartbeats().length === 1);
    expect((await readSubscription(client, id)).status).toBe('active');
    receiver.reply = 410;
    await letPass(id);
    await becomes(client, id, 'error');
    expect((await readSubscription(client, id)).error).toContain('410 Gone');
    await letPass(id);
    expect(heartbeats()).toHaveLength(2);
  });
});

describe('a receiver that behaves badly', () => {
  it.each<[string, (response: ServerResponse) => unknown]>([
    ['answers without an end', (response) => void response.writeHead(200).write('x'.repeat(100_000))],
    ['hangs up', (response) => response.destroy()],
    ['sends it elsewhere', (response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end()],
    ['asks for a year of patience', (response) => response.writeHead(429, { 'retry-after': '31536000' }).end()],
    ['answers with a body of megabytes', (response) => response.writeHead(500).end('x'.repeat(5_000_000))],
  ])('that %s keeps no other Subscription waiting, and its owner reads why', async (_, reply) => {
    const client = await gateway.createClient();
    receiver.reply = reply;
    const bad = await createSubscription(
      client,
      subscriptionTo(receiver.url, {}, { extension: [{ url: `${BACKPORT}/backport-timeout`, valueUnsignedInt: 1 }] }),
    );
    const good = await WebhookReceiver.start();
    try {
      const { id } = await createSubscription(client, subscriptionTo(good.url));
      await becomes(client, id, 'active');
      const settled = await eventually('an outcome', async () => {
        const { status } = await readSubscription(client, bad.id);
        return status === 'requested' ? undefined : (status as string);
      });
      const { error } = await readSubscription(client, bad.id);
      if (settled === 'error') expect(error).toMatch(/^The endpoint .+ The handshake and all notifications wait/);
      else expect(error).toBeUndefined();
      expect(JSON.stringify(await readSubscription(client, bad.id)).length).toBeLessThan(2000);
      // Whoever ends it has no more of it.
      expectStatus(204, await client.request('DELETE', `/fhir/Subscription/${bad.id}`));
      expect((await client.request('GET', `/fhir/Subscription/${bad.id}`)).status).toBe(404);
    } finally {
      await good.stop();
    }
  });

  it('is sent nothing more once it was deleted while a notification was under way', async () => {
    const client = await gateway.createClient();
    const { id } = await createSubscription(
      client,
      subscriptionTo(receiver.url, { criteria: 'Task' }, content('empty')),
    );
    await becomes(client, id, 'active');
    const held: ServerResponse[] = [];
    receiver.reply = (response) => void held.push(response);
    await client.analyse(await drawSmallWoundPhoto(), { subject: { patientId: 'MRN-4711', woundId: 'W1' } });
    await eventually('a notification to be under way', () => held.length === 1);
    expectStatus(204, await client.request('DELETE', `/fhir/Subscription/${id}`));
    held[0]!.writeHead(200).end();
    receiver.reply = 200;
    const rows = () => query('select state from fhir_subscription_deliveries where subscription_id = $1', [id]);
    await eventually('nothing to wait', async () =>
      (await rows()).every((row) => !['waiting', 'parked'].includes((row as { state: string }).state)),
    );
    expect(receiver.received).toHaveLength(2);
  });

  it('goes on being told when the key that made the Subscription is revoked', async () => {
    const { client, organizationId } = await owner();
    const { key, keyId } = await gateway.createKey(organizationId, 'test', ['webhooks:manage', 'analysis:read']);
    const json = subscriptionTo(receiver.url, {}, content('id-only'));
    const { id } = expectStatus(201, await client.request('POST', '/fhir/Subscription', { key, json })).body;
    await becomes(client, id, 'active');
    expectStatus(204, await gateway.admin('DELETE', `/keys/${keyId}`));
    await client.analyse(await drawSmallWoundPhoto(), { subject: { patientId: 'MRN-4711', woundId: 'W1' } });
    await eventually('the notification', () => receiver.received.length === 2);
  });
});

it('sends the PDF of a report where it is asked for, the one that the report names, and keeps it out of what waits', async () => {
  const client = await gateway.createClient();
  const safe = await WebhookReceiver.start(tls);
  try {
    const asked = content('full-resource');
    const documents = 'https://sutura.dev/fhir/StructureDefinition/subscription-documents';
    const _payload = { extension: [...asked._payload.extension, { url: documents, valueBoolean: true }] };
    const { id } = await createSubscription(client, subscriptionTo(safe.url, {}, { _payload }));
    await becomes(client, id, 'active');
    await client.analyse(await drawSmallWoundPhoto(), { subject: { patientId: 'MRN-4712', woundId: 'W1' } });
    await eventually('the report', () => safe.received.length === 2);
    const [form] = safe.received[1]!.event.entry[1].resource.presentedForm;
    const pdf = await client.request('GET', `/fhir/${form.url}`);
    expect(Buffer.from(form.data, 'base64').equals(pdf.bytes)).toBe(true);
    expect([form.size, form.contentType]).toEqual([pdf.bytes.length, 'application/pdf']);
    const [kept] = await query(
      `select position('"data"' in convert_from(body, 'UTF8')) as at from fhir_subscription_deliveries where subscription_id = $1 and type = 'event-notification'`,
      [id],
    );
    expect(kept).toEqual({ at: 0 });
    const looks = await query(
      `select $1 = any(resources) as named from audit_events where interaction = '$notify' order by id desc limit 1`,
      [form.url],
    );
    expect(looks).toEqual([{ named: true }]);
  } finally {
    await safe.stop();
  }
});
