import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { runCommand } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const NOBODY = '01997f2e-1111-7000-8000-000000000001';
const LOCAL = { SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8' };

let gateway: SharedGateway;
let receiver: WebhookReceiver;

beforeAll(async () => {
  gateway = await sharedGateway();
  receiver = await WebhookReceiver.start();
});
afterAll(() => receiver?.stop());

/** The answer of a command with --json, or what it said of its refusal. */
async function command(...words: string[]): Promise<Answer['body']> {
  const { code, out, err } = await runCommand([...words, '--json'], {
    DATABASE_URL: gateway.databaseUrl,
    SUTURA_DATA_DIR: gateway.dataDir,
    ...LOCAL,
  });
  return code === 0 ? JSON.parse(out) : { code, said: `${out}${err}` };
}
/** Takes about a second each: some act by the command line, the others by the route of the same name (test/e2e/calls runs every one). */
const succeed = async (...words: string[]) => {
  const answer = await command(...words);
  if (typeof answer.code === 'number') throw new Error(`${words.join(' ')}: ${answer.said}`);
  return answer;
};

describe('an operator', () => {
  it('is refused unknown ids, wrong values and addresses inside, on the command line and over the admin API', async () => {
    const organizationId = await gateway.createOrganization();
    for (const [method, path, code] of [
      ['GET', `/deliveries/${NOBODY}`, 'delivery.not_found'],
      ['GET', '/deliveries/x', 'delivery.not_found'],
      ['GET', `/deliveries?endpointId=${NOBODY}`, 'delivery.endpoint_not_found'],
      ['POST', `/deliveries/${NOBODY}/replay`, 'delivery.not_found'],
      ['POST', `/deliveries/${NOBODY}/park`, 'delivery.not_found'],
      ['POST', `/deliveries/endpoints/${NOBODY}/pause`, 'delivery.endpoint_not_found'],
      ['POST', `/deliveries/endpoints/${NOBODY}/test`, 'delivery.endpoint_not_found'],
      ['DELETE', `/webhooks/${NOBODY}`, 'webhook.not_found'],
      ['GET', `/webhooks?organizationId=${NOBODY}`, 'organization.not_found'],
    ] as const) {
      const answer = await gateway.admin(method, path);
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, code]);
    }
    expect((await gateway.admin('GET', '/deliveries?state=burnt')).body.code).toBe('request.invalid');
    const inside = { organizationId, environment: 'test', url: 'https://10.1.2.3/x' };
    expect((await gateway.admin('POST', '/webhooks', inside)).body.code).toBe('webhook.url_refused');
    const unknown = { ...inside, organizationId: NOBODY, url: receiver.url };
    expect((await gateway.admin('POST', '/webhooks', unknown)).body.code).toBe('organization.not_found');
    expect(await command('deliveries', 'replay', '--endpoint', NOBODY)).toMatchObject({ code: 2 });
    expect((await command('deliveries', 'show', '--id', NOBODY)).said).toContain('delivery.not_found');
  });

  it('tells an address of events, puts a delivery aside, sends it again, and gives one up', async () => {
    const organizationId = await gateway.createOrganization();
    const { key } = await gateway.createKey(organizationId);
    const client = new ApiClient(gateway.baseUrl, key);
    const words = ['--org', organizationId, '--env', 'test', '--url', receiver.url, '--types', 'report.ready'];
    const { id, secret } = await succeed('webhook', 'create', ...words);
    expect(secret).toMatch(/^whsec_/);
    const admin = async (method: string, path: string, status = 200): Promise<Answer['body']> =>
      expectStatus(status, await gateway.admin(method, path)).body;
    const webhooks = async () => (await admin('GET', `/webhooks?organizationId=${organizationId}`)).items;
    const listed = await webhooks();
    expect(listed).toMatchObject([{ id, state: 'active', types: ['report.ready'] }]);
    expect(JSON.stringify(listed)).not.toContain(secret.slice(6));
    expect(await admin('POST', `/deliveries/endpoints/${id}/test`)).toEqual({ reached: true, said: '204' });
    expect(await admin('POST', `/deliveries/endpoints/${id}/pause`)).toMatchObject({ state: 'paused' });

    const since = new Date(Date.now() - 60_000).toISOString();
    await client.analyse(await drawSmallWoundPhoto());
    const waiting = await eventually(
      'a delivery to wait',
      async () => (await admin('GET', `/deliveries?endpointId=${id}&state=waiting`)).items[0] as Answer['body'],
    );
    expect(await succeed('deliveries', 'list', '--endpoint', id, '--state', 'waiting')).toMatchObject([
      { id: waiting.id, state: 'waiting' },
    ]);
    expect(waiting).toMatchObject({ exit: 'webhook', type: 'report.ready', attempts: 0, organizationId });
    await succeed('deliveries', 'park', '--id', waiting.id);
    expect((await admin('POST', `/deliveries/${waiting.id}/park`, 409)).code).toBe('webhook.delivery_state');
    await admin('POST', `/deliveries/${waiting.id}/replay`, 204);
    expect(await admin('POST', `/deliveries/endpoints/${id}/resume`)).toMatchObject({ state: 'active' });
    const read = async () => (await gateway.admin('GET', `/deliveries/${waiting.id}`)).body;
    await eventually('it to be delivered', async () => (await read()).state === 'delivered');
    expect((await read()).log).toMatchObject([{ delivered: true, answer: '204', fault: null }]);
    expect(JSON.parse((await read()).body)).toMatchObject({ type: 'report.ready', data: { sequence: 1 } });
    const range = await gateway.admin('POST', '/deliveries/replay', { endpointId: id, since });
    expect([range.status, range.body]).toEqual([200, { replayed: 1 }]);
    await eventually('it to be sent again', () => receiver.received.length >= 3);

    // The owner's own key can do the same to its own.
    expectStatus(200, await client.request('POST', `/api/v1/webhooks/${id}/pause`));
    await eventually('it to be delivered again', async () => (await read()).state === 'delivered');
    const path = `/api/v1/webhooks/${id}/deliveries/${waiting.id}`;
    expectStatus(409, await client.request('POST', `${path}/discard`));
    expectStatus(202, await client.request('POST', `${path}/replay`));
    expectStatus(204, await client.request('POST', `${path}/park`));
    expectStatus(204, await client.request('POST', `${path}/discard`));
    expect((await read()).state).toBe('discarded');
    await succeed('webhook', 'delete', '--id', id);
    expect(await webhooks()).toEqual([]);
    const acts = await queryDatabase<{ interaction: string }>(
      gateway.databaseUrl,
      `select distinct interaction from audit_events where organization_id = $1 and key_id like 'operator%' order by 1`,
      [organizationId],
    );
    expect(acts.map(({ interaction }) => interaction)).toEqual(
      expect.arrayContaining(['$park', '$pause', '$replay', '$resume', '$test', 'create', 'delete', 'read']),
    );
  });

  it('does the same to messages of HL7 v2', async () => {
    const hospital = await Hl7Hospital.open(gateway, {}, { ackTimeoutMs: 2000 });
    try {
      await hospital.send(orderMessage({ order: 'ORD-1', photo: await drawSmallWoundPhoto() }));
      await hospital.result('ORD-1');
      const { organizationId, ...first } = await eventually('a message', async () => {
        const { items } = (
          await gateway.admin('GET', `/deliveries?organizationId=${hospital.organizationId}&state=delivered`)
        ).body;
        return (items as Answer['body'][]).find(({ exit }) => exit === 'hl7');
      });
      expect(first).toMatchObject({ type: 'result', state: 'delivered', fault: null });
      const of = `/deliveries/endpoints/${first.endpointId}`;
      expect((await gateway.admin('POST', `${of}/test`)).body).toEqual({ reached: true, said: 'connected' });
      expect((await gateway.admin('POST', `${of}/pause`)).body).toMatchObject({ exit: 'hl7', state: 'paused' });
      const before = hospital.receiver.messages.length;
      expect((await gateway.admin('POST', `${of}/resume`)).body).toMatchObject({ state: 'active' });
      hospital.receiver.mode = 'silent';
      expectStatus(204, await gateway.admin('POST', `/deliveries/${first.id}/replay`));
      await eventually('it to be sent', () => hospital.receiver.messages.length > before);
      expectStatus(204, await gateway.admin('POST', `/deliveries/${first.id}/park`));
      hospital.receiver.mode = 'accept';
      const range = { endpointId: first.endpointId, since: new Date(Date.now() - 600_000).toISOString() };
      expect((await gateway.admin('POST', '/deliveries/replay', range)).body).toEqual({ replayed: 1 });
      await eventually('it to come again', () => hospital.receiver.messages.length > before + 1);
      const shown = (await gateway.admin('GET', `/deliveries/${first.id}`)).body;
      expect(shown.body).toMatch(/^MSH\|/);
      const own = (await gateway.admin('GET', `/deliveries?organizationId=${organizationId}`)).body.items;
      expect(own.map(({ exit }: Answer['body']) => exit)).toEqual(['hl7']);
    } finally {
      await hospital.close();
    }
  });
});
