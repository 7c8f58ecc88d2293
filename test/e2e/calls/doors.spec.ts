import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { CapabilityStatement } from '@medplum/fhirtypes';
import { expectStatus } from '../../support/api-client.js';
import { EhrHost } from '../../support/ehr-host.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { TestIdentityProvider } from '../../support/identity-provider.js';
import { makeClientKey } from '../../support/smart-client.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { queryDatabase } from '../../support/database-query.js';
import { NOBODY } from './command-row.js';
import { DOOR_ROWS, REFUSED_METHODS, type DoorsGround } from './doors.rows.js';
import { callRoutes, refusalOf, requests } from './route-row.js';

let database: TestDatabase;
let provider: TestIdentityProvider;
let ehr: EhrHost;
let gateway: Gateway;
let ground: DoorsGround;

beforeAll(async () => {
  [database, provider] = [await createTestDatabase(), await TestIdentityProvider.start()];
  const organizationId = NOBODY;
  const insert = `insert into organizations (id, name, plan, result_policy, created_at) values ($1, 'Clinic', 'enterprise', 'review', now())`;
  await queryDatabase(database.url, insert, [organizationId]);
  const env = {
    ...provider.settings,
    SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8',
    SUTURA_EHR_NETWORKS: '127.0.0.0/8',
    SUTURA_OIDC_ROLES: `ward=viewer@${organizationId}`,
  };
  gateway = await startGateway({ roles: 'api,hl7', databaseUrl: database.url, env });
  const { key } = await gateway.createKey(organizationId);
  const clientKey = await makeClientKey('ES384');
  const client = await gateway.admin('POST', `/organizations/${organizationId}/clients`, {
    name: 'EHR',
    environment: 'test',
    scopes: ['system/*.rs'],
    jwks: { keys: [clientKey.publicJwk] },
  });
  const clientId = expectStatus(201, client).body.clientId as string;
  ehr = await EhrHost.start();
  const registered = await gateway.admin('POST', `/organizations/${organizationId}/ehrs`, {
    name: 'EHR',
    environment: 'test',
    fhirBaseUrl: ehr.base,
    patientSystem: 'https://hospital.example/mrn',
    cds: { enabled: true, issuer: ehr.issuer, jwksUrl: ehr.keySetUrl },
  });
  expectStatus(201, registered);
  const made = { patientId: '', subscriptionId: '', exportPath: '', filePath: '', callback: { path: '', cookie: '' } };
  ground = { gateway, ask: requests(gateway), key, organizationId, clientId, clientKey, provider, ehr, ...made };
});
afterAll(async () => {
  await gateway?.stop();
  await provider?.stop();
  await ehr?.close();
  await database?.drop();
});

callRoutes(DOOR_ROWS, () => ground);

/** `fetch` sends no TRACE. */
const plain = (
  method: string,
  path: string,
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> =>
  new Promise((done, failed) => {
    const asked = request(`${gateway.baseUrl}${path}`, { method, headers: { authorization: `Bearer ${ground.key}` } });
    asked.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      buffer(response).then((bytes) => done({ status, headers, body: bytes.toString() }), failed);
    });
    asked.on('error', failed).end();
  });

test('methods that FHIR does not have are refused as FHIR refuses', async () => {
  for (const route of REFUSED_METHODS) {
    const [method = '', path = ''] = route.split(' ');
    const { status, body } = await plain(method, path.replace('*', 'Patient'));
    expect([route, status, JSON.parse(body)]).toEqual([
      route,
      405,
      expect.objectContaining({ resourceType: 'OperationOutcome' }),
    ]);
  }
});

test('every type of the CapabilityStatement is searched, and refuses a parameter that it does not have', async () => {
  const statement = (await ground.ask('GET', '/fhir/metadata', {})).body as CapabilityStatement;
  const searched = statement
    .rest![0]!.resource!.filter(({ interaction }) => interaction!.some(({ code }) => code === 'search-type'))
    .map(({ type }) => type!);
  expect(searched.length).toBeGreaterThan(15);
  for (const type of searched) {
    const found = await ground.ask('GET', `/fhir/${type}?_count=1`, { key: ground.key });
    expect([type, found.status, found.body]).toEqual([
      type,
      200,
      expect.objectContaining({ resourceType: 'Bundle', type: 'searchset' }),
    ]);
    const refused = await ground.ask('GET', `/fhir/${type}?burnt=1`, {
      key: ground.key,
      headers: { prefer: 'handling=strict' },
    });
    expect([type, refusalOf(refused)[0]]).toEqual([type, 400]);
  }
});
