import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AdminBrowser } from '../../support/admin-browser.js';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { ALL_SCOPES, type SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { freePort } from '../../support/free-port.js';

const NUMBER = 'MRN-OF-TIMELINES';

interface Told {
  readonly what: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly resources: readonly string[];
  readonly next: string | null;
}

let gateway: SharedGateway;
let receiver: Server;
let own: string;
let foreign: string;
let client: ApiClient;
let stranger: ApiClient;
let viewer: AdminBrowser;

beforeAll(async () => {
  gateway = await sharedGateway();
  receiver = createServer((request, response) => {
    request.resume();
    response.statusCode = 410;
    response.end();
  });
  const free = await freePort();
  await new Promise<void>((done) => receiver.listen(free, '127.0.0.1', done));
  [own, foreign] = [await gateway.createOrganization('enterprise'), await gateway.createOrganization('enterprise')];
  const clientOf = async (of: string) =>
    new ApiClient(gateway.baseUrl, (await gateway.createKey(of, 'test', ALL_SCOPES)).key);
  [client, stranger] = [await clientOf(own), await clientOf(foreign)];
  const roles = [{ organizationId: own, role: 'viewer' }];
  const { body } = expectStatus(201, await gateway.admin('POST', '/users', { name: 'vera-of-timelines', roles }));
  viewer = await new AdminBrowser(gateway).enter(body as { name: string; setupCode: string });
});
afterAll(async () => {
  await new Promise((done) => receiver?.close(done));
});

const traced = (id: string, organizationId: string | null = own) =>
  viewer.ask(
    'GET',
    `/trace?id=${encodeURIComponent(id)}${organizationId === null ? '' : `&organizationId=${organizationId}`}`,
  );
const eventsOf = (body: { photos: { events: Told[] }[] }): Told[] => body.photos.flatMap(({ events }) => events);
const analysed = (by: ApiClient) =>
  drawWoundPhoto().then((photo) => by.analyse(photo, { subject: { patientId: NUMBER, woundId: 'W-1' } }));

describe('a person with a role in one organization', () => {
  it('is refused the timelines of another, and of everybody', async () => {
    for (const answer of [await traced('X', foreign), await traced('X', null)])
      expect([answer.status, answer.body.code]).toEqual([403, 'auth.role']);
  });

  it('finds by a number of REST what is of their own alone, also where another has the same number', async () => {
    const [mine, theirs] = [await analysed(client), await analysed(stranger)];
    const { takenFor, photos, apart } = expectStatus(200, await traced(NUMBER)).body;
    expect(takenFor).toEqual(['patient']);
    expect(photos.map(({ imageId }: { imageId: string }) => imageId)).toEqual([mine.imageId]);
    expect(apart).toEqual([]);
    for (const id of [theirs.imageId, theirs.id, theirs.links.report.split('/').at(-1)])
      expect((await traced(id)).body.code).toBe('trace.not_found');
    const all = expectStatus(200, await gateway.admin('GET', `/trace?id=${NUMBER}`)).body;
    expect(all.photos).toHaveLength(2);
  });

  it('finds a patient by the identifier of a FHIR Patient, before any photo came', async () => {
    const json = { resourceType: 'Patient', identifier: [{ system: 'urn:oid:2.999.1', value: 'FHIR-OF-TIMELINES' }] };
    expectStatus(
      201,
      await client.request('POST', '/fhir/Patient', { json, headers: { 'content-type': 'application/fhir+json' } }),
    );
    const { takenFor, photos } = expectStatus(200, await traced('FHIR-OF-TIMELINES')).body;
    expect([takenFor, photos]).toEqual([['patient'], []]);
  });

  it('leaves a row of the trail with each look, under the patient', async () => {
    await traced(NUMBER);
    const rows = await queryDatabase<{ key_id: string; patient_id: string | null }>(
      gateway.databaseUrl,
      `select key_id, patient_id from audit_events where interaction = '$trace' and organization_id = '${own}' order by id desc limit 1`,
    );
    expect(rows).toEqual([{ key_id: 'user:vera-of-timelines', patient_id: expect.any(String) }]);
    expect(JSON.stringify(rows)).not.toContain(NUMBER);
  });
});

describe('a timeline', () => {
  it('says by whom a photo was deleted, and why one went that never came', async () => {
    const imageId = await client.uploadPhoto(await drawWoundPhoto());
    expectStatus(204, await client.request('DELETE', `/api/v1/images/${imageId}`));
    const gone = eventsOf(expectStatus(200, await traced(imageId)).body).at(-1)!;
    expect([gone.what, gone.facts['why'], gone.facts['door']]).toEqual(['image.deleted', 'asked', 'rest']);
    const asked = expectStatus(201, await client.requestUpload()).body.imageId as string;
    await queryDatabase(
      gateway.databaseUrl,
      `update images set status = 'deleted', deleted_at = now() where id = '${asked}'`,
    );
    expect(eventsOf(expectStatus(200, await traced(asked)).body).at(-1)!.facts).toEqual({ why: 'unused' });
  });

  it('has what was sent to a webhook, and what to do where it was not taken', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const made = { organizationId: own, environment: 'test', url, types: ['report.ready'] };
    expectStatus(201, await gateway.admin('POST', '/webhooks', made));
    const { imageId } = await analysed(client);
    const sent = await eventually('the webhook is held', async () => {
      const events = eventsOf(expectStatus(200, await traced(imageId)).body);
      return events.find(({ what, next }) => what.startsWith('delivery.') && next !== null);
    });
    expect(sent.facts).toMatchObject({ exit: 'webhook', type: 'report.ready' });
    expect(sent.resources[0]).toMatch(/^MessageHeader\//);
    const id = sent.resources[0]!.split('/')[1]!;
    expect(expectStatus(200, await traced(id)).body.takenFor).toEqual(['delivery']);
    const { items } = expectStatus(200, await viewer.ask('GET', `/deliveries/endpoints?organizationId=${own}`)).body;
    expect(items).toEqual([expect.objectContaining({ exit: 'webhook', address: url, trouble: expect.any(String) })]);
    expect((await viewer.ask('GET', `/deliveries/endpoints?organizationId=${foreign}`)).status).toBe(403);
  });
});

describe('the figures', () => {
  it('are of the own organization for a viewer, and not of all', async () => {
    expect((await viewer.ask('GET', '/figures')).status).toBe(403);
    expect((await viewer.ask('GET', `/figures?organizationId=${foreign}`)).status).toBe(403);
    const { stepS, points } = expectStatus(
      200,
      await viewer.ask('GET', `/figures?organizationId=${own}&span=week`),
    ).body;
    expect([stepS, points.length]).toEqual([3600, 168]);
  });
});

describe('the audit trail', () => {
  it('is filtered by who came and by what was refused', async () => {
    await traced('X', foreign);
    const asked = (query: string) =>
      eventually(`entries of ${query}`, async () => {
        const { body } = expectStatus(200, await gateway.admin('GET', `/organizations/${own}/audit-events?${query}`));
        return (body.entry as { resource: { outcome: string; agent: { who: { identifier: { value: string } } }[] } }[])
          ?.length > 0
          ? (body.entry as { resource: { outcome: string; agent: { who: { identifier: { value: string } } }[] } }[])
          : undefined;
      });
    const byVera = await asked('agent=vera-of-timelines');
    expect(new Set(byVera.map(({ resource }) => resource.agent[0]!.who.identifier.value))).toEqual(
      new Set(['user:vera-of-timelines']),
    );
    const done = await asked('refused=false');
    expect(done.every(({ resource }) => resource.outcome === '0')).toBe(true);
    expect((await gateway.admin('GET', `/organizations/${own}/audit-events?refused=maybe`)).status).toBe(400);
  });
});
