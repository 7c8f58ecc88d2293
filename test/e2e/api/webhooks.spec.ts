import { EVENTS } from '../../../src/doors/native/openapi/event.schemas.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../../src/core/deliveries/webhook-events.js';
import type { HealthEventType } from '../../../src/exits/webhooks/queue/health-changes.js';
import { Webhook } from '../../support/standard-webhooks.js';
import { WebhookReceiver, type ReceivedWebhook } from '../../peers/webhook-receiver.js';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const TEXT = 'Odour since Tuesday, an invented remark.';

let gateway: SharedGateway;
let receiver: WebhookReceiver;

beforeAll(async () => {
  gateway = await sharedGateway();
});
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.stop());

const create = async (client: ApiClient, more: Record<string, unknown> = {}): Promise<Answer['body']> =>
  expectStatus(201, await client.request('POST', '/api/v1/webhooks', { json: { url: receiver.url, ...more } })).body;
const analyse = async (client: ApiClient) =>
  client.analyse(await drawSmallWoundPhoto(), {
    clinicalContext: TEXT,
    subject: { patientId: 'MRN-4711', woundId: 'W1' },
  });
const verified = (secret: string, { body, headers }: ReceivedWebhook) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
/** Types that some endpoint of this file was told. */
const toldTypes = new Set<string>();
/** Every field of what was received stands in the OpenAPI document, as it is there. */
const expectDescribed = () => {
  for (const { event } of receiver.received) {
    toldTypes.add(event.type);
    expect([
      event.type,
      EVENTS[event.type as WebhookEventType].data.strict().safeParse(event.data).error?.issues,
    ]).toEqual([event.type, undefined]);
  }
};

describe('the webhooks of an organization', () => {
  it('are refused without the scope, for addresses inside, for a stranger and beyond the twentieth', async () => {
    const client = await gateway.createClient();
    const organizationId = await gateway.createOrganization('enterprise');
    const { key } = await gateway.createKey(organizationId, 'test', ['analysis:read']);
    const refused = await client.request('GET', '/api/v1/webhooks', { key });
    expect([refused.status, refused.body.code]).toEqual([403, 'auth.scope']);

    for (const url of [
      'https://10.1.2.3/x',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/x',
      'http://93.184.216.34/x',
      'https://user:secret@example.org/x',
      'ftp://example.org/x',
      'https://167772161/x',
      'https://①⓪.⓪.⓪.①/x',
      'https://example.org/\r\nx-evil: 1',
      'https://example.org:25/x',
    ]) {
      const answer = await client.request('POST', '/api/v1/webhooks', { json: { url } });
      expect([url, answer.status, answer.body.code]).toEqual([url, 422, 'webhook.url_refused']);
    }
    for (const json of [
      { url: `https://example.org/${'x'.repeat(1 << 20)}` },
      { url: `https://example.org/${'x'.repeat(3000)}` },
      { url: 7 },
      { url: ['https://example.org/x'] },
      { url: null },
      {},
      [],
      'https://example.org/x',
      { url: receiver.url, types: 'report.ready' },
      { url: receiver.url, types: [{}] },
      { url: receiver.url, content: 'everything' },
      { url: receiver.url, signatures: [] },
      { url: receiver.url, secret: 'whsec_mine' },
      { url: receiver.url, ['__proto__']: { state: 'active' }, id: 'mine' },
    ]) {
      const answer = await client.request('POST', '/api/v1/webhooks', { json });
      expect([JSON.stringify(json).slice(0, 80), answer.status < 500, answer.status >= 400]).toEqual([
        JSON.stringify(json).slice(0, 80),
        true,
        true,
      ]);
    }
    const unknown = await client.request('POST', '/api/v1/webhooks', {
      json: { url: receiver.url, types: ['report.burnt'] },
    });
    expect([unknown.status, unknown.body.code]).toEqual([400, 'request.invalid']);

    const { id } = await create(client);
    const stranger = await gateway.createClient();
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/test'],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['GET', '/deliveries'],
    ]) {
      const json = method === 'PATCH' ? { json: { types: [] } } : {};
      const answer = await stranger.request(method!, `/api/v1/webhooks/${id}${path}`, json);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 404, 'webhook.not_found']);
    }
    for (let count = 1; count < 20; count += 1) await create(client);
    const tooMany = await client.request('POST', '/api/v1/webhooks', { json: { url: receiver.url } });
    expect([tooMany.status, tooMany.body.code]).toEqual([409, 'webhook.too_many']);
  });

  it('are told of an analysis, its report and its wound, signed, in order, without a name or a clinical word', async () => {
    const client = await gateway.createClient();
    const { id, secret, ...view } = await create(client);
    expect(view).toMatchObject({ state: 'active', content: 'ids', signatures: ['v1'], types: [] });
    const job = await analyse(client);
    await eventually('three events', () => receiver.received.length >= 3);

    expect(receiver.types).toEqual(['analysis.completed', 'wound.opened', 'report.ready']);
    const events = receiver.received.map((one) => verified(secret, one)) as Answer['body'][];
    expect(events.map(({ data }) => data.sequence)).toEqual([1, 2, 3]);
    expect(events[0].data).toMatchObject({ jobId: job.id, woundDetected: true });
    expect(events[2].data).toMatchObject({ jobId: job.id, version: 1, status: 'preliminary', reason: 'created' });
    expectDescribed();
    const said = receiver.received.map(({ body }) => body).join();
    expect(said).not.toMatch(/MRN-4711|invented|W1"/);
    expect(new Set(receiver.received.map(({ id: eventId }) => eventId)).size).toBe(3);

    const shown = expectStatus(200, await client.request('GET', `/api/v1/webhooks/${id}`)).body;
    expect(JSON.stringify(shown)).not.toContain(secret.slice(6));
    const logged = async () =>
      expectStatus(200, await client.request('GET', `/api/v1/webhooks/${id}/deliveries`)).body
        .deliveries as Answer['body'][];
    await eventually('all to be in the log', async () => (await logged()).every(({ state }) => state === 'delivered'));
    expect(await logged()).toMatchObject([
      { type: 'report.ready', state: 'delivered', attempts: 1, statusCode: 204 },
      { type: 'wound.opened', state: 'delivered' },
      { type: 'analysis.completed', state: 'delivered' },
    ]);
  });

  it('are told the clinical text where their owner asks for it, and only of the types that they take', async () => {
    const organizationId = await gateway.createOrganization();
    const client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
    await create(client, {
      types: ['report.ready', 'report.reviewed', 'wound.closed', 'wound.opened'],
      content: 'full',
    });
    const job = await analyse(client);
    const report = expectStatus(200, await client.request('GET', `/api/v1/analysis/jobs/${job.id}`)).body;
    const reportId = report.links.report.split('/').at(-1) as string;
    const read = expectStatus(200, await client.request('GET', `/api/v1/reports/${reportId}`));
    expectStatus(
      201,
      await client.request('POST', `/api/v1/reports/${reportId}/reviews`, {
        json: { decision: 'accept', reviewer: { id: 'HCP-0042', name: 'Example Reviewer' } },
        headers: { 'if-match': read.headers.get('etag')! },
      }),
    );
    const { woundId } = receiver.received.find(({ event }) => event.type === 'wound.opened')!.event.data;
    const by = { json: { reviewer: { id: 'HCP-0042', name: 'Example Reviewer' } } };
    expectStatus(200, await client.request('POST', `/api/v1/wounds/${woundId}/close`, by));
    await eventually('the closure', () => receiver.types.includes('wound.closed'));
    expect(receiver.types).toEqual(['wound.opened', 'report.ready', 'report.reviewed', 'wound.closed']);
    expectDescribed();
    expect(receiver.received[1]!.event.data).toMatchObject({
      clinicalContext: TEXT,
      patient: { value: 'MRN-4711' },
      callersWoundId: 'W1',
    });
    expect(receiver.received[2]!.event.data).toMatchObject({ version: 2, decision: 'accept', status: 'final' });
    const notices = `select from audit_events where interaction = '$notify' and organization_id = $1`;
    await eventually(
      'the trail has what they were told',
      async () => (await queryDatabase(gateway.databaseUrl, notices, [organizationId])).length >= 3,
    );
  });

  it('are told of a report that waits for a person, and of each further version', async () => {
    const client = await gateway.createClient();
    await create(client, { types: ['report.amended', 'wound.attention'] });
    const photo = await drawSmallWoundPhoto();
    const subject = { patientId: 'MRN-4712', woundId: 'W2' };
    const calibrated = (mmPerPixel: number) => client.analyse(photo, { subject, calibration: { mmPerPixel } });
    await calibrated(0.1);
    const jumped = await calibrated(0.4);
    const reportId = jumped.links.report.split('/').at(-1) as string;
    await eventually('the attention', () => receiver.types.includes('wound.attention'));
    const attention = receiver.received.find(({ event }) => event.type === 'wound.attention')!.event.data;
    expect(attention).toMatchObject({ reportId, attention: ['area_jump'] });
    const read = expectStatus(200, await client.request('GET', `/api/v1/reports/${reportId}`));
    expectStatus(
      201,
      await client.request('POST', `/api/v1/reports/${reportId}/reviews`, {
        json: { decision: 'accept', reviewer: { id: 'HCP-0042', name: 'Example Reviewer' } },
        headers: { 'if-match': read.headers.get('etag')! },
      }),
    );
    await eventually('the further version', () => receiver.types.includes('report.amended'));
    expectDescribed();
  });

  it('are told once of each share of the quota of the day', async () => {
    const organizationId = await gateway.createOrganization('free');
    expectStatus(200, await gateway.admin('PATCH', `/organizations/${organizationId}`, { dailyLimit: 5 }));
    const client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
    await create(client, { types: ['quota.threshold'] });
    const imageId = await client.uploadPhoto(await drawSmallWoundPhoto());
    for (let count = 0; count < 5; count += 1) await client.startJob({ imageId });
    expect((await client.createJob({ imageId })).status).toBe(429);
    await eventually('both thresholds', () => receiver.received.length >= 2);
    expectDescribed();
    expect(receiver.received.map(({ event }) => [event.data.sharePct, event.data.limit])).toEqual([
      [80, 5],
      [100, 5],
    ]);
  });

  it('have been told every type by now, but for those of what goes wrong, which test/medium/webhooks has', () => {
    const ofTrouble: readonly (HealthEventType | 'analysis.failed')[] = [
      'analysis.failed',
      'endpoint.disabled',
      'delivery.recovered',
    ];
    expect([...toldTypes, ...ofTrouble].sort()).toEqual([...WEBHOOK_EVENT_TYPES].sort());
  });

  it('are sent what waited after a pause, and again what a person asks for, with the same ids', async () => {
    const client = await gateway.createClient();
    const { id, secret } = await create(client, { types: ['report.ready'] });
    const since = new Date(Date.now() - 60_000).toISOString();
    expectStatus(200, await client.request('POST', `/api/v1/webhooks/${id}/pause`));
    await analyse(client);
    const path = `/api/v1/webhooks/${id}/deliveries`;
    const list = async () => expectStatus(200, await client.request('GET', path)).body.deliveries as Answer['body'][];
    await eventually('the delivery to wait', async () => (await list()).length === 1);
    const trial = expectStatus(200, await client.request('POST', `/api/v1/webhooks/${id}/test`)).body;
    expect(trial).toMatchObject({ delivered: true, statusCode: 204 });
    verified(secret, receiver.received[0]!);
    receiver.forget();
    expectStatus(200, await client.request('POST', `/api/v1/webhooks/${id}/resume`));
    await eventually('the delivery', () => receiver.received.length === 1);
    const [delivery] = await list();
    await eventually('it to be written down', async () => (await list())[0].state === 'delivered');
    expectStatus(202, await client.request('POST', `${path}/${delivery.id}/replay`));
    await eventually('the second time', () => receiver.received.length === 2);
    await eventually('it to be written down again', async () => (await list())[0].state === 'delivered');
    const replay = await client.request('POST', `/api/v1/webhooks/${id}/replay`, { json: { since } });
    expect([replay.status, replay.body]).toEqual([202, { replayed: 1 }]);
    await eventually('the third time', () => receiver.received.length === 3);
    expect(new Set(receiver.received.map(({ id: eventId, body }) => `${eventId} ${body}`)).size).toBe(1);
    await eventually('three attempts', async () => {
      const { body } = await client.request('GET', `${path}/${delivery.id}`);
      return body.log.length === 3;
    });
    expectStatus(204, await client.request('DELETE', `/api/v1/webhooks/${id}`));
    expect((await client.request('GET', path)).status).toBe(404);
  });
});
