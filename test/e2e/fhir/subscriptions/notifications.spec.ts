import { WebhookReceiver } from '../../../peers/webhook-receiver.js';
import { expectStatus, type Answer, type ApiClient } from '../../../support/api-client.js';
import { queryDatabase } from '../../../support/database-query.js';
import { eventually } from '../../../support/eventually.js';
import {
  becomes,
  content,
  createSubscription,
  numbersOf,
  postSubscription,
  readSubscription,
  said,
  secretOf,
  subscriptionTo,
  BACKPORT,
  GUIDE,
  TOPICS,
} from '../../../support/fhir-subscriptions.js';
import type { SharedGateway } from '../../../support/gateway.js';
import { sharedGateway } from '../../../support/shared-gateway.js';
import { Webhook } from '../../../support/standard-webhooks.js';
import { drawSmallWoundPhoto } from '../../../support/wound-photo.js';

let gateway: SharedGateway;
let receiver: WebhookReceiver;

beforeAll(async () => {
  gateway = await sharedGateway();
});
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.stop());

const subscription = (more: object = {}, channel: object = {}) => subscriptionTo(receiver.url, more, channel);
const created = (client: ApiClient, json: object = subscription()) => createSubscription(client, json);
const placesOf = ({ body }: Answer): unknown[] =>
  body.issue.flatMap(({ expression }: { expression: string[] }) => expression);
const analyse = async (client: ApiClient) =>
  client.analyse(await drawSmallWoundPhoto(), { subject: { patientId: 'MRN-4711', woundId: 'W1' } });

describe('a FHIR Subscription by If-None-Exist', () => {
  const post = (client: ApiClient, criteria: string): Promise<Answer> =>
    client.request('POST', '/fhir/Subscription', { json: subscription(), headers: { 'if-none-exist': criteria } });

  it('is refused where the criteria are none that are served, name nothing, or match several', async () => {
    const client = await gateway.createClient();
    for (const criteria of ['nobody=1', '?', `Patient?url=${receiver.url}`])
      expect((await post(client, criteria)).status).toBe(400);
    await created(client);
    await created(client);
    expect((await post(client, `url=${receiver.url}`)).status).toBe(412);
  });

  it('is made once, however many ask at once, and shows its secret once', async () => {
    const client = await gateway.createClient();
    const criteria = `Subscription?url=${receiver.url}&criteria=${TOPICS}/wound-assessment-report`;
    const answers = await Promise.all([1, 2, 3].map(() => post(client, criteria)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    const [id] = new Set(answers.map(({ body }) => body.id as string));
    expect(answers.map(({ headers }) => headers.get('location'))).toEqual(
      Array.from({ length: 3 }, () => `${gateway.baseUrl}/fhir/Subscription/${id}`),
    );
    const matched = answers.find(({ status }) => status === 200)!;
    expect(JSON.stringify(matched.body)).not.toContain('whsec_');
    expect((await client.request('GET', '/fhir/Subscription')).body.total).toBe(1);
    await client.request('DELETE', `/fhir/Subscription/${id}`);
    expect((await post(client, criteria)).status).toBe(201);
  });
});

describe('a FHIR Subscription is refused', () => {
  it.each([
    ['reject_subscription_topic', { criteria: `${TOPICS}/weather` }, {}, 'Subscription.criteria'],
    [
      'reject_subscription_filter',
      { criteria: 'DiagnosticReport?issued=gt2026' },
      content('id-only'),
      'Subscription.criteria',
    ],
    ['a modifier', { criteria: 'DiagnosticReport?status:not=final' }, content('id-only'), 'Subscription.criteria'],
    ['a type that has no topic', { criteria: 'Observation?code=1' }, {}, 'Subscription.criteria'],
    [
      'a patient of nobody',
      { criteria: 'Task?patient=Patient/of-somebody-else' },
      content('id-only'),
      'Subscription.criteria',
    ],
    ['reject_subscription_channel_type', {}, { type: 'email' }, 'Subscription.channel.type'],
    ['reject_subscription_payload_type', {}, { payload: 'text/plain' }, 'Subscription.channel.payload'],
    ['reject_subscription_channel_payload_combo', {}, content('full-resource'), 'Subscription.channel.endpoint'],
    [
      'reject_subscription_channel_endpoint',
      {},
      { endpoint: 'https://10.1.2.3/told' },
      'Subscription.channel.endpoint',
    ],
    ['a header that would be two', {}, { header: ['X-A: b\r\nHost: c'] }, 'Subscription.channel.header[0]'],
    [
      'a heartbeat more often than every ten seconds',
      {},
      { extension: [{ url: `${BACKPORT}/backport-heartbeat-period`, valueUnsignedInt: 9 }] },
      'Subscription.channel.extension',
    ],
    [
      'reject_subscription_cross_version_extension',
      {
        extension: [{ url: 'http://hl7.org/fhir/5.0/StructureDefinition/extension-Subscription.topic', valueUri: 'x' }],
      },
      {},
      'Subscription.extension[0]',
    ],
  ])('subscriptions_r4_server_%s', async (_, more, channel, place) => {
    const client = await gateway.createClient();
    const answer = await postSubscription(client, subscription(more, channel));
    expect(answer.status).toBe(422);
    expect(placesOf(answer)).toEqual([place]);
    expect((await client.request('GET', '/fhir/Subscription')).body.total).toBe(0);
  });

  it('without webhooks:manage, and without the right to read what it tells of', async () => {
    const client = await gateway.createClient();
    const organizationId = await gateway.createOrganization('enterprise');
    for (const scopes of [['analysis:read'], ['webhooks:manage']] as const) {
      const { key } = await gateway.createKey(organizationId, 'test', [...scopes]);
      const answer = await client.request('POST', '/fhir/Subscription', { key, json: subscription() });
      expect(answer.status).toBe(403);
    }
  });

  it('where it is another organization’s', async () => {
    const { id } = await created(await gateway.createClient());
    const stranger = await gateway.createClient();
    for (const [method, path] of [
      ['GET', id],
      ['DELETE', id],
      ['GET', `${id}/$status`],
    ] as const)
      expect((await stranger.request(method, `/fhir/Subscription/${path}`)).status).toBe(404);
    expect((await stranger.request('GET', '/fhir/Subscription/$status')).body.total).toBe(0);
  });
});

describe('a FHIR Subscription', () => {
  it('subscriptions_r4_server_cs_conformance, topic_discovery: is in the CapabilityStatement, with its topics and operations', async () => {
    const client = await gateway.createClient();
    const { body } = expectStatus(200, await client.request('GET', '/fhir/metadata'));
    expect(body.instantiates).toContain(`${GUIDE}/CapabilityStatement/backport-subscription-server-r4`);
    const ours = body.rest[0].resource.find(({ type }: { type: string }) => type === 'Subscription');
    expect(ours.supportedProfile).toEqual([`${BACKPORT}/backport-subscription`]);
    const topics = ours.extension
      .filter(({ url }: { url: string }) => url === `${BACKPORT}/capabilitystatement-subscriptiontopic-canonical`)
      .map(({ valueCanonical }: { valueCanonical: string }) => valueCanonical);
    expect(topics).toHaveLength(2);
    expect(ours.operation.map(({ definition }: { definition: string }) => definition)).toEqual([
      `${GUIDE}/OperationDefinition/backport-subscription-status`,
      `${GUIDE}/OperationDefinition/backport-subscription-events`,
      `${GUIDE}/OperationDefinition/backport-subscription-resend|1.2.0-ballot`,
    ]);
    // Each topic that is named there can be subscribed to.
    for (const criteria of topics) await created(client, subscription({ criteria }, content('id-only')));
  });

  it('subscriptions_r4_server_subscription_conformance: shows what was asked for, valid as R4', async () => {
    const client = await gateway.createClient();
    const sent = subscription({ end: '2999-01-01T00:00:00Z', contact: [{ system: 'phone', value: '+1 555 0100' }] });
    const { id } = await created(client, sent);
    const shown = await readSubscription(client, id);
    expect(shown).toMatchObject({ ...sent, id, status: expect.stringMatching(/^(requested|active)$/) });
    // A write is validated: what is shown is taken back.
    const put = await client.request('PUT', `/fhir/Subscription/${id}`, { json: shown });
    expect(expectStatus(200, put).body).toMatchObject({ ...sent, status: expect.any(String) });
  });

  it('subscriptions_r4_server_creation_response_conformance, handshake_conformance: begins with event 0, and is active', async () => {
    const client = await gateway.createClient();
    const answer = expectStatus(
      201,
      await postSubscription(client, subscription({}, { header: ['Authorization: Bearer abc'] })),
    );
    const { id, status } = answer.body;
    expect(status).toBe('requested');
    expect(answer.headers.get('location')).toMatch(new RegExp(`/fhir/Subscription/${id}$`));
    await becomes(client, id, 'active');
    const [handshake] = receiver.received;
    expect(handshake?.headers['authorization']).toBe('Bearer abc');
    expect(handshake?.headers['content-type']).toMatch(/^application\/fhir\+json/);
    expect(said(handshake!, 'type')).toEqual({ name: 'type', valueCode: 'handshake' });
    expect(said(handshake!, 'events-since-subscription-start').valueString).toBe('0');
    new Webhook(secretOf(answer.body)).verify(handshake!.body, handshake!.headers as Record<string, string>);
    const shown = JSON.stringify([
      await readSubscription(client, id),
      (await client.request('GET', '/fhir/Subscription')).body,
    ]);
    expect(shown).not.toMatch(/whsec_|Bearer abc/);
  });

  it('subscriptions_r4_server_notification_presence, notification_delivery, notification_conformance, id_only_conformance, status_invocation: tells of a report by its number and its address', async () => {
    const client = await gateway.createClient();
    const { id, extension } = await created(
      client,
      subscription({ criteria: 'DiagnosticReport?status=preliminary,final,amended' }, content('id-only')),
    );
    await becomes(client, id, 'active');
    await analyse(client);
    await eventually('the notification', () => receiver.received.length === 2);
    const [, told] = receiver.received;
    new Webhook(secretOf({ extension })).verify(told!.body, told!.headers as Record<string, string>);
    expect(told!.event.type).toBe('history');
    expect(said(told!, 'events-since-subscription-start').valueString).toBe('1');
    expect(told!.event.entry[1]).toMatchObject({ request: { method: 'POST', url: 'DiagnosticReport' } });
    expect(told!.event.entry[1]).not.toHaveProperty('resource');
    const { body } = await client.request('GET', `/fhir/Subscription/${id}/$status`);
    expect(body.entry[0].resource.parameter).toContainEqual({
      name: 'events-since-subscription-start',
      valueString: '1',
    });
  });

  it('subscriptions_r4_server_empty_conformance: tells of every status of a task, numbered without gaps', async () => {
    const client = await gateway.createClient();
    const { id } = await created(client, subscription({ criteria: 'Task' }, content('empty')));
    await becomes(client, id, 'active');
    await analyse(client);
    const numbers = () =>
      receiver.received.slice(1).map((one) => said(one, 'events-since-subscription-start').valueString as string);
    const states = () =>
      queryDatabase<{ count: string }>(
        gateway.databaseUrl,
        'select count(*) from fhir_subscription_deliveries where subscription_id = $1',
        [id],
      );
    await eventually(
      'the task to be told',
      async () => numbers().length >= 2 && Number((await states())[0]!.count) - 1 === numbers().length,
    );
    expect(numbers()).toEqual(numbers().map((_, index) => String(index + 1)));
    expect(receiver.received.every(({ event }) => event.entry.length === 1)).toBe(true);
  });

  it.each([
    [302, 'The endpoint answered 302.'],
    [500, 'The endpoint answered 500.'],
    [410, 'The endpoint answered 410 Gone'],
  ])('is in error where its handshake is answered %i, and says so in words', async (status, words) => {
    const client = await gateway.createClient();
    receiver.reply = status;
    const { id } = await created(client);
    await becomes(client, id, 'error');
    expect((await readSubscription(client, id)).error).toContain(words);
    // An update begins anew.
    receiver.reply = 204;
    const { extension: _secret, ...sent } = await readSubscription(client, id);
    expectStatus(200, await client.request('PUT', `/fhir/Subscription/${id}`, { json: sent }));
    await becomes(client, id, 'active');
    expect(await readSubscription(client, id)).not.toHaveProperty('error');
  });

  it.each(['resumed by an operator', 'updated by its owner'])(
    'whose handshake was refused by 410 and that is %s is told from a new handshake on, without gaps',
    async (how) => {
      const client = await gateway.createClient();
      receiver.reply = 410;
      const { id } = await created(client, subscription({}, content('id-only')));
      await becomes(client, id, 'error');
      await analyse(client);
      await eventually(
        'the event to wait',
        async () => (await gateway.admin('GET', `/deliveries?endpointId=${id}&state=waiting`)).body.items.length > 0,
      );
      receiver.forget();
      receiver.reply = 500;
      if (how === 'resumed by an operator')
        expectStatus(200, await gateway.admin('POST', `/deliveries/endpoints/${id}/resume`));
      else {
        const { extension: _secret, ...sent } = await readSubscription(client, id);
        expectStatus(200, await client.request('PUT', `/fhir/Subscription/${id}`, { json: sent }));
      }
      await eventually('the handshake to be refused', () => receiver.received.length === 1);
      receiver.reply = 204;
      await becomes(client, id, 'active');
      await analyse(client);
      const events = () => receiver.received.filter((one) => said(one, 'type').valueCode === 'event-notification');
      await eventually('both events', () => events().length >= 2);
      const types = receiver.received.map((one) => said(one, 'type').valueCode as string);
      expect(types.slice(0, 3)).toEqual(['handshake', 'handshake', 'event-notification']);
      expect(events().flatMap(numbersOf).slice(0, 2)).toEqual(['1', '2']);
    },
  );

  it('keeps its topic and its content, goes elsewhere after a new handshake, and ends', async () => {
    const client = await gateway.createClient();
    const { id } = await created(client);
    await becomes(client, id, 'active');
    const put = (json: object) => client.request('PUT', `/fhir/Subscription/${id}`, { json: { ...json, id } });
    expect(placesOf(await put(subscription({ criteria: 'Task' }, content('id-only'))))).toEqual([
      'Subscription.criteria',
    ]);
    expect(placesOf(await put(subscription({}, content('empty'))))).toEqual(['Subscription.channel.payload']);
    const elsewhere = await WebhookReceiver.start();
    try {
      expectStatus(200, await put(subscription({}, { endpoint: elsewhere.url })));
      await eventually('the second handshake', () => elsewhere.received.length === 1);
      expect(said(elsewhere.received[0]!, 'type').valueCode).toBe('handshake');
      expectStatus(204, await client.request('DELETE', `/fhir/Subscription/${id}`));
      expect((await client.request('GET', `/fhir/Subscription/${id}`)).status).toBe(404);
      expect((await client.request('GET', '/fhir/Subscription?status=active')).body.total).toBe(0);
    } finally {
      await elsewhere.stop();
    }
  });

  it('stands beside webhooks for operators: held back, read, sent again, tried', async () => {
    const client = await gateway.createClient();
    const { id } = await created(client, subscription({}, content('id-only')));
    await becomes(client, id, 'active');
    const admin = (method: string, path: string, json?: object) => gateway.admin(method, `/deliveries${path}`, json);
    expect(expectStatus(200, await admin('POST', `/endpoints/${id}/pause`)).body).toMatchObject({
      id,
      exit: 'subscription',
      state: 'paused',
      address: receiver.url,
    });
    expect((await readSubscription(client, id)).error).toContain('holds back');
    await analyse(client);
    const listed = async (state: string) =>
      (expectStatus(200, await admin('GET', `?endpointId=${id}&state=${state}`)).body as { items: { id: string }[] })
        .items;
    const [waiting] = await eventually('the notification waits', async () => {
      const items = await listed('waiting');
      return items.length === 1 ? items : undefined;
    });
    expect(receiver.received).toHaveLength(1);
    expectStatus(200, await admin('POST', `/endpoints/${id}/resume`));
    await eventually('the notification', () => receiver.received.length === 2);
    const shown = await eventually('the attempt', async () => {
      const { body } = expectStatus(200, await admin('GET', `/${waiting!.id}`));
      return body.state === 'delivered' ? body : undefined;
    });
    expect(shown).toMatchObject({ exit: 'subscription', type: 'event-notification', log: [{ delivered: true }] });
    expect(JSON.parse(shown.body as string).type).toBe('history');
    expectStatus(204, await admin('POST', `/${waiting!.id}/replay`));
    await eventually('it comes again', () => receiver.received.length === 3);
    expect(receiver.received[2]!.headers['webhook-id']).toBe(receiver.received[1]!.headers['webhook-id']);
    expect(
      expectStatus(200, await admin('POST', '/replay', { endpointId: id, since: '2026-01-01T00:00:00Z' })).body,
    ).toEqual({
      replayed: 1,
    });
    await eventually('and again', () => receiver.received.length === 4);
    expect(expectStatus(200, await admin('POST', `/endpoints/${id}/test`)).body).toEqual({
      reached: true,
      said: '204',
    });
    expect(said(receiver.received[4]!, 'type').valueCode).toBe('handshake');
    expect((await readSubscription(client, id)).status).toBe('active');
  });

  it('is found in pages, and counted without any', async () => {
    const client = await gateway.createClient();
    const ids = [await created(client), await created(client), await created(client)].map(({ id }) => id as string);
    const search = async (query: string) =>
      expectStatus(200, await client.request('GET', `/fhir/Subscription?${query}`)).body;
    expect(await search('_count=0')).toMatchObject({ total: 3 });
    expect((await search('_count=0')).entry).toBeUndefined();
    const found: string[] = [];
    let query: string | null = '_count=2&url:missing=false';
    while (query !== null) {
      const { entry, link, total } = await search(query);
      expect(total).toBe(3);
      found.push(...entry.map(({ resource }: { resource: { id: string } }) => resource.id));
      query = link === undefined ? null : new URL(link[0].url).search.slice(1);
    }
    expect(found).toEqual(ids);
    expect(await search('criteria:missing=true')).toMatchObject({ total: 0 });
    expect((await client.request('GET', '/fhir/Subscription?_count=many')).status).toBe(400);
  });
});
