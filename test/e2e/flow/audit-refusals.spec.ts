import { ApiClient, send } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

interface Row {
  readonly door: string;
  readonly interaction: string;
  readonly key_id: string;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly resources: string[];
  readonly query: string | null;
  readonly refusal: string | null;
  readonly occurrences: number;
}

const SERVICE = '00000000-0000-0000-0000-000000000000';

describe('the audit trail of what was refused and administered', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.stop());

  const rowsOf = (organizationId: string): Promise<Row[]> =>
    queryDatabase<Row>(gateway.databaseUrl, 'select * from audit_events where organization_id = $1 order by id', [
      organizationId,
    ]);
  const refusalsOf = async (organizationId: string, code: string): Promise<Row[]> =>
    (await rowsOf(organizationId)).filter(({ refusal }) => refusal === code);
  const untilRefused = (organizationId: string, code: string): Promise<Row> =>
    eventually(`a row of ${code}`, async () => (await refusalsOf(organizationId, code))[0]);

  it('has a missing, a wrong and a revoked key, a missing scope and another tenant’s image, each with where it came from', async () => {
    const [own, other] = [await gateway.createOrganization(), await gateway.createOrganization()];
    const [reader, revoked, foreign] = [
      await gateway.createKey(own, 'test', ['analysis:read']),
      await gateway.createKey(own),
      await gateway.createKey(other),
    ];
    await gateway.admin('DELETE', `/keys/${revoked.keyId}`);
    const imageId = await new ApiClient(gateway.baseUrl, foreign.key).uploadPhoto(await drawWoundPhoto());
    const writer = await gateway.createKey(own, 'test', ['images:write']);

    await send('GET', `${gateway.baseUrl}/api/v1/usage`, {});
    await send('GET', `${gateway.baseUrl}/fhir/Patient?name=Beispiel`, { key: 'wrong' });
    await send('GET', `${gateway.baseUrl}/admin/v1/organizations`, { key: 'wrong' });
    await eventually('the revoked key is refused', async () =>
      (await send('GET', `${gateway.baseUrl}/api/v1/usage`, { key: revoked.key })).status === 401 ? true : undefined,
    );
    await send('POST', `${gateway.baseUrl}/api/v1/images/upload-url`, { key: reader.key, json: {} });
    await send('DELETE', `${gateway.baseUrl}/api/v1/images/${imageId}`, { key: writer.key });
    await send('GET', `${gateway.baseUrl}/fhir/Media/${imageId}`, { key: reader.key });

    expect(await untilRefused(SERVICE, 'auth.missing')).toMatchObject({
      door: 'rest',
      key_id: 'unknown',
      address: '127.0.0.1',
      query: 'GET /api/v1/usage',
      occurrences: 1,
    });
    await eventually('both wrong keys', async () => {
      const doors = (await refusalsOf(SERVICE, 'auth.invalid')).map(({ door }) => door).sort();
      return doors.join() === 'admin,fhir' ? true : undefined;
    });
    expect(await untilRefused(own, 'auth.revoked')).toMatchObject({ key_id: revoked.keyId });
    expect(await untilRefused(own, 'auth.scope')).toMatchObject({
      key_id: reader.keyId,
      interaction: 'create',
      query: 'POST /api/v1/images/upload-url',
    });
    expect(await untilRefused(own, 'image.not_found')).toMatchObject({
      key_id: writer.keyId,
      interaction: 'delete',
      resources: [`Media/${imageId}`],
    });
    expect(await untilRefused(own, 'fhir.not_found')).toMatchObject({
      door: 'fhir',
      key_id: reader.keyId,
      resources: [`Media/${imageId}`],
      query: 'GET /fhir/Media/{id}',
    });
    expect(await refusalsOf(other, 'image.not_found')).toEqual([]);
    expect(JSON.stringify(await rowsOf(SERVICE))).not.toContain('Beispiel');
  });

  it('has what operators do, over the admin API, with the address, and no key’s text', async () => {
    const organizationId = await gateway.createOrganization('pro');
    const { key, keyId } = await gateway.createKey(organizationId);
    await gateway.admin('PATCH', `/organizations/${organizationId}`, { plan: 'enterprise' });
    await gateway.admin('GET', `/organizations/${organizationId}/keys`);
    await gateway.admin('DELETE', `/keys/${keyId}`);
    await gateway.admin('GET', `/organizations/${organizationId}/audit-events`);
    const rows = await rowsOf(organizationId);
    expect(
      rows.map(({ door, interaction, key_id, resources, query }) => [door, key_id, interaction, resources[0], query]),
    ).toEqual([
      ['admin', 'operator', 'create', `Organization/${organizationId}`, 'plan=pro'],
      [
        'admin',
        'operator',
        '$create-key',
        `Device/${keyId}`,
        'scopes=images:write,analysis:write,analysis:read,analysis:review,webhooks:manage,bulk:export,audit:read,patients:erase',
      ],
      ['admin', 'operator', 'update', `Organization/${organizationId}`, 'plan=enterprise'],
      ['admin', 'operator', '$list-keys', `Organization/${organizationId}`, null],
      ['admin', 'operator', '$revoke-key', `Device/${keyId}`, null],
      ['admin', 'operator', 'search-type', undefined, 'AuditEvent'],
    ]);
    expect(rows.every(({ address, request_id }) => address === '127.0.0.1' && request_id !== null)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it('tells each request in one line of the log, by its route and never by its address, and in a series of the metrics', async () => {
    const organizationId = await gateway.createOrganization();
    const { key, keyId } = await gateway.createKey(organizationId);
    const answer = await fetch(`${gateway.baseUrl}/fhir/Patient?identifier=MRN-4711`, {
      headers: { authorization: `Bearer ${key}`, 'x-request-id': 'ward-7.1' },
    });
    expect(answer.status).toBe(200);
    const refused = await fetch(`${gateway.baseUrl}/api/v1/wounds/MRN-4711?patientId=MRN-4711`, {
      headers: { authorization: `Bearer ${key}`, 'x-request-id': 'ward-7.2' },
    });
    expect(refused.status).toBe(404);
    const lines = await eventually('both lines', () => {
      const found = gateway.process
        .events('http.request')
        .filter(({ requestId }) => String(requestId).startsWith('ward-7.'));
      return found.length === 2 ? found : undefined;
    });
    expect(lines).toMatchObject([
      { level: 30, method: 'GET', route: '/fhir/Patient', status: 200, requestId: 'ward-7.1', keyId },
      {
        level: 30,
        method: 'GET',
        route: '/api/v1/wounds/:id',
        status: 404,
        requestId: 'ward-7.2',
        keyId,
        code: 'wound.not_found',
      },
    ]);
    expect(lines.every(({ ms }) => typeof ms === 'number' && ms > 0)).toBe(true);
    expect(gateway.logs).not.toContain('MRN-4711');
    const metrics = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
    expect(metrics).toMatch(
      /http_server_request_duration_seconds_count\{[^}]*http_request_method="GET",http_route="\/fhir\/Patient",http_response_status_code="200"[^}]*\} \d+/,
    );
    expect(metrics).not.toContain('MRN-4711');
  });

  it('has 400 wrong keys in a row as few rows, which count every one once the process has ended', async () => {
    const before = (await rowsOf(SERVICE)).length;
    await Promise.all(
      Array.from({ length: 400 }, () => send('GET', `${gateway.baseUrl}/api/v1/models`, { key: 'wrong' })),
    );
    gateway.process.signal('SIGTERM');
    await gateway.process.exited;
    const rows = (await rowsOf(SERVICE)).slice(before).filter(({ query }) => query === 'GET /api/v1/models');
    expect(rows.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(400);
    expect(rows.length).toBeLessThanOrEqual(4);
  });
});
