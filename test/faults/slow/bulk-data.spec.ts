import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { CapabilityStatement, Condition, OperationOutcome, Patient, Resource } from '@medplum/fhirtypes';
import { BulkClient, linesOf, statusUrlOf, type Manifest } from '../../support/bulk-export.js';
import { ApiClient, expectStatus, send, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { placesOfWords } from '../../support/find-bytes.js';
import { ALL_SCOPES, startGateway, type Gateway } from '../../support/gateway.js';
import { askToken, makeClientKey, signAssertion, type ClientKey } from '../../support/smart-client.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const FHIR = { 'content-type': 'application/fhir+json' };
const BULK = 'http://hl7.org/fhir/uv/bulkdata';
const NUMBERS = 'urn:example:mrn';

/** Cases of Inferno's suite bulk_data_v200 stand under its own ids. */
describe('bulk export', () => {
  let gateway: Gateway;
  let organization: string;
  let client: ApiClient;
  let bulk: BulkClient;
  let patients: Patient[];
  let smartKey: ClientKey;

  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api,worker' });
    smartKey = await makeClientKey('ES384');
    organization = await gateway.createOrganization();
    client = await clientOf(organization);
    bulk = bulkOf(client);
    patients = [await create<Patient>(client, patient('B-1')), await create<Patient>(client, patient('B-2'))];
    // A line break and what JavaScript once took for one stand in a text, and are none in the file.
    for (const { id } of patients)
      await create(client, { ...condition(id!), note: [{ text: 'one\ntwo \u2028 three 🩹' }] });
    await create(client, { resourceType: 'Organization', name: 'Ward Beispiel' });
  });
  afterAll(() => gateway?.stop());
  // Two run at once, and a test that fails must not stop the next.
  afterEach(() => queryDatabase(gateway.databaseUrl, `delete from bulk_exports where state = 'running'`));

  const clientOf = async (of: string, environment: 'test' | 'live' = 'test', scopes: readonly string[] = ALL_SCOPES) =>
    new ApiClient(gateway.baseUrl, (await gateway.createKey(of, environment, scopes)).key);
  const bulkOf = ({ key }: ApiClient, base = '/fhir') => new BulkClient(`${gateway.baseUrl}${base}`, key);
  const create = async <T extends Resource>(by: ApiClient, json: object): Promise<T> => {
    const type = (json as Resource).resourceType;
    return expectStatus(201, await by.request('POST', `/fhir/${type}`, { json, headers: FHIR })).body as T;
  };
  const patient = (number: string) => ({ resourceType: 'Patient', identifier: [{ system: NUMBERS, value: number }] });
  const condition = (patientId: string, code = 'E11', verification = 'confirmed') => ({
    resourceType: 'Condition',
    subject: { reference: `Patient/${patientId}` },
    code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10', code }] },
    verificationStatus: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-ver-status', code: verification }],
    },
  });
  const issueOf = ({ body }: Answer) => (body as OperationOutcome).issue[0]!;
  const idsOf = (resources: readonly Resource[] | undefined) => (resources ?? []).map(({ id }) => id!).sort();

  const smartClient = async (of: string, ...scopes: string[]): Promise<string> => {
    const answer = await gateway.admin('POST', `/organizations/${of}/clients`, {
      name: 'Warehouse',
      environment: 'test',
      scopes,
      jwks: { keys: [smartKey.publicJwk] },
    });
    return expectStatus(201, answer).body.clientId as string;
  };
  const tokenOf = async (clientId: string, scope: string): Promise<BulkClient> => {
    const url = `${gateway.baseUrl}/auth/token`;
    const assertion = await signAssertion(clientId, url, smartKey);
    const answer = expectStatus(200, await askToken(url, { scope, client_assertion: assertion }));
    return new BulkClient(`${gateway.baseUrl}/fhir`, answer.body.access_token as string);
  };

  it('bulk_data_export_operation_support: the CapabilityStatement has it at rest and of Patient, and none of Group, which is not kept', async () => {
    const { rest, instantiates } = (await client.request('GET', '/fhir/metadata')).body as CapabilityStatement;
    expect(instantiates).toContain(`${BULK}/CapabilityStatement/bulk-data`);
    expect(rest![0]!.operation).toContainEqual(
      expect.objectContaining({ name: 'export', definition: `${BULK}/OperationDefinition/export` }),
    );
    const ofPatient = rest![0]!.resource!.find(({ type }) => type === 'Patient')!;
    expect(ofPatient.operation).toContainEqual(
      expect.objectContaining({ name: 'export', definition: `${BULK}/OperationDefinition/patient-export` }),
    );
    expect(rest![0]!.resource!.some(({ type }) => type === 'Group')).toBe(false);
    expect((await bulk.kickOff('/Group/1/$export')).status).toBe(404);
  });

  describe('refuses', () => {
    it('bulk_data_no_auth_reject: without a credential, every step of it', async () => {
      const statusUrl = statusUrlOf(await bulk.kickOff());
      const { output } = (await bulk.poll(statusUrl)).done.body as Manifest;
      const nobody = new BulkClient(`${gateway.baseUrl}/fhir`, null);
      expect((await nobody.kickOff()).status).toBe(401);
      for (const [method, url] of [
        ['GET', statusUrl],
        ['DELETE', statusUrl],
        ['GET', output[0]!.url],
      ] as const) {
        const answer = await nobody.ask(method, url);
        expect([answer.status, answer.body.resourceType]).toEqual([401, 'OperationOutcome']);
      }
    });

    it('a key without the scope, and a key that may export and read nothing', async () => {
      const reader = bulkOf(await clientOf(organization, 'test', ['analysis:read']));
      const blind = bulkOf(await clientOf(organization, 'test', ['bulk:export', 'images:write']));
      for (const answer of [await reader.kickOff(), await blind.kickOff()])
        expect([answer.status, issueOf(answer).details!.coding![0]!.code]).toEqual([403, 'auth-scope']);
      expect(issueOf(await reader.kickOff()).details!.text).toContain('bulk:export');
    });

    it.each([
      ['that does not ask for an asynchronous answer', '/$export', { prefer: '' }, 'header.Prefer'],
      ['of another format', '/$export?_outputFormat=text/csv', {}, '_outputFormat'],
      ['since no instant', '/$export?_since=yesterday', {}, '_since'],
      ['since a day without a zone', '/$export?_since=2026-01-05', {}, '_since'],
      ['of a type that there is not', '/$export?_type=Patient,Unicorn', {}, '_type'],
      ['of a type that is no resource of a tenant', '/$export?_type=StructureDefinition', {}, '_type'],
      ['of accesses', '/$export?_type=AuditEvent', {}, '_type'],
      ['by patient, of what belongs to no patient', '/Patient/$export?_type=Organization', {}, '_type'],
      ['with a parameter that is not supported', '/$export?_elements=id', {}, '_elements'],
      [
        'with a filter of another type than those asked for',
        '/$export?_type=Patient&_typeFilter=Observation%3Fstatus%3Dfinal',
        {},
        '_typeFilter',
      ],
      ['with a filter that is no search', '/$export?_typeFilter=status%3Dfinal', {}, '_typeFilter'],
      ['with a filter that sorts', '/$export?_typeFilter=Observation%3F_sort%3Ddate', {}, '_typeFilter'],
      ['with a filter by what there is no parameter for', '/$export?_typeFilter=Observation%3Fmood%3Dgood', {}, 'mood'],
      [
        'of single patients, even where the rest may be left out',
        '/Patient/$export?patient=Patient/1',
        { prefer: 'respond-async, handling=lenient' },
        'patient',
      ],
    ])('one %s, by its name', async (_, path, headers, named) => {
      const answer = await bulk.kickOff(path, headers);
      expect([answer.status, issueOf(answer).details!.text]).toEqual([400, expect.stringContaining(named)]);
      expect(await queryDatabase(gateway.databaseUrl, `select from bulk_exports where state = 'running'`)).toEqual([]);
    });

    it('a third one at once, of two that ask for it at the same time as well, but not of the other environment', async () => {
      // Nobody writes down how far it is while the row is locked by nobody: they wait for an hour.
      const other = await gateway.createOrganization();
      const asker = bulkOf(await clientOf(other));
      expectStatus(202, await asker.kickOff());
      const park = `update bulk_exports set held_until = now() + interval '1 hour', held_by = gen_random_uuid() where organization_id = $1`;
      await queryDatabase(gateway.databaseUrl, park, [other]);
      const both = await Promise.all([asker.kickOff(), asker.kickOff(), asker.kickOff()]);
      expect(both.map(({ status }) => status).sort()).toEqual([202, 429, 429]);
      const refused = both.find(({ status }) => status === 429)!;
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(issueOf(refused).code).toBe('throttled');
      expectStatus(202, await bulkOf(await clientOf(other, 'live')).kickOff());
      const statusUrl = statusUrlOf(both.find(({ status }) => status === 202)!);
      expectStatus(202, await asker.ask('DELETE', statusUrl));
      expectStatus(202, await asker.kickOff());
    });

    it('another client its state, its files and its end, of the same organization too', async () => {
      const statusUrl = statusUrlOf(await bulk.kickOff());
      const { output } = (await bulk.poll(statusUrl)).done.body as Manifest;
      const strangers = [
        bulkOf(await clientOf(organization)),
        bulkOf(await clientOf(organization, 'live')),
        bulkOf(await clientOf(await gateway.createOrganization())),
        await tokenOf(await smartClient(organization, 'system/*.rs'), 'system/*.rs'),
      ];
      for (const stranger of strangers)
        for (const [method, url] of [
          ['GET', statusUrl],
          ['GET', output[0]!.url],
          ['DELETE', statusUrl],
        ] as const)
          expect(await stranger.ask(method, url)).toMatchObject({
            status: 404,
            body: { resourceType: 'OperationOutcome' },
          });
      expect((await bulk.ask('GET', statusUrl)).status).toBe(200);
    });

    it('an id that is none, and a file that there is not', async () => {
      const statusUrl = statusUrlOf(await bulk.kickOff());
      await bulk.poll(statusUrl);
      const files = statusUrl.replace('$export-status', '$export-files');
      for (const url of [
        `${gateway.baseUrl}/fhir/$export-status/..%2f..`,
        `${gateway.baseUrl}/fhir/$export-status/${randomUUID()}`,
        `${files}/0`,
        `${files}/99`,
        `${files}/1.0`,
        `${files}/%2e%2e`,
      ])
        expect([url, (await bulk.ask('GET', url)).status]).toEqual([url, 404]);
    });
  });

  describe('takes an order', () => {
    it('bulk_data_kick_off and bulk_data_status_check: 202 with an absolute Content-Location, 202 with Retry-After and X-Progress, then the manifest', async () => {
      const kickOff = await bulk.kickOff();
      const statusUrl = statusUrlOf(kickOff);
      expect(statusUrl.startsWith(`${gateway.baseUrl}/fhir/`)).toBe(true);
      const { done, waiting } = await bulk.poll(statusUrl);
      expect(waiting.length).toBeGreaterThan(0);
      for (const { headers } of waiting) {
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        expect(headers.get('x-progress')!.length).toBeLessThan(100);
      }
      expect([done.status, done.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^application\/json\b/),
      ]);
      expect(Date.parse(done.headers.get('expires')!) - Date.parse(done.headers.get('date')!)).toBeGreaterThan(
        23 * 3_600_000,
      );
      expect(done.body).toMatchObject({
        request: `${gateway.baseUrl}/fhir/$export`,
        requiresAccessToken: true,
        error: [],
        transactionTime: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      });
    });

    it('bulk_data_output_check, bulk_data_ndjson_download and bulk_data_multiple_patients: one type a file, each line a resource, all patients', async () => {
      const manifest = await bulk.export();
      for (const { url, type } of manifest.output) {
        const answer = await bulk.ask('GET', url, { accept: 'application/fhir+ndjson' });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/fhir+ndjson']);
        expect(new Set(linesOf(answer).map(({ resourceType }) => resourceType))).toEqual(new Set([type]));
      }
      const found = await bulk.resources(manifest);
      expect(idsOf(found.get('Patient'))).toEqual(idsOf(patients));
      expect(found.get('Condition')).toHaveLength(2);
      expect(found.get('Organization')).toHaveLength(1);
    });

    it('bulk_data_valid_resources: each is what a read of it gives', async () => {
      for (const resources of (await bulk.resources(await bulk.export())).values())
        for (const resource of resources)
          expect(resource).toEqual((await client.request('GET', `/fhir/${resource.resourceType}/${resource.id}`)).body);
    });

    it.each(['application/fhir%2Bndjson', 'application/fhir+ndjson', 'application/ndjson', 'ndjson'])(
      'output_format_in_export_response: as %s',
      async (format) => {
        expectStatus(202, await bulk.kickOff(`/$export?_outputFormat=${format}`));
      },
    );

    it('since_in_export_response: what was changed after that, and after the export before nothing is lost', async () => {
      const before = await bulk.export('/$export?_type=Condition');
      const added = await create<Condition>(client, condition(patients[0]!.id!));
      const next = await bulk.export(`/$export?_type=Condition&_since=${before.transactionTime}`);
      expect(idsOf((await bulk.resources(next)).get('Condition'))).toEqual([added.id]);
      expect((await bulk.export(`/$export?_type=Condition&_since=${next.transactionTime}`)).output).toEqual([]);
    });

    it('by POST, with repeated parameters as Parameters', async () => {
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const kickOff = await bulk.kickOffByPost([
        { name: '_type', valueString: 'Patient' },
        { name: '_type', valueCode: 'Organization' },
        { name: '_since', valueInstant: since },
      ]);
      const { done } = await bulk.poll(statusUrlOf(kickOff));
      expect((done.body as Manifest).output.map(({ type }) => type)).toEqual(['Patient', 'Organization']);
      expect((done.body as Manifest).request).toBe(`${gateway.baseUrl}/fhir/$export`);
    });

    it('at the other base, whose addresses the answers then have', async () => {
      const other = bulkOf(client, '/fhir/R4');
      const { request, output } = await other.export('/$export?_type=Patient');
      expect([request, output[0]!.url].every((url) => url.startsWith(`${gateway.baseUrl}/fhir/R4/`))).toBe(true);
      expectStatus(200, await other.ask('GET', output[0]!.url));
    });

    it('and leaves out what it cannot do where that is preferred, saying so', async () => {
      const kickOff = await bulk.kickOff('/$export?_type=Patient,Unicorn&_elements=id', {
        prefer: 'respond-async, handling=lenient',
      });
      expect(issueOf(kickOff).details!.text).toMatch(/Left out: _elements, _type/);
      expect(((await bulk.poll(statusUrlOf(kickOff))).done.body as Manifest).output.map(({ type }) => type)).toEqual([
        'Patient',
      ]);
    });

    it('of patients: what has one as its subject, and nothing else', async () => {
      const found = await bulk.resources(await bulk.export('/Patient/$export'));
      expect([...found.keys()].sort()).toEqual(['Condition', 'Patient']);
    });

    it('with filters: of several of a type what any of them matches, each resource once', async () => {
      const draft = await create<Condition>(client, condition(patients[1]!.id!, 'I83', 'provisional'));
      const path = `/$export?_type=Condition,Patient&_typeFilter=${encodeURIComponent('Condition?verification-status=provisional')}&_typeFilter=${encodeURIComponent('Condition?code=I83,Condition?verification-status=provisional&code=I83')}`;
      const found = await bulk.resources(await bulk.export(path));
      expect(idsOf(found.get('Condition'))).toEqual([draft.id]);
      expect(found.get('Patient')).toHaveLength(2);
    });

    it('and writes down who took what away', async () => {
      const { output } = await bulk.export('/$export?_type=Patient');
      await bulk.ask('GET', output[0]!.url);
      const id = output[0]!.url.split('/').at(-2)!;
      const rows = await queryDatabase<{ query: string }>(
        gateway.databaseUrl,
        `select query from audit_events where interaction = '$export' and query like $1 order by id`,
        [`export=${id}%`],
      );
      expect(rows.map(({ query }) => query)).toEqual([
        `export=${id}&level=system&_type=Patient`,
        `export=${id}&file=1&type=Patient`,
      ]);
    });
  });

  describe('a token', () => {
    it('takes the types that it reads, and is refused those that it names and does not', async () => {
      const narrow = await tokenOf(
        await smartClient(organization, 'system/Patient.rs', 'system/Condition.s'),
        'system/*.rs',
      );
      expect((await narrow.export()).output.map(({ type }) => type)).toEqual(['Patient']);
      expect(await narrow.kickOff('/$export?_type=Condition')).toMatchObject({ status: 403 });
      const writer = await tokenOf(await smartClient(organization, 'system/*.c'), 'system/*.c');
      expect(await writer.kickOff()).toMatchObject({ status: 403 });
    });

    it('of the same client with fewer types has not the files of the others', async () => {
      const of = await smartClient(organization, 'system/*.rs');
      const { output } = await (await tokenOf(of, 'system/*.rs')).export('/$export?_type=Patient,Condition');
      const narrow = await tokenOf(of, 'system/Patient.rs');
      const answers = await Promise.all(output.map(({ url }) => narrow.ask('GET', url)));
      expect(answers.map(({ status }, at) => [output[at]!.type, status])).toEqual([
        ['Patient', 200],
        ['Condition', 403],
      ]);
    });
  });

  describe('of one moment', () => {
    it('has a resource as it was then, though it was changed before it was read', async () => {
      const other = await gateway.createOrganization();
      const writer = await clientOf(other);
      const first = await create<Patient>(writer, { ...patient('M-1'), gender: 'female' });
      const kickOff = await bulkOf(writer).kickOff('/$export?_type=Patient');
      // The moment is chosen a second before anything is read.
      await eventually(
        'the moment to be chosen',
        async () =>
          (
            await queryDatabase(
              gateway.databaseUrl,
              'select from bulk_exports where organization_id = $1 and transaction_time is not null',
              [other],
            )
          ).length > 0,
      );
      const changed = { ...first, gender: 'male' };
      expectStatus(200, await writer.request('PUT', `/fhir/Patient/${first.id}`, { json: changed, headers: FHIR }));
      await create(writer, patient('M-2'));
      const { done } = await bulkOf(writer).poll(statusUrlOf(kickOff));
      const manifest = done.body as Manifest;
      expect((await bulkOf(writer).resources(manifest)).get('Patient')).toEqual([first]);
      const next = await bulkOf(writer).export(`/$export?_type=Patient&_since=${manifest.transactionTime}`);
      expect(next.output).toMatchObject([{ type: 'Patient', count: 2 }]);
    });

    it('waits for a change that was begun before it and is committed after', async () => {
      const other = await gateway.createOrganization();
      const writer = await clientOf(other);
      const kept = await create<Patient>(writer, patient('W-1'));
      const release = await hold(kept.id!);
      const kickOff = await bulkOf(writer).kickOff('/$export?_type=Patient');
      await eventually(
        'the barrier to be there',
        async () =>
          (
            await queryDatabase(
              gateway.databaseUrl,
              'select from bulk_exports where organization_id = $1 and barrier is not null',
              [other],
            )
          ).length > 0,
      );
      expect((await bulkOf(writer).ask('GET', statusUrlOf(kickOff))).status).toBe(202);
      await release();
      const { done } = await bulkOf(writer).poll(statusUrlOf(kickOff));
      expect((done.body as Manifest).output).toMatchObject([{ count: 1 }]);
    });

    /** A transaction that wrote, and is not committed until the answer is called. */
    const hold = async (id: string): Promise<() => Promise<void>> => {
      const { default: pg } = await import('pg');
      const open = new pg.Client(gateway.databaseUrl);
      await open.connect();
      await open.query('begin');
      await open.query('update fhir_resources set sort_at = sort_at where id = $1', [id]);
      return async () => {
        await open.query('commit');
        await open.end();
      };
    };

    it('has what was analysed before anybody asked for FHIR, by the very first request', async () => {
      const fresh = await clientOf(await gateway.createOrganization());
      const job = await fresh.analyse(await drawWoundPhoto(), { subject: { patientId: 'F-1', woundId: 'W' } });
      const found = await bulkOf(fresh).resources(await bulkOf(fresh).export());
      expect(idsOf(found.get('Task'))).toEqual([job.id]);
      expect(found.get('DiagnosticReport')).toHaveLength(1);
      expect(found.get('Media')!.length + found.get('Patient')!.length).toBe(2);
      for (const resource of found.get('DiagnosticReport')!)
        expect(resource).toEqual(
          (await fresh.request('GET', `/fhir/DiagnosticReport?_id=${resource.id}`)).body.entry[0].resource,
        );
      // And what was analysed a moment before a later one.
      const second = await fresh.analyse(await drawWoundPhoto({ seed: 9 }), {
        subject: { patientId: 'F-1', woundId: 'W' },
      });
      const later = await bulkOf(fresh).resources(await bulkOf(fresh).export('/$export?_type=Task,DiagnosticReport'));
      expect(idsOf(later.get('Task'))).toEqual([job.id, second.id].sort());
      expect(later.get('DiagnosticReport')).toHaveLength(2);
    });
  });

  describe('ends', () => {
    it.each(['running', 'complete'])(
      'bulk_data_export_cancel and bulk_data_export_cancel_stu2: DELETE of one that is %s is 202, then 404 with an OperationOutcome, and its files go',
      async (state) => {
        const statusUrl = statusUrlOf(await bulk.kickOff());
        const output = state === 'complete' ? ((await bulk.poll(statusUrl)).done.body as Manifest).output : [];
        expect((await bulk.ask('DELETE', statusUrl)).status).toBe(202);
        for (const url of [statusUrl, ...output.map((file) => file.url)])
          expect(await bulk.ask('GET', url)).toMatchObject({ status: 404, body: { resourceType: 'OperationOutcome' } });
        expect((await bulk.ask('DELETE', statusUrl)).status).toBe(404);
        await filesGone(statusUrl);
      },
    );

    const filesGone = async (statusUrl: string) => {
      const id = statusUrl.split('/').at(-1)!;
      await eventually(
        'its files to be removed',
        async () =>
          (
            await queryDatabase(
              gateway.databaseUrl,
              'select from bulk_exports where id = $1 and files_removed_at is not null',
              [id],
            )
          ).length > 0,
      );
      expect(await queryDatabase(gateway.databaseUrl, 'select from bulk_export_files where export = $1', [id])).toEqual(
        [],
      );
    };

    /** Names of its objects in the store. */
    const storedOf = async (statusUrl: string): Promise<string[]> => {
      const id = statusUrl.split('/').at(-1)!;
      const paths = await readdir(gateway.dataDir, { recursive: true });
      return paths.flatMap((path) => new RegExp(`/${id}/(.+)$`).exec(path)?.[1] ?? []);
    };

    it('when its files were kept long enough', async () => {
      const writer = await clientOf(await gateway.createOrganization());
      await create(writer, patient('K-1'));
      const asker = bulkOf(writer);
      const statusUrl = statusUrlOf(await asker.kickOff('/$export?_type=Patient'));
      const { output } = (await asker.poll(statusUrl)).done.body as Manifest;
      expect(await storedOf(statusUrl)).toEqual(['1']);
      await queryDatabase(
        gateway.databaseUrl,
        `update bulk_exports set expires_at = now() - interval '1 second' where id = $1`,
        [statusUrl.split('/').at(-1)],
      );
      expect((await asker.ask('GET', statusUrl)).status).toBe(404);
      await filesGone(statusUrl);
      expect(await storedOf(statusUrl)).toEqual([]);
      expect(issueOf(await asker.ask('GET', output[0]!.url)).details!.text).toContain('gone');
    });

    it('when a patient is erased, of the other exports too, and a legal hold leaves all of it as it is', async () => {
      const other = await gateway.createOrganization();
      const writer = await clientOf(other);
      const [gone] = [
        await create<Patient>(writer, { ...patient('GONE-771'), name: [{ family: 'Verlierová' }] }),
        await create<Patient>(writer, patient('STAYS-1')),
      ];
      await create(writer, condition(gone!.id!));
      const asker = bulkOf(writer);
      const statusUrl = statusUrlOf(
        await asker.kickOff(`/$export?_typeFilter=${encodeURIComponent('Patient?family=Verlierov%C3%A1')}`),
      );
      const { output } = (await asker.poll(statusUrl)).done.body as Manifest;
      const path = `/organizations/${other}/patients`;
      const named = { environment: 'test', patient: 'GONE-771' };
      // Core knows a patient by a photo or order alone.
      await writer
        .analyse(await drawWoundPhoto({ seed: 5 }), { subject: { patientId: 'GONE-771', identifierSystem: NUMBERS } })
        .catch(() => null);
      await gateway.admin('POST', `${path}/hold`, { ...named, reason: 'AZ 12/26' });
      const held = await gateway.admin('POST', `${path}/erase`, named);
      expect([held.status, held.body.code]).toEqual([409, 'patient.on_hold']);
      expectStatus(200, await asker.ask('GET', output[0]!.url));
      expect((await gateway.admin('POST', `${path}/release`, named)).status).toBeLessThan(300);
      await eventually('the patient to be erased', async () => {
        const answer = await gateway.admin('POST', `${path}/erase`, named);
        return answer.body.state === 'done' && answer;
      });
      expect(issueOf(await asker.ask('GET', statusUrl)).details!.text).toContain('erased');
      expect((await asker.ask('GET', output[0]!.url)).status).toBe(404);
      expect(await placesOfWords(['GONE-771', 'Verlierová'], gateway)).toEqual([]);
      const again = await asker.resources(await asker.export('/$export?_type=Patient'));
      expect(again.get('Patient')).toHaveLength(1);
    });
  });

  it('is answered in time beside everything else: polls of jobs wait for none of it', async () => {
    const statusUrl = statusUrlOf(await bulk.kickOff());
    const tookMs: number[] = [];
    for (;;) {
      const began = performance.now();
      await send('GET', `${gateway.baseUrl}/api/v1/analysis/jobs/${randomUUID()}`, { key: client.key });
      tookMs.push(performance.now() - began);
      if ((await bulk.ask('GET', statusUrl)).status === 200) break;
    }
    expect(Math.max(...tookMs)).toBeLessThan(1000);
  });
});
