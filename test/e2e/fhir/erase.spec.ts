import { ApiClient, expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { ALL_SCOPES, startGateway, type Gateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';

const FHIR = { 'content-type': 'application/fhir+json' };
const codeOf = (body: { issue?: { details?: { coding?: { code: string }[] } }[] }) =>
  body.issue?.[0]?.details?.coding?.[0]?.code;

describe('Patient/[id]/$erase', () => {
  let gateway: Gateway;
  let client: ApiClient;
  let organizationId: string;
  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api', env: { FHIR_ERASE: 'true' } });
    organizationId = await gateway.createOrganization();
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
  });
  afterAll(() => gateway?.stop());

  const fhir = (method: string, path: string, resource?: object, by = client) =>
    by.request(method, `/fhir/${path}`, {
      headers: FHIR,
      ...(resource === undefined ? {} : { bytes: Buffer.from(JSON.stringify(resource)) }),
    });
  const patientOf = async (value: string): Promise<string> => {
    const patient = { resourceType: 'Patient', identifier: [{ system: 'urn:oid:2.999.1', value }] };
    return expectStatus(201, await fhir('POST', 'Patient', patient)).body.id as string;
  };
  const dryRun = (given: object) => ({ resourceType: 'Parameters', parameter: [{ name: 'dryRun', ...given }] });
  const partsOf = (body: { parameter: { name: string }[] }, name: string) =>
    body.parameter.filter((one) => one.name === name) as unknown as Record<string, never>[];

  it('is refused without its scope, for nobody’s id, for what it does not understand, and on hold; nothing goes', async () => {
    const id = await patientOf('E-1');
    const scopes = ALL_SCOPES.filter((scope) => scope !== 'patients:erase');
    const other = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId, 'test', scopes)).key);
    const refused = await fhir('POST', `Patient/${id}/$erase`, undefined, other);
    expect([refused.status, codeOf(refused.body)]).toEqual([403, 'auth-scope']);
    const foreign = await fhir('POST', `Patient/${id}/$erase`, undefined, await gateway.createClient());
    expect([foreign.status, codeOf(foreign.body)]).toEqual([404, 'patient-not-found']);
    expect((await fhir('GET', `Patient/${id}/$erase`)).status).toBe(405);
    for (const parameters of [
      dryRun({ valueString: 'yes' }),
      { resourceType: 'Parameters', parameter: [{ name: 'dryrun', valueBoolean: true }] },
    ])
      expect((await fhir('POST', `Patient/${id}/$erase`, parameters)).status).toBe(400);
    await gateway.admin('POST', `/organizations/${organizationId}/patients/hold`, {
      environment: 'test',
      patient: id,
      reason: 'Court file 12-345',
    });
    for (const body of [undefined, dryRun({ valueBoolean: true })]) {
      const held = await fhir('POST', `Patient/${id}/$erase`, body);
      expect([held.status, codeOf(held.body)]).toEqual([409, 'patient-on-hold']);
    }
    expect((await fhir('GET', `Patient/${id}`)).status).toBe(200);
  });

  it('says what would go, then removes it and says so with its seal; the trail has the key and the person', async () => {
    const id = await patientOf('E-2');
    const impostor = await patientOf(id);
    const told = expectStatus(200, await fhir('POST', `Patient/${id}/$erase?dryRun=true`)).body;
    expect(partsOf(told, 'state')).toEqual([{ name: 'state', valueCode: 'dry-run' }]);
    expect(partsOf(told, 'removed').length).toBeGreaterThan(0);
    expect((await fhir('GET', `Patient/${id}`)).status).toBe(200);
    const { keyId, key } = await gateway.createKey(organizationId, 'test', ['patients:erase']);
    await gateway.admin('PATCH', `/keys/${keyId}`, { namesPersons: true });
    const answer = await new ApiClient(gateway.baseUrl, key).request('POST', `/fhir/Patient/${id}/$erase`, {
      headers: { ...FHIR, 'x-sutura-user': 'HCP-0042' },
    });
    const done = expectStatus(200, answer).body;
    expect(partsOf(done, 'state')).toEqual([{ name: 'state', valueCode: 'done' }]);
    expect(partsOf(done, 'pseudonym')).toEqual([{ name: 'pseudonym', valueId: id }]);
    expect(partsOf(done, 'seal')).toHaveLength(1);
    expect(codeOf((await fhir('GET', `Patient/${id}`)).body)).toBe('fhir-not-found');
    expect((await fhir('GET', `Patient/${impostor}`)).status).toBe(200);
    const rows = await queryDatabase<{ key_id: string; person: string | null }>(
      gateway.databaseUrl,
      `select key_id, person from audit_events where interaction = '$erase' and door = 'fhir' and query like 'erasure=%' and patient_id = $1 order by id`,
      [id],
    );
    // That it was asked for, and that it was done: the latter may have been by whichever process went on with it.
    expect(rows).toEqual([
      { key_id: keyId, person: 'HCP-0042' },
      { key_id: keyId, person: null },
    ]);
  });

  it('is in the CapabilityStatement, with its definition; where it is off, neither is there, and the address is none', async () => {
    const named = async (by: ApiClient) => {
      const { rest } = (await by.request('GET', '/fhir/metadata')).body;
      const patient = rest[0].resource.find(({ type }: { type: string }) => type === 'Patient');
      return patient.operation.map(({ name }: { name: string }) => name) as string[];
    };
    expect(await named(client)).toContain('erase');
    expect((await fhir('GET', 'OperationDefinition/patient-erase')).status).toBe(200);
    const there = await (await sharedGateway()).createClient();
    expect(await named(there)).not.toContain('erase');
    const answer = await fhir('POST', 'Patient/01890000-0000-7000-8000-000000000000/$erase', undefined, there);
    expect([answer.status, codeOf(answer.body)]).toEqual([404, 'route-not-found']);
  });
});
