import type { AuditEvent, Bundle } from '@medplum/fhirtypes';
import { ApiClient, expectStatus, send } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { queryDatabase } from '../../support/database-query.js';
import { ALL_SCOPES, startGateway, type Gateway } from '../../support/gateway.js';
import { askToken, makeClientKey, signAssertion } from '../../support/smart-client.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const MRN = 'MRN-AUDIT-4711';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('the audit trail over FHIR, for the organization’s own data protection officer', () => {
  let gateway: Gateway;
  let organization: string;
  let nurse: ApiClient;
  let nurseKey: string;
  let officer: ApiClient;
  let officerKey: string;
  let patient: string;

  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api,worker', env: { SUTURA_ALLOW_RESEARCH_MODEL: 'true' } });
    organization = await gateway.createOrganization();
    const [clinical, audit] = [
      await gateway.createKey(
        organization,
        'test',
        ALL_SCOPES.filter((scope) => scope !== 'audit:read'),
      ),
      await gateway.createKey(organization, 'test', ['audit:read']),
    ];
    [nurse, nurseKey] = [new ApiClient(gateway.baseUrl, clinical.key), clinical.keyId];
    [officer, officerKey] = [new ApiClient(gateway.baseUrl, audit.key), audit.keyId];
    await nurse.analyse(await drawWoundPhoto(), { subject: { patientId: MRN, woundId: 'W-1' } });
    patient = (await eventually('the patient over FHIR', async () => {
      const found = await nurse.request('GET', `/fhir/Patient?identifier=${MRN}`);
      return found.status === 200 ? found.body.entry?.[0]?.resource.id : undefined;
    })) as string;
    expectStatus(200, await nurse.request('GET', `/fhir/Patient/${patient}`));
  });
  afterAll(() => gateway?.stop());

  const rowsOf = (key: string) =>
    queryDatabase<{ interaction: string; refusal: string | null; query: string | null; patient_id: string | null }>(
      gateway.databaseUrl,
      'select interaction, refusal, query, patient_id from audit_events where key_id = $1 order by id',
      [key],
    );
  const search = async (query: string, of = officer): Promise<AuditEvent[]> => {
    const { body } = expectStatus(200, await of.request('GET', `/fhir/AuditEvent?${query}`));
    return ((body as Bundle<AuditEvent>).entry ?? []).map(({ resource }) => resource!);
  };

  it.each(['/fhir/AuditEvent', '/fhir/AuditEvent/audit-1', '/fhir/AuditEvent?_count=1'])(
    'is closed to a key without audit:read, and the refusal is a row: %s',
    async (path) => {
      expectStatus(403, await nurse.request('GET', path));
      await eventually('the row of the refusal', async () => {
        const rows = await rowsOf(nurseKey);
        return rows.some(({ refusal, query }) => refusal === 'auth.scope' && query?.includes('AuditEvent') === true)
          ? true
          : undefined;
      });
    },
  );

  it('is all that audit:read opens', async () => {
    for (const path of [
      '/fhir/Patient',
      `/fhir/Patient/${patient}`,
      '/fhir/Provenance',
      '/api/v1/analysis/jobs',
      '/fhir/$export',
      '/fhir/_history',
    ])
      expect([path, (await officer.request('GET', path)).status]).toEqual([path, 403]);
  });

  it.each([
    ['its history', 'GET', '/fhir/AuditEvent/audit-1/_history', 405],
    ['the history of the type', 'GET', '/fhir/AuditEvent/_history', 405],
    ['a version of it', 'GET', '/fhir/AuditEvent/audit-1/_history/1', 405],
    ['a new one', 'POST', '/fhir/AuditEvent', 405],
    ['a change', 'PUT', '/fhir/AuditEvent/audit-1', 405],
    ['its end', 'DELETE', '/fhir/AuditEvent/audit-1', 405],
    ['another form than JSON and XML', 'GET', '/fhir/AuditEvent?_format=ttl', 406],
    ['one that there is not', 'GET', '/fhir/AuditEvent/audit-999999999999', 404],
    ['an id that is none of its', 'GET', '/fhir/AuditEvent/42', 404],
    ['a parameter that is not served', 'GET', '/fhir/AuditEvent?altid=1', 400],
    ['10,000 alternatives', 'POST', '/fhir/AuditEvent/_search', 400],
  ])('refuses %s', async (_, method, path, status) => {
    const body = `entity=${Array.from({ length: 10_000 }, (_, at) => at).join(',')}`;
    const asked = path.endsWith('_search') ? { bytes: Buffer.from(body), headers: FORM } : {};
    expectStatus(status, await send(method, `${gateway.baseUrl}${path}`, { key: officer.key, ...asked }));
  });

  it('says who saw a patient: key, address, when and what, by the id and by the number', async () => {
    const events = await search(`patient=Patient/${patient}&agent:identifier=${nurseKey}&subtype=read`);
    expect(events[0]).toMatchObject({
      action: 'R',
      outcome: '0',
      agent: [
        { who: { identifier: { value: nurseKey } }, requestor: true, network: { address: '127.0.0.1' } },
        { requestor: false },
      ],
    });
    expect(events[0]!.entity!.map(({ what }) => what?.reference).slice(0, 2)).toEqual([
      `Patient/${patient}`,
      `Patient/${patient}`,
    ]);
    const byNumber = await search(`patient.identifier=${MRN}&agent=${nurseKey}&subtype=read`);
    expect(byNumber.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(await search(`patient=${patient}&outcome=4`)).toEqual([]);
    expect(await search(`entity=Patient/${patient}&action=R&_count=1`)).toHaveLength(1);
  });

  it('reads one again by its id, and by POST what it finds by GET', async () => {
    const [event] = await search(`patient=${patient}&_count=1`);
    expect(expectStatus(200, await officer.request('GET', `/fhir/AuditEvent/${event!.id}`)).body).toEqual(event);
    const posted = await send('POST', `${gateway.baseUrl}/fhir/AuditEvent/_search`, {
      key: officer.key,
      bytes: Buffer.from(`_id=${event!.id}`),
      headers: FORM,
    });
    expect(expectStatus(200, posted).body.entry).toMatchObject([{ resource: event }]);
  });

  it('writes each look at the trail into the trail, about the patient who was asked for', async () => {
    const [event] = await search(`patient=${patient}&_count=1`);
    await officer.request('GET', `/fhir/AuditEvent/${event!.id}`);
    // Rows of refusals are written behind, those of earlier tests among them.
    const looks = (await rowsOf(officerKey)).filter(({ refusal }) => refusal === null);
    expect(looks.slice(-2)).toEqual([
      {
        interaction: 'search-type',
        refusal: null,
        query: `AuditEvent?patient=${patient}&_count=1`,
        patient_id: patient,
      },
      { interaction: 'read', refusal: null, query: null, patient_id: null },
    ]);
  });

  it('pages through all rows, each once, and at its end says so', async () => {
    const until = encodeURIComponent(new Date().toISOString());
    const seen: string[] = [];
    for (let path: string | undefined = `/fhir/AuditEvent?_count=3&_sort=date&date=lt${until}`; path !== undefined;) {
      const { body } = expectStatus(200, await officer.request('GET', path));
      seen.push(...((body as Bundle).entry ?? []).map(({ resource }) => resource!.id!));
      path = (body as Bundle).link!.find(({ relation }) => relation === 'next')?.url?.replace(gateway.baseUrl, '');
    }
    const rows = await queryDatabase<{ id: string }>(
      gateway.databaseUrl,
      `select 'audit-' || id as id from audit_events where organization_id = $1 and environment = 'test' and recorded_at < $2 order by recorded_at, id`,
      [organization, decodeURIComponent(until)],
    );
    expect(seen).toEqual(rows.map(({ id }) => id));
    expect(seen.length).toBeGreaterThan(10);
  });

  it('comes out by no other way: include, everything, export, bundle', async () => {
    const all = new ApiClient(gateway.baseUrl, (await gateway.createKey(organization)).key);
    for (const path of [
      `/fhir/Patient/${patient}/$everything`,
      `/fhir/Patient?_id=${patient}&_revinclude=AuditEvent:patient`,
      `/fhir/Patient?_id=${patient}&_revinclude=*`,
      '/fhir/_history',
    ])
      expect([path, JSON.stringify((await all.request('GET', path)).body)]).toEqual([
        path,
        expect.not.stringContaining('"resourceType":"AuditEvent"'),
      ]);
    expectStatus(
      400,
      await all.request('GET', '/fhir/$export?_type=AuditEvent', { headers: { prefer: 'respond-async' } }),
    );
    const entry = [{ request: { method: 'GET', url: 'AuditEvent?_count=1' } }];
    const batch = await all.request('POST', '/fhir', {
      json: { resourceType: 'Bundle', type: 'batch', entry },
      headers: { 'content-type': 'application/fhir+json' },
    });
    expect((batch.body as Bundle).entry![0]!.response!.status).toMatch(/^403/);
  });

  it('shows nothing of it to the officer of another organization, or of its own live data', async () => {
    const [event] = await search('_count=1');
    const strangers = [
      await gateway.createKey(await gateway.createOrganization(), 'test', ['audit:read']),
      await gateway.createKey(organization, 'live', ['audit:read']),
    ];
    for (const { key } of strangers) {
      const stranger = new ApiClient(gateway.baseUrl, key);
      expectStatus(404, await stranger.request('GET', `/fhir/AuditEvent/${event!.id}`));
      for (const query of [`patient=${patient}`, `patient.identifier=${MRN}`, `agent=${nurseKey}`])
        expect([query, await search(query, stranger)]).toEqual([query, []]);
    }
  });

  it('opens to the token of a client that was registered for it by name, and to no other', async () => {
    const key = await makeClientKey('ES384');
    const tokenUrl = `${gateway.baseUrl}/auth/token`;
    const tokenOf = async (registered: readonly string[], scope: string) => {
      const client = await gateway.admin('POST', `/organizations/${organization}/clients`, {
        name: 'Audit desk',
        environment: 'test',
        scopes: registered,
        jwks: { keys: [key.publicJwk] },
      });
      const assertion = await signAssertion(expectStatus(201, client).body.clientId, tokenUrl, key);
      return askToken(tokenUrl, { scope, client_assertion: assertion });
    };
    const asked = 'system/AuditEvent.read';
    expect(expectStatus(400, await tokenOf(['system/*.crus'], asked)).body.error).toBe('invalid_scope');
    const wide = expectStatus(200, await tokenOf(['system/*.crus'], 'system/*.rs')).body;
    expectStatus(403, await send('GET', `${gateway.baseUrl}/fhir/AuditEvent`, { key: wide.access_token }));
    const named = expectStatus(200, await tokenOf(['system/AuditEvent.rs'], asked)).body;
    expect(named.scope).toBe('system/AuditEvent.read');
    const found = await send('GET', `${gateway.baseUrl}/fhir/AuditEvent?_count=1`, { key: named.access_token });
    expect(expectStatus(200, found).body.entry).toHaveLength(1);
    expectStatus(403, await send('GET', `${gateway.baseUrl}/fhir/Patient`, { key: named.access_token }));
  });

  it('still finds an erased patient by the id that they had, and by their number no more', async () => {
    const before = (await search(`patient=${patient}&agent=${nurseKey}`)).map(({ id }) => id);
    const erased = await gateway.admin('POST', `/organizations/${organization}/patients/erase`, {
      environment: 'test',
      patient: MRN,
    });
    expect(erased.status).toBeLessThan(300);
    expect((await search(`patient=${patient}&agent=${nurseKey}`)).map(({ id }) => id)).toEqual(before);
    expect(await search(`patient.identifier=${MRN}`)).toEqual([]);
  });
});
