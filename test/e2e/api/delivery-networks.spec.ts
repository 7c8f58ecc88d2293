import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { AdminBrowser } from '../../support/admin-browser.js';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { runCommand } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { becomes, createSubscription, postSubscription, subscriptionTo } from '../../support/fhir-subscriptions.js';
import { ALL_SCOPES, startGateway, type Gateway } from '../../support/gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const LOCAL = '127.0.0.0/8';
const said = ({ status, body }: Answer): unknown[] => [status, body?.code];

describe('a network inside that the operator opened for one organization', () => {
  let gateway: Gateway;
  let receiver: WebhookReceiver;
  let opened: string;
  let [own, foreign]: ApiClient[] = [];

  beforeAll(async () => {
    gateway = await startGateway({ env: { TRUST_PROXY: 'loopback' } });
    receiver = await WebhookReceiver.start();
    const clientOf = async (organizationId: string): Promise<ApiClient> => {
      const { key } = await gateway.createKey(organizationId, 'test', ALL_SCOPES);
      return new ApiClient(gateway.baseUrl, key);
    };
    opened = await gateway.createOrganization();
    own = await clientOf(opened);
    foreign = await clientOf(await gateway.createOrganization());
  });
  afterAll(async () => {
    await receiver?.stop();
    await gateway?.stop();
  });

  const open = (deliveryNetworks: readonly string[]): Promise<Answer> =>
    gateway.admin('PATCH', `/organizations/${opened}`, { deliveryNetworks });
  const webhookOf = (client: ApiClient): Promise<Answer> =>
    client.request('POST', '/api/v1/webhooks', { json: { url: receiver.url } });
  const trialOf = async (id: string): Promise<Answer['body']> =>
    expectStatus(200, await own!.request('POST', `/api/v1/webhooks/${id}/test`)).body;

  it('is opened by nobody of the organization, and is a network', async () => {
    const name = 'admin-of-one';
    const roles = [{ organizationId: opened, role: 'admin' }];
    const invited = expectStatus(201, await gateway.admin('POST', '/users', { name, roles })).body;
    const admin = await new AdminBrowser(gateway).enter(invited as { name: string; setupCode: string });
    expect(said(await admin.ask('PATCH', `/organizations/${opened}`, { deliveryNetworks: [LOCAL] }))).toEqual([
      403,
      'auth.role',
    ]);
    for (const text of ['10.0.0.0', '10.0.0.0/99', 'intranet.example/8'])
      expect(said(await open([text]))).toEqual([400, 'request.invalid']);
  });

  it('takes its webhooks and Subscriptions, and those of no other', async () => {
    expect(said(await webhookOf(own!))).toEqual([422, 'webhook.url_refused']);
    const environment = { DATABASE_URL: gateway.databaseUrl, SUTURA_DATA_DIR: gateway.dataDir };
    const { out } = await runCommand(['org', 'set', '--org', opened, '--delivery-networks', LOCAL], environment);
    expect(out).toMatch(/delivery networks +127\.0\.0\.0\/8/);
    const { id } = expectStatus(201, await webhookOf(own!)).body;
    expect(await trialOf(id as string)).toMatchObject({ delivered: true });
    const subscription = await createSubscription(own!, subscriptionTo(receiver.url));
    await becomes(own!, subscription.id as string, 'active');
    expect(said(await webhookOf(foreign!))).toEqual([422, 'webhook.url_refused']);
    expect((await postSubscription(foreign!, subscriptionTo(receiver.url))).status).toBe(422);
  });

  it('is closed with the next request once it is taken back', async () => {
    expectStatus(200, await open([LOCAL]));
    const { id } = expectStatus(201, await webhookOf(own!)).body;
    expectStatus(200, await open([]));
    const heard = receiver.received.length;
    expect(await trialOf(id as string)).toMatchObject({ delivered: false, fault: 'address_refused' });
    expect(receiver.received).toHaveLength(heard);
  });

  it('is told of by the trace of a photo whose event waits for it, with what to do next', async () => {
    expectStatus(200, await open([LOCAL]));
    expectStatus(201, await webhookOf(own!));
    expectStatus(200, await open([]));
    const job = await own!.analyse(await drawSmallWoundPhoto(), { subject: { patientId: 'MRN-1', woundId: 'W1' } });
    const environment = { DATABASE_URL: gateway.databaseUrl, SUTURA_DATA_DIR: gateway.dataDir };
    // A command takes most of a second: the route is asked until it is so.
    await eventually('the trace', async () => {
      const { body } = await gateway.admin('GET', `/trace?id=${job.id as string}`);
      return JSON.stringify(body).includes('address_refused');
    });
    const { out: told } = await runCommand(['trace', job.id as string], environment);
    expect(told.split('What to do next:')[1]).toMatch(
      /its receiver's address is not allowed \(address_refused\)\. Open its network for the organization \(org set --delivery-networks\)/,
    );
  });

  it('is not sent a header that speaks for somebody else, were it accepted by an earlier release', async () => {
    expectStatus(200, await open([LOCAL]));
    const channel = { header: ['Authorization: Bearer of-the-ward'] };
    const { id } = await createSubscription(own!, subscriptionTo(receiver.url, {}, channel));
    await becomes(own!, id as string, 'active');
    const forged = ['Authorization: Bearer of-the-ward', 'Cookie: session=1', 'X-Forwarded-For: 10.0.0.1'];
    await queryDatabase(gateway.databaseUrl, 'update fhir_subscriptions set headers = $2 where id = $1', [id, forged]);
    const heard = receiver.received.length;
    expectStatus(200, await gateway.admin('POST', `/deliveries/endpoints/${id}/test`));
    const [sent] = await eventually('the trial', () =>
      receiver.received.length > heard ? receiver.received.slice(heard) : undefined,
    );
    expect(sent!.headers).toMatchObject({ authorization: 'Bearer of-the-ward', host: new URL(receiver.url).host });
    expect(Object.keys(sent!.headers).filter((name) => /cookie|forwarded/.test(name))).toEqual([]);
  });
});
