import { request as httpRequest } from 'node:http';
import { ApiClient, expectStatus, send, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { askToken, makeClientKey, signAssertion, type ClientKey } from '../../support/smart-client.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PERSON = 'HCP-0042';
const REVIEWER = { id: 'HCP-0007', name: 'Example Reviewer' };
const header = (person: string) => ({ 'x-sutura-user': Buffer.from(person, 'utf8').toString('latin1') });

interface Row {
  readonly person: string | null;
  readonly interaction: string;
  readonly key_id: string;
  readonly refusal: string | null;
}

describe('the person behind a request', () => {
  let gateway: SharedGateway;
  let organization: string;
  let trusted: { readonly key: string; readonly keyId: string };
  let plain: string;

  beforeAll(async () => {
    gateway = await sharedGateway();
    organization = await gateway.createOrganization();
    trusted = await createKey({ namesPersons: true });
    plain = (await gateway.createKey(organization)).key;
  });

  const createKey = async (more: object): Promise<{ readonly key: string; readonly keyId: string }> => {
    const scopes = ['images:write', 'analysis:write', 'analysis:read', 'analysis:review'];
    const created = { environment: 'test', scopes, ...more };
    return expectStatus(201, await gateway.admin('POST', `/organizations/${organization}/keys`, created)).body;
  };
  const rows = (): Promise<Row[]> =>
    queryDatabase<Row>(
      gateway.databaseUrl,
      'select person, interaction, key_id, refusal from audit_events where organization_id = $1 order by id',
      [organization],
    );
  /** Refusals are written a little later than what is served. */
  const lastServed = async (): Promise<Row | undefined> =>
    (await rows()).filter(({ refusal }) => refusal === null).at(-1);
  const wounds = (key: string, headers: Record<string, string> = {}): Promise<Answer> =>
    send('GET', `${gateway.baseUrl}/api/v1/wounds`, { key, headers });

  it('is refused from a key that is not trusted to name one, on both doors, and nothing is shown', async () => {
    const answer = await wounds(plain, header(PERSON));
    expect([answer.status, answer.body.code]).toEqual([403, 'auth.person']);
    const { status, body } = await send('GET', `${gateway.baseUrl}/fhir/Patient`, {
      key: plain,
      headers: header(PERSON),
    });
    expect([status, body.issue[0].details.coding[0].code]).toEqual([403, 'auth-person']);
    const refused = await eventually('the refusals', async () => {
      const found = (await rows()).filter(({ refusal }) => refusal === 'auth.person');
      return found.length === 2 ? found : undefined;
    });
    expect(refused.map(({ person }) => person)).toEqual([null, null]);
  });

  it.each([
    ['nothing', '   '],
    ['129 characters', 'x'.repeat(129)],
    ['a tabulator', 'HCP\t0042'],
    ['a character that turns the direction of text', 'HCP\u202e2400'],
    ['a character that nobody sees', 'HCP\u200b0042'],
    ['a control of ISO 8859-1', 'HCP\u0085'],
  ])('is refused where the header has %s', async (_, person) => {
    const answer = await wounds(trusted.key, header(person));
    expect([answer.status, answer.body.code, answer.body.errors?.[0].pointer]).toEqual([
      400,
      'request.invalid',
      '/header/X-Sutura-User',
    ]);
  });

  it('is refused where the header is no UTF-8, or there twice', async () => {
    expect((await wounds(trusted.key, { 'x-sutura-user': 'Zo\u00eb' })).body.code).toBe('request.invalid');
    const { port } = new URL(gateway.baseUrl);
    const status = await new Promise((resolve, reject) => {
      const asked = httpRequest(
        {
          port,
          path: '/api/v1/wounds',
          headers: { authorization: `Bearer ${trusted.key}`, 'x-sutura-user': ['A', 'B'] },
        },
        (answer) => resolve(answer.resume().statusCode),
      );
      asked.once('error', reject).end();
    });
    expect(status).toBe(400);
  });

  it.each([
    ['128 characters of four bytes each', '\u{20bb7}'.repeat(128), '\u{20bb7}'.repeat(128)],
    ['a letter and its accent apart, as one', 'Zoe\u0308', 'Zo\u00eb'],
    ['letters that a script joins', 'می\u200cشود', 'می\u200cشود'],
    [
      'the address of a Practitioner',
      'https://ehr.example.org/Practitioner/42',
      'https://ehr.example.org/Practitioner/42',
    ],
  ])('may have %s, and stands in the trail', async (_, sent, kept) => {
    expectStatus(200, await wounds(trusted.key, header(sent)));
    expect(await lastServed()).toMatchObject({ person: kept, key_id: trusted.keyId, interaction: 'search-type' });
  });

  it('is in the refusals that follow, too', async () => {
    const reader = await createKey({ scopes: ['analysis:read'], namesPersons: true });
    const url = `${gateway.baseUrl}/api/v1/images/upload-url`;
    expect((await send('POST', url, { key: reader.key, json: {}, headers: header('reader-9') })).status).toBe(403);
    const row = await eventually('the refusal', async () => (await rows()).find(({ person }) => person === 'reader-9'));
    expect(row).toMatchObject({ refusal: 'auth.scope', key_id: reader.keyId });
  });

  it('stands beside the reviewer in the review, the wound’s decision, Provenance and AuditEvent', async () => {
    const nurse = new ApiClient(gateway.baseUrl, trusted.key);
    const job = await nurse.analyse(await drawWoundPhoto(), { subject: { patientId: 'MRN-P', woundId: 'W-P' } });
    const report = expectStatus(200, await nurse.request('GET', job.links.report));
    const reviewed = expectStatus(
      201,
      await nurse.request('POST', `/api/v1/reports/${report.body.id}/reviews`, {
        json: { decision: 'accept', reviewer: REVIEWER },
        headers: { ...header(PERSON), 'if-match': report.headers.get('etag')! },
      }),
    ).body;
    expect(reviewed.review).toMatchObject({ reviewer: REVIEWER, enteredBy: PERSON });
    const closed = await nurse.request('POST', `/api/v1/wounds/${report.body.subject.woundRef}/close`, {
      json: { reviewer: REVIEWER },
      headers: header(PERSON),
    });
    expect(expectStatus(200, closed).body.events).toMatchObject([{ decision: 'closed', enteredBy: PERSON }]);

    const attested = await eventually('the report over FHIR', async () => {
      const shown = await nurse.request('GET', `/fhir/DiagnosticReport/${report.body.id}`);
      if (shown.status !== 200) return undefined;
      const parameter = [
        { name: 'decision', valueCode: 'accept' },
        { name: 'reviewer', valueReference: { identifier: { value: 'n-17' }, display: 'Nora Field' } },
      ];
      const answer = await nurse.request('POST', `/fhir/DiagnosticReport/${report.body.id}/$attest`, {
        json: { resourceType: 'Parameters', parameter },
        headers: { ...header('HCP-0043'), 'if-match': shown.headers.get('etag')! },
      });
      return answer.status === 200 ? answer.body : undefined;
    });
    const { body } = await nurse.request('GET', `/fhir/Provenance?target=DiagnosticReport/${attested.id}`);
    const enterers = body.entry.flatMap(({ resource }: Answer['body']) =>
      resource.agent
        .filter(({ type }: Answer['body']) => type.coding[0].code === 'enterer')
        .map(({ who }: Answer['body']) => who.identifier.value),
    );
    expect(enterers.sort()).toEqual([PERSON, 'HCP-0043']);

    const events = await gateway.admin('GET', `/organizations/${organization}/audit-events?patient=MRN-P`);
    const named = events.body.entry.map(({ resource }: Answer['body']) => resource.agent[0].who.identifier.value);
    expect(named).toEqual(expect.arrayContaining([PERSON, 'HCP-0043']));
  });

  it('is sealed with its row, and changes the text of no row without one', async () => {
    const [row] = await queryDatabase<{ text: string }>(
      gateway.databaseUrl,
      `select sutura_audit_text(event) as text from audit_events event where person = $1 limit 1`,
      [PERSON],
    );
    expect(JSON.parse(row!.text).slice(13)).toEqual([null, 1, PERSON]);
    const [former] = await queryDatabase<{ text: string }>(
      gateway.databaseUrl,
      `select sutura_audit_text(event) as text from audit_events event where person is null and refusal is null and organization_id = $1 limit 1`,
      [organization],
    );
    expect(JSON.parse(former!.text)).toHaveLength(13);
  });

  it('may be named no longer within 5 seconds of a change, and by a rotated key as before', async () => {
    const { keyId, key } = await createKey({ namesPersons: true });
    const rotated = (await gateway.admin('POST', `/keys/${keyId}/rotate`, { overlapS: 0 })).body;
    expect(rotated.namesPersons).toBe(true);
    expectStatus(200, await wounds(rotated.key, header(PERSON)));
    const changed = expectStatus(200, await gateway.admin('PATCH', `/keys/${rotated.keyId}`, { namesPersons: false }));
    expect(changed.body).toMatchObject({ namesPersons: false, allowedNetworks: [] });
    await eventually('the change', async () => (await wounds(rotated.key, header(PERSON))).status === 403);
    expectStatus(200, await wounds(rotated.key));
    expect(key).not.toBe(rotated.key);
  });

  describe('of a token', () => {
    let clientKey: ClientKey;
    let clientId: string;
    const tokenUrl = () => `${gateway.baseUrl}/auth/token`;

    beforeAll(async () => {
      clientKey = await makeClientKey('ES384');
      clientId = await register(true);
    });

    const register = async (namesPersons: boolean): Promise<string> => {
      const jwks = { keys: [clientKey.publicJwk] };
      const client = { name: 'EHR', environment: 'test', scopes: ['system/*.rs'], jwks, namesPersons };
      const path = `/organizations/${organization}/clients`;
      return expectStatus(201, await gateway.admin('POST', path, client)).body.clientId as string;
    };
    const ask = async (of: string, fhirUser?: unknown): Promise<Answer> =>
      askToken(tokenUrl(), {
        scope: 'system/*.rs',
        client_assertion: await signAssertion(of, tokenUrl(), clientKey, { claims: { fhirUser } }),
      });
    const read = (token: string, headers: Record<string, string> = {}) =>
      send('GET', `${gateway.baseUrl}/fhir/Patient`, { key: token, headers });

    it('is refused of a client that is not trusted to name one, or that names nobody', async () => {
      const untrusted = await register(false);
      expect((await ask(untrusted, 'Practitioner/42')).body).toMatchObject({
        error: 'access_denied',
        code: 'auth.person',
      });
      expectStatus(200, await ask(untrusted));
      for (const nobody of ['', 42, { reference: 'Practitioner/42' }, 'x'.repeat(200)])
        expect((await ask(clientId, nobody)).body).toMatchObject({ error: 'invalid_client' });
    });

    it('is that of the assertion, for each request, and no other', async () => {
      const token = expectStatus(200, await ask(clientId, 'Practitioner/42')).body.access_token as string;
      expectStatus(200, await read(token));
      expect(await lastServed()).toMatchObject({ person: 'Practitioner/42', key_id: clientId });
      expectStatus(200, await read(token, header('Practitioner/42')));
      expect((await read(token, header('Practitioner/43'))).status).toBe(403);
      expect((await rows()).find(({ interaction }) => interaction === '$token')).toBeDefined();
    });

    it('is lost with the client’s trust, with tokens that it still has', async () => {
      const client = await register(true);
      const token = expectStatus(200, await ask(client, 'Practitioner/42')).body.access_token as string;
      expectStatus(200, await gateway.admin('PATCH', `/clients/${client}`, { namesPersons: false }));
      await eventually('the change', async () => (await read(token)).status === 403);
    });
  });
});
