import type { Bundle, OperationOutcome } from '@medplum/fhirtypes';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { BulkClient } from '../../support/bulk-export.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const MRN = 'urn:oid:1.2.3';
const WOUND = 'https://sutura.dev/fhir/StructureDefinition/wound';
const NOBODY = '0199d0a1-4a00-7b10-8a01-0000000000aa';

describe('resources that their clients delete', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let numbers = 0;

  beforeAll(async () => {
    gateway = await sharedGateway();
    client = await gateway.createClient();
  });

  const next = (prefix: string): string => `${prefix}-${(numbers += 1)}`;
  const ask = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    client.request(method, `/fhir/${path}`, { headers, ...(json === undefined ? {} : { json }) });
  const patientOf = (number: string, more: object = {}) => ({
    resourceType: 'Patient',
    identifier: [{ system: MRN, value: number }],
    name: [{ family: 'Muster' }],
    ...more,
  });
  const createPatient = async (number = next('MRN')): Promise<string> =>
    expectStatus(201, await ask('POST', 'Patient', patientOf(number))).body.id;
  const conditionOf = (patientId: string, more: object = {}) => ({
    resourceType: 'Condition',
    subject: { reference: `Patient/${patientId}` },
    code: { text: 'Pressure sore' },
    ...more,
  });
  const createCondition = async (patientId: string): Promise<string> =>
    expectStatus(201, await ask('POST', 'Condition', conditionOf(patientId))).body.id;
  const post = (type: 'transaction' | 'batch', entry: readonly object[]): Promise<Answer> =>
    ask('POST', '', { resourceType: 'Bundle', type, entry });
  const remove = (url: string) => ({ request: { method: 'DELETE', url } });
  const statuses = ({ body }: Answer): string[] =>
    ((body as Bundle).entry ?? []).map(({ response }) => response!.status.slice(0, 3));
  const textsOf = ({ body }: Answer): string =>
    (body as OperationOutcome).issue.map(({ details }) => details?.text).join(' ');
  const total = async (query: string): Promise<number> => expectStatus(200, await ask('GET', query)).body.total;
  const hl7 = async (segments: readonly string[]): Promise<string> => {
    const message = [
      `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||${segments[0]}|${next('MSG')}|T|2.5.1|||||DEU|UNICODE UTF-8`,
      ...segments.slice(1),
    ].join('\r');
    const answer = await client.request('POST', '/hl7v2', {
      bytes: Buffer.from(message),
      headers: { 'content-type': 'application/hl7-v2' },
    });
    return answer.bytes.toString('utf8');
  };

  describe('are refused', () => {
    it('where there never was such a resource, or another version is meant', async () => {
      expectStatus(404, await ask('DELETE', `Condition/${NOBODY}`));
      expectStatus(404, await ask('DELETE', 'NoSuchType/1'));
      const id = await createPatient();
      expectStatus(412, await ask('DELETE', `Patient/${id}`, undefined, { 'if-match': 'W/"2"' }));
      expectStatus(200, await ask('GET', `Patient/${id}`));
      expectStatus(204, await ask('DELETE', `Patient/${id}`, undefined, { 'if-match': 'W/"1"' }));
    });

    it('where something refers to it, which is named', async () => {
      const patientId = await createPatient();
      const conditionId = await createCondition(patientId);
      const refused = expectStatus(409, await ask('DELETE', `Patient/${patientId}`));
      expect(refused.body.issue[0]).toMatchObject({
        code: 'conflict',
        details: { coding: [{ code: 'fhir-in-use' }], text: `Condition/${conditionId} refers to it.` },
      });
      expectStatus(200, await ask('GET', `Patient/${patientId}`));
      expectStatus(204, await ask('DELETE', `Condition/${conditionId}`));
      expectStatus(204, await ask('DELETE', `Patient/${patientId}`));
    });

    it('where the reference is one that no search looks at', async () => {
      const practitionerId = expectStatus(201, await ask('POST', 'Practitioner', { resourceType: 'Practitioner' })).body
        .id;
      const patientId = await createPatient();
      const reference = `Practitioner/${practitionerId}`;
      const extension = [{ url: 'urn:example:seen-by', valueReference: { reference } }];
      await ask('POST', 'Condition', conditionOf(patientId, { extension }));
      expectStatus(409, await ask('DELETE', reference));
    });

    it('of what the service itself made, with what is left to do', async () => {
      for (const path of ['Task/1', 'DiagnosticReport/1', 'Device/1', 'Provenance/1', 'Binary/1', 'AuditEvent/audit-1'])
        expect(expectStatus(405, await ask('DELETE', path)).headers.get('allow')).toContain('GET');
    });

    it('for a key or a token without the right', async () => {
      const id = await createPatient();
      const [{ id: organizationId } = { id: '' }] = await queryDatabase<{ id: string }>(
        gateway.databaseUrl,
        'select organization_id as id from fhir_resources where id = $1',
        [id],
      );
      const { key } = await gateway.createKey(organizationId, 'test', ['analysis:read']);
      expectStatus(403, await new ApiClient(gateway.baseUrl, key).request('DELETE', `/fhir/Patient/${id}`));
      const other = await gateway.createKey(organizationId, 'test', ['images:write']);
      const writer = new ApiClient(gateway.baseUrl, other.key);
      expectStatus(404, await writer.request('DELETE', `/fhir/Patient/${id}`));
      // What is brought back by another key shows nothing of what it was.
      const [{ value }] = (await ask('GET', `Patient/${id}`)).body.identifier;
      expectStatus(204, await ask('DELETE', `Patient/${id}`));
      expectStatus(405, await writer.request('PUT', `/fhir/Patient/${id}`, { json: { resourceType: 'Patient', id } }));
      expectStatus(201, await writer.request('POST', '/fhir/Patient', { json: patientOf(value) }));
      for (const path of ['', '/_history', '/_history/1'])
        expectStatus(404, await writer.request('GET', `/fhir/Patient/${id}${path}`));
      expectStatus(200, await ask('GET', `Patient/${id}`));
    });

    it('by criteria that match several, or that name none', async () => {
      const patientId = await createPatient();
      await createCondition(patientId);
      await createCondition(patientId);
      expectStatus(412, await ask('DELETE', `Condition?patient=${patientId}`));
      expectStatus(400, await ask('DELETE', 'Condition'));
      expectStatus(400, await ask('DELETE', `Patient?identifier=${MRN}|`));
      expect(await total(`Condition?patient=${patientId}`)).toBe(2);
    });
  });

  it('answer 410, keep their history, are found no more, and may be deleted again', async () => {
    const id = await createPatient('MRN-gone');
    await ask('PUT', `Patient/${id}`, patientOf('MRN-gone', { id, gender: 'female' }));
    expect(expectStatus(204, await ask('DELETE', `Patient/${id}`)).headers.get('etag')).toBe('W/"3"');
    expect(textsOf(expectStatus(410, await ask('GET', `Patient/${id}`)))).toContain('PUT');
    expectStatus(200, await ask('GET', `Patient/${id}/_history/2`));
    expectStatus(410, await ask('GET', `Patient/${id}/_history/3`));
    expectStatus(404, await ask('GET', `Patient/${id}/_history/4`));
    for (const path of [`Patient/${id}/_history`, 'Patient/_history?_count=1', '_history?_count=1']) {
      const [newest] = (expectStatus(200, await ask('GET', path)).body as Bundle).entry!;
      expect(newest).toEqual({
        fullUrl: `${gateway.baseUrl}/fhir/Patient/${id}`,
        request: { method: 'DELETE', url: `Patient/${id}` },
        response: { status: '204', etag: 'W/"3"', lastModified: expect.any(String) },
      });
    }
    expect((await ask('GET', `Patient/${id}/_history`)).body.total).toBe(3);
    for (const query of [
      `identifier=${MRN}|MRN-gone`,
      `_id=${id}`,
      `identifier:not=x&_id=${id}`,
      `_lastUpdated=gt2020&_id=${id}`,
    ])
      expect(await total(`Patient?${query}`)).toBe(0);
    expectStatus(204, await ask('DELETE', `Patient/${id}`));
    expectStatus(410, await ask('PATCH', `Patient/${id}`, [{ op: 'add', path: '/active', value: true }]));
    expect((await ask('GET', `Patient/${id}/_history`)).body.total).toBe(3);
    expectStatus(400, await ask('POST', 'Condition', conditionOf(id)));
  });

  it('come to life again by PUT, with the next version', async () => {
    const id = await createPatient();
    const number = next('MRN');
    expectStatus(204, await ask('DELETE', `Patient/${id}`));
    expectStatus(412, await ask('PUT', `Patient/${id}`, patientOf(number, { id }), { 'if-match': 'W/"1"' }));
    const revived = expectStatus(201, await ask('PUT', `Patient/${id}`, patientOf(number, { id })));
    expect(revived.body).toMatchObject({ id, meta: { versionId: '3' } });
    expect(revived.headers.get('location')).toBe(`${gateway.baseUrl}/fhir/Patient/${id}/_history/3`);
    expect(await total(`Patient?identifier=${MRN}|${number}`)).toBe(1);
    expectStatus(410, await ask('GET', `Patient/${id}/_history/2`));
    expectStatus(201, await ask('POST', 'Condition', conditionOf(id)));
  });

  it('come to life again under the id of their sender, alone, in a transaction with what refers to them, and without any number', async () => {
    const id = next('sender');
    const bare = { resourceType: 'Patient', id, name: [{ family: 'Muster' }] };
    expectStatus(201, await ask('PUT', `Patient/${id}`, bare));
    expectStatus(204, await ask('DELETE', `Patient/${id}`));
    expectStatus(410, await ask('GET', `Patient/${id}`));
    expect(expectStatus(201, await ask('PUT', `Patient/${id}`, bare)).body.meta.versionId).toBe('3');
    expectStatus(204, await ask('DELETE', `Patient/${id}`));
    const answer = expectStatus(
      200,
      await post('transaction', [
        { resource: conditionOf(id), request: { method: 'POST', url: 'Condition' } },
        { resource: bare, request: { method: 'PUT', url: `Patient/${id}` } },
      ]),
    );
    expect(statuses(answer)).toEqual(['201', '201']);
    expect(await total(`Condition?patient=${id}`)).toBe(1);
  });

  describe('are the same patient again', () => {
    it('once a client sends one of their numbers', async () => {
      const id = await createPatient('MRN-again');
      expectStatus(204, await ask('DELETE', `Patient/${id}`));
      const again = expectStatus(201, await ask('POST', 'Patient', patientOf('MRN-again')));
      expect(again.body).toMatchObject({ id, meta: { versionId: '3' } });
      const other = await createPatient();
      expectStatus(204, await ask('DELETE', `Patient/${other}`));
    });

    it('once an HL7 v2 message names one of their numbers, so that what it brings has a patient', async () => {
      const id = await createPatient('MRN-adt');
      expectStatus(204, await ask('DELETE', `Patient/${id}`));
      const pid = 'PID|1||MRN-adt^^^&1.2.3&ISO^MR||Muster^Erika||19500203|F';
      expect(await hl7(['ADT^A08^ADT_A01', 'EVN|A08|20260315094003+0100', pid, 'PV1|1|I'])).toContain('MSA|AA');
      const back = expectStatus(200, await ask('GET', `Patient/${id}`)).body;
      expect(back).toMatchObject({ id, meta: { versionId: '3' }, birthDate: '1950-02-03' });
      expectStatus(204, await ask('DELETE', `Patient/${id}`));
      const order = ['ORC|NW|A-9^EHR', 'OBR|1|A-9^EHR||39135-9^Wound assessment panel^LN'];
      expect(await hl7(['OMG^O19^OMG_O19', pid, ...order])).toContain('MSA|AA');
      expect(await total(`ServiceRequest?patient=${id}`)).toBe(1);
      expectStatus(200, await ask('GET', `Patient/${id}`));
    });

    it('once a photo of theirs comes in natively, and its report is about a patient who is there', async () => {
      const id = await createPatient('MRN-native');
      expectStatus(204, await ask('DELETE', `Patient/${id}`));
      const job = await client.analyse(await drawSmallWoundPhoto({ seed: 5 }), {
        subject: { patientId: 'MRN-native', patientSystem: MRN, woundId: 'heel' },
        calibration: { mmPerPixel: 0.2 },
      });
      const reportId = (job.links.report as string).split('/').at(-1)!;
      const report = await eventually('the report is shown', async () => {
        const answer = await ask('GET', `DiagnosticReport/${reportId}`);
        return answer.status === 200 ? answer.body : undefined;
      });
      expect(report.subject.reference).toBe(`Patient/${id}`);
      expectStatus(200, await ask('GET', `Patient/${id}`));
      const refused = expectStatus(409, await ask('DELETE', `Patient/${id}`));
      expect(textsOf(refused)).toContain(`DiagnosticReport/${reportId} stands on it.`);
      expectStatus(405, await ask('DELETE', `DiagnosticReport/${reportId}`));
      const { reference } = report.media[0].link;
      expect(expectStatus(405, await ask('DELETE', reference)).headers.get('allow')).toBe('GET, HEAD, PATCH, PUT');
    });
  });

  it('are a photo and its order as long as nothing was made of them, and stay once a report stands on them', async () => {
    const patientId = await createPatient();
    const data = (await drawSmallWoundPhoto({ seed: 6 })).toString('base64');
    const mediaOf = (more: object = {}) => ({
      resourceType: 'Media',
      status: 'completed',
      subject: { reference: `Patient/${patientId}` },
      content: { contentType: 'image/jpeg', data },
      ...more,
    });
    const unused = expectStatus(201, await ask('POST', 'Media', mediaOf())).body;
    expectStatus(204, await ask('DELETE', `Media/${unused.id}`));
    expectStatus(410, await ask('GET', `Media/${unused.id}`));
    expectStatus(404, await ask('POST', `Media/${unused.id}/$analyze`));
    expect(expectStatus(201, await ask('PUT', `Media/${unused.id}`, { ...unused, meta: undefined })).body.id).toBe(
      unused.id,
    );

    const woundOf = (value: string) => ({
      resourceType: 'BodyStructure',
      identifier: [{ system: 'urn:ward', value }],
      patient: { reference: `Patient/${patientId}` },
    });
    const order = {
      resourceType: 'ServiceRequest',
      status: 'active',
      intent: 'order',
      code: { coding: [{ system: 'http://loinc.org', code: '39135-9' }] },
      subject: { reference: `Patient/${patientId}` },
    };
    const other = { reference: `Patient/${await createPatient()}` };
    const placed = expectStatus(201, await ask('POST', 'ServiceRequest', { ...order, subject: other })).body;
    expect(textsOf(expectStatus(409, await ask('DELETE', `ServiceRequest/${placed.id}`)))).toContain('Task/');
    for (const resource of [woundOf('W-1'), { ...order, status: 'draft' }]) {
      const { resourceType: type } = resource;
      const made = expectStatus(201, await ask('POST', type, resource)).body;
      expectStatus(204, await ask('DELETE', `${type}/${made.id}`));
      const again = expectStatus(201, await ask('PUT', `${type}/${made.id}`, { ...resource, id: made.id }));
      expect(again.body).toMatchObject({ id: made.id, meta: { versionId: '3' } });
      expectStatus(204, await ask('DELETE', `${type}/${made.id}`));
    }
    // The wound of this number is the same one as before, and there again.
    const wound = expectStatus(201, await ask('POST', 'BodyStructure', woundOf('W-1'))).body;
    expect(wound.meta.versionId).toBe('5');

    const extension = [{ url: WOUND, valueReference: { reference: `BodyStructure/${wound.id}` } }];
    const photo = expectStatus(201, await ask('POST', 'Media', mediaOf({ extension }))).body;
    const task = expectStatus(200, await ask('POST', `Media/${photo.id}/$analyze`)).body;
    expect(textsOf(expectStatus(409, await ask('DELETE', `Media/${photo.id}`)))).toContain(`Task/${task.id}`);
    const reportId = await eventually('the report is there', async () => {
      const { body } = await ask('GET', `DiagnosticReport?patient=${patientId}`);
      return (body as Bundle).entry?.[0]?.resource?.id;
    });
    for (const path of [`Media/${photo.id}`, `Patient/${patientId}`, `BodyStructure/${wound.id}`])
      expect(textsOf(expectStatus(409, await ask('DELETE', path)))).toContain(
        `DiagnosticReport/${reportId} stands on it.`,
      );
    expectStatus(405, await ask('DELETE', `DiagnosticReport/${reportId}`));
    expectStatus(405, await ask('DELETE', `Task/${task.id}`));
    const [observation] = (await ask('GET', `Observation?patient=${patientId}`)).body.entry;
    expectStatus(405, await ask('DELETE', `Observation/${observation.resource.id}`));
  });

  it('are deleted by criteria, and a repeat answers the same', async () => {
    const id = await createPatient('MRN-criteria');
    for (let time = 0; time < 2; time += 1)
      expectStatus(204, await ask('DELETE', `Patient?identifier=${MRN}|MRN-criteria`));
    expectStatus(410, await ask('GET', `Patient/${id}`));
  });

  it('are deleted in a transaction before all else, and what refers to them may go or change with them', async () => {
    const [patientId, otherId] = [await createPatient('MRN-tx'), await createPatient()];
    const conditionId = await createCondition(patientId);
    const keptId = await createCondition(patientId);
    const refused = expectStatus(
      409,
      await post('transaction', [remove(`Condition/${conditionId}`), remove(`Patient/${patientId}`)]),
    );
    expect(refused.body.issue[0]).toMatchObject({ expression: ['Bundle.entry[1].resource'] });
    expectStatus(200, await ask('GET', `Condition/${conditionId}`));
    expectStatus(
      400,
      await post('transaction', [
        remove(`Condition/${conditionId}`),
        {
          resource: conditionOf(otherId, { id: conditionId }),
          request: { method: 'PUT', url: `Condition/${conditionId}` },
        },
      ]),
    );
    const answer = expectStatus(
      200,
      await post('transaction', [
        { request: { method: 'GET', url: `Condition?patient=${otherId}` } },
        { resource: conditionOf(otherId, { id: keptId }), request: { method: 'PUT', url: `Condition/${keptId}` } },
        { resource: patientOf(next('MRN')), request: { method: 'POST', url: 'Patient' } },
        remove(`Condition/${conditionId}`),
        remove(`Patient?identifier=${MRN}|MRN-tx`),
      ]),
    );
    expect(statuses(answer)).toEqual(['200', '200', '201', '204', '204']);
    expect((answer.body as Bundle).entry![0]!.resource).toMatchObject({ total: 1 });
    expectStatus(410, await ask('GET', `Patient/${patientId}`));
  });

  it('are deleted in a batch, each on its own', async () => {
    const patientId = await createPatient();
    const conditionId = await createCondition(patientId);
    const answer = await post('batch', [remove(`Condition/${NOBODY}`), remove(`Condition/${conditionId}`)]);
    expect(statuses(answer)).toEqual(['404', '204']);
    expectStatus(410, await ask('GET', `Condition/${conditionId}`));
  });

  it('stand in the audit trail with their patient', async () => {
    const patientId = await createPatient();
    const conditionId = await createCondition(patientId);
    expectStatus(204, await ask('DELETE', `Condition/${conditionId}`));
    const { body } = expectStatus(200, await ask('GET', `AuditEvent?patient=${patientId}&action=D`));
    expect((body as Bundle).entry).toHaveLength(1);
    expect(JSON.stringify(body)).toContain(`Condition/${conditionId}`);
  });

  it('are in the `deleted` of an export since before their deletion, and in nothing else of it', async () => {
    const bulk = new BulkClient(`${gateway.baseUrl}/fhir`, client.key);
    const whole = await bulk.export('/$export?_type=Condition');
    expect(whole.deleted).toBeUndefined();
    const patientId = await createPatient();
    const conditionId = await createCondition(patientId);
    expectStatus(204, await ask('DELETE', `Condition/${conditionId}`));
    const { output, deleted } = await bulk.export(`/$export?_type=Condition&_since=${whole.transactionTime}`);
    expect([output, deleted]).toEqual([[], [{ type: 'Bundle', url: expect.any(String), count: 1 }]]);
    const file = expectStatus(200, await bulk.ask('GET', deleted![0]!.url));
    expect(JSON.parse(file.bytes.toString('utf8'))).toEqual({
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [{ request: { method: 'DELETE', url: `Condition/${conditionId}` } }],
    });
  });

  it('go for good with an erasure of their patient, with all that they said', async () => {
    const patientId = await createPatient();
    const word = next('word');
    const condition = conditionOf(patientId, { code: { text: word } });
    const { id } = expectStatus(201, await ask('POST', 'Condition', condition)).body;
    expectStatus(204, await ask('DELETE', `Condition/${id}`));
    const said = () =>
      queryDatabase(gateway.databaseUrl, 'select from fhir_versions where content::text like $1', [`%${word}%`]);
    expect(await said()).toHaveLength(1);
    const [{ organizationId } = { organizationId: '' }] = await queryDatabase<{ organizationId: string }>(
      gateway.databaseUrl,
      'select organization_id as "organizationId" from fhir_resources where id = $1',
      [patientId],
    );
    expectStatus(
      200,
      await gateway.admin('POST', `/organizations/${organizationId}/patients/erase`, {
        environment: 'test',
        patient: patientId,
      }),
    );
    expect(await said()).toEqual([]);
    expectStatus(404, await ask('GET', `Condition/${id}`));
  });

  it('leave no reference to nothing, whoever comes first', async () => {
    for (let round = 0; round < 20; round += 1) {
      const patientId = await createPatient();
      const [made, gone] = await Promise.all([
        ask('POST', 'Condition', conditionOf(patientId)),
        ask('DELETE', `Patient/${patientId}`),
      ]);
      expect([
        [201, 409],
        [400, 204],
      ]).toContainEqual([made.status, gone.status]);
      expectStatus(made.status === 201 ? 200 : 410, await ask('GET', `Patient/${patientId}`));
    }
  });

  it('are announced by the CapabilityStatement', async () => {
    const { body } = expectStatus(200, await ask('GET', 'metadata'));
    const of = (type: string) => body.rest[0].resource.find((one: { type: string }) => one.type === type);
    expect(of('Patient')).toMatchObject({
      conditionalDelete: 'single',
      interaction: expect.arrayContaining([{ code: 'delete' }]),
    });
    expect(of('Task')).toMatchObject({ conditionalDelete: 'not-supported' });
    expect(of('Task').interaction).not.toContainEqual({ code: 'delete' });
  });
});
