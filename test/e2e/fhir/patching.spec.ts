import type { Bundle, OperationOutcome } from '@medplum/fhirtypes';
import { expectStatus, type Answer, type ApiClient } from '../../support/api-client.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';

const MRN = 'urn:oid:1.2.3';
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const FHIR_JSON = { 'content-type': 'application/fhir+json' };
const TAG = { system: 'urn:example:tags', code: 'study-7' };

describe('resources in part', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let numbers = 0;

  beforeAll(async () => {
    gateway = await sharedGateway();
    client = await gateway.createClient();
  });

  const next = (): string => `MRN-${(numbers += 1)}`;
  const ask = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    client.request(method, `/fhir/${path}`, { headers, ...(json === undefined ? {} : { json }) });
  const patientOf = (number: string, more: object = {}) => ({
    resourceType: 'Patient',
    identifier: [{ system: MRN, value: number }],
    name: [{ use: 'official', family: 'Muster', given: ['Erika'] }],
    ...more,
  });
  const createPatient = async (number = next(), more: object = {}): Promise<string> =>
    expectStatus(201, await ask('POST', 'Patient', patientOf(number, more))).body.id;
  const operation = (type: string, path: string, ...more: object[]) => ({
    name: 'operation',
    part: [{ name: 'type', valueCode: type }, { name: 'path', valueString: path }, ...more],
  });
  const parameters = (...parameter: object[]) => ({ resourceType: 'Parameters', parameter });
  const toFemale = parameters(
    operation('add', 'Patient', { name: 'name', valueString: 'gender' }, { name: 'value', valueCode: 'female' }),
  );
  const renamed = parameters(
    operation('replace', "Patient.name.where(use = 'official').family", { name: 'value', valueString: 'Beispiel' }),
  );
  const textOf = ({ body }: Answer): string => (body as OperationOutcome).issue[0]!.details!.text!;

  describe('a FHIRPath Patch', () => {
    it('is refused as a whole where an operation does not fit, or what it makes is no resource', async () => {
      const id = await createPatient();
      const unfit = parameters(
        ...renamed.parameter,
        operation('delete', 'Patient.name.given.family'),
        operation('delete', 'Patient.identifier.where(1 = 1)'),
      );
      expect(textOf(expectStatus(400, await ask('PATCH', `Patient/${id}`, unfit, FHIR_JSON)))).toContain('Operation 3');
      const invalid = parameters(
        operation(
          'add',
          'Patient',
          { name: 'name', valueString: 'gender' },
          { name: 'value', valueCode: 'unknowable' },
        ),
      );
      expectStatus(400, await ask('PATCH', `Patient/${id}`, invalid, FHIR_JSON));
      expectStatus(412, await ask('PATCH', `Patient/${id}`, renamed, { ...FHIR_JSON, 'if-match': 'W/"2"' }));
      expect((await ask('GET', `Patient/${id}`)).body.meta.versionId).toBe('1');
    });

    it('changes a resource, alone, in a transaction and in a batch', async () => {
      const id = await createPatient();
      const changed = expectStatus(200, await ask('PATCH', `Patient/${id}`, renamed, FHIR_JSON)).body;
      expect(changed).toMatchObject({ name: [{ family: 'Beispiel', given: ['Erika'] }], meta: { versionId: '2' } });
      for (const [type, patch] of [
        ['transaction', toFemale],
        ['batch', parameters(operation('delete', 'Patient.name.given'))],
      ] as const) {
        const entry = [{ resource: patch, request: { method: 'PATCH', url: `Patient/${id}` } }];
        const { body } = expectStatus(200, await ask('POST', '', { resourceType: 'Bundle', type, entry }));
        expect((body as Bundle).entry![0]!.response!.status).toBe('200 OK');
      }
      const { body } = await ask('GET', `Patient/${id}`);
      expect(body).toMatchObject({ gender: 'female', meta: { versionId: '4' } });
      expect(body.name).toEqual([{ use: 'official', family: 'Beispiel' }]);
    });
  });

  it('are patched by criteria in every form, and refused where those match none or several', async () => {
    const number = next();
    const id = await createPatient(number);
    const criteria = `Patient?identifier=${MRN}|${number}`;
    expectStatus(404, await ask('PATCH', `Patient?identifier=${MRN}|nobody`, renamed, FHIR_JSON));
    await createPatient(next(), { birthDate: '1931-01-01' });
    await createPatient(next(), { birthDate: '1931-01-01' });
    expectStatus(412, await ask('PATCH', 'Patient?birthdate=1931-01-01', renamed, FHIR_JSON));
    expectStatus(400, await ask('PATCH', 'Patient', renamed, FHIR_JSON));
    expectStatus(405, await ask('PATCH', 'Task?status=ready', renamed, FHIR_JSON));
    expectStatus(200, await ask('PATCH', criteria, renamed, FHIR_JSON));
    expectStatus(200, await ask('PATCH', criteria, [{ op: 'add', path: '/active', value: true }], JSON_PATCH));
    expectStatus(200, await ask('PATCH', criteria, { gender: 'female' }));
    const entry = [
      { resource: parameters(operation('delete', 'Patient.active')), request: { method: 'PATCH', url: criteria } },
    ];
    expectStatus(200, await ask('POST', '', { resourceType: 'Bundle', type: 'transaction', entry }));
    const { body } = await ask('GET', `Patient/${id}`);
    expect(body).toMatchObject({ gender: 'female', name: [{ family: 'Beispiel' }], meta: { versionId: '5' } });
    expect(body.active).toBeUndefined();
  });

  describe('their marks', () => {
    const meta = (path: string, valueMeta: object, headers: Record<string, string> = {}): Promise<Answer> =>
      ask('POST', path, parameters({ name: 'meta', valueMeta }), headers);
    const marksOf = ({ body }: Answer) => body.parameter[0].valueMeta;

    it('are refused of what the service made, of what is not there, without a Meta, and of a claim to come from the service', async () => {
      const id = await createPatient();
      expectStatus(404, await meta('DiagnosticReport/1/$meta-add', { tag: [TAG] }));
      expectStatus(404, await meta('Patient/nobody/$meta-add', { tag: [TAG] }));
      expectStatus(400, await ask('POST', `Patient/${id}/$meta-add`, parameters({ name: 'tag', valueCoding: TAG })));
      const asserted = { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'AIAST' };
      expectStatus(422, await meta(`Patient/${id}/$meta-add`, { security: [asserted] }));
      expectStatus(412, await meta(`Patient/${id}/$meta-add`, { tag: [TAG] }, { 'if-match': 'W/"7"' }));
      expectStatus(404, await ask('GET', 'Patient/$meta'));
    });

    it('are added once, shown, searched for, and taken away, each change a version', async () => {
      const id = await createPatient();
      const security = [{ system: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality', code: 'R' }];
      for (let time = 0; time < 2; time += 1)
        expect(
          marksOf(expectStatus(200, await meta(`Patient/${id}/$meta-add`, { tag: [TAG], security }))),
        ).toMatchObject({
          versionId: '2',
          tag: [TAG],
          security,
        });
      expect(marksOf(await ask('GET', `Patient/${id}/$meta`))).toMatchObject({ tag: [TAG], security });
      expect((await ask('GET', `Patient?_tag=${TAG.system}|${TAG.code}&_id=${id}`)).body.total).toBe(1);
      const left = marksOf(expectStatus(200, await meta(`Patient/${id}/$meta-delete`, { tag: [TAG] })));
      expect(left).toMatchObject({ versionId: '3', security });
      expect(left.tag).toBeUndefined();
      expect((await ask('GET', `Patient?_tag=${TAG.system}|${TAG.code}&_id=${id}`)).body.total).toBe(0);
    });
  });

  it('make no version where nothing changes, whatever the order of their elements', async () => {
    const number = next();
    const id = await createPatient(number);
    const { name, identifier } = patientOf(number);
    const again = { id, resourceType: 'Patient', name, identifier };
    expect(expectStatus(200, await ask('PUT', `Patient/${id}`, again)).headers.get('etag')).toBe('W/"1"');
    expectStatus(200, await ask('PUT', `Patient?identifier=${MRN}|${number}`, { ...again, id: undefined }));
    expectStatus(200, await ask('PATCH', `Patient/${id}`, [{ op: 'test', path: '/id', value: id }], JSON_PATCH));
    expect((await ask('GET', `Patient/${id}/_history`)).body.total).toBe(1);
  });

  it('are read in part, as a search shows them', async () => {
    const id = await createPatient(next(), { contact: [{ name: { text: 'Max' } }] });
    expectStatus(400, await ask('GET', `Patient/${id}?_summary=some`));
    const { body } = expectStatus(200, await ask('GET', `Patient/${id}?_elements=identifier`));
    expect(Object.keys(body).sort()).toEqual(['id', 'identifier', 'meta', 'resourceType']);
    expect(body.meta.tag).toMatchObject([{ code: 'SUBSETTED' }]);
    expect((await ask('GET', `Patient/${id}?_summary=true`)).body.contact).toBeUndefined();
    expect((await ask('GET', `Patient/${id}?_summary=false`)).body.contact).toBeDefined();
  });

  it('say which preference was followed', async () => {
    const answer = await ask('POST', 'Patient', patientOf(next()), { prefer: 'return=minimal' });
    expect([answer.bytes.length, answer.headers.get('preference-applied')]).toEqual([0, 'return=minimal']);
    const found = await ask('GET', 'Patient?_count=1', undefined, { prefer: 'handling=strict' });
    expect(found.headers.get('preference-applied')).toBe('handling=strict');
    expect((await ask('GET', 'Patient?_count=1', undefined, { accept: '' })).status).toBe(200);
  });

  it('find whether somebody has died, by date or by word', async () => {
    const tag = { meta: { tag: [{ system: 'urn:example:tags', code: 'deceased' }] } };
    for (const more of [{}, { deceasedBoolean: false }, { deceasedBoolean: true }, { deceasedDateTime: '2026-01-01' }])
      await createPatient(next(), { ...tag, ...more });
    const total = async (query: string): Promise<number> =>
      (await ask('GET', `Patient?_tag=urn:example:tags|deceased&deceased=${query}`)).body.total;
    expect([await total('true'), await total('false')]).toEqual([2, 2]);
  });

  it('have each extension at its own value, where a list is shorter than that of its extensions', async () => {
    const given = { name: [{ given: ['a'], _given: [null, { extension: [{ url: 'urn:x', valueCode: 'q' }] }] }] };
    const { body } = expectStatus(201, await ask('POST', 'Patient', { ...patientOf(next()), ...given }));
    expect(body.name[0].given).toEqual(['a', null]);
  });

  it('keep a document whose hash is wrong, with the right one and a warning; a photo is refused', async () => {
    const id = await createPatient();
    const data = Buffer.from('%PDF-1.4 a letter').toString('base64');
    const documentOf = (contentType: string, more: object = {}) => ({
      resourceType: 'DocumentReference',
      status: 'current',
      subject: { reference: `Patient/${id}` },
      content: [{ attachment: { contentType, data, hash: '2jmj7l5rSw0yVb/vlWAYkK/YBwk=' } }],
      ...more,
    });
    const kept = expectStatus(201, await ask('POST', 'DocumentReference', documentOf('application/pdf')));
    expect(kept.headers.get('sutura-warning')).toContain('hash');
    expect(kept.body.content[0].attachment.hash).not.toBe('2jmj7l5rSw0yVb/vlWAYkK/YBwk=');
    const media = {
      resourceType: 'Media',
      status: 'completed',
      subject: { reference: `Patient/${id}` },
      content: { contentType: 'image/png', data, hash: '2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
    };
    expectStatus(422, await ask('POST', 'Media', media));
  });

  it('refer to each other in a transaction by a UUID in whatever case', async () => {
    const condition = {
      resourceType: 'Condition',
      subject: { reference: 'urn:uuid:B1F6A2DE-6C1F-4A55-9A2B-000000000001' },
    };
    const entry = [
      {
        fullUrl: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000001',
        resource: patientOf(next()),
        request: { method: 'POST', url: 'Patient' },
      },
      { resource: condition, request: { method: 'POST', url: 'Condition' } },
    ];
    expectStatus(200, await ask('POST', '', { resourceType: 'Bundle', type: 'transaction', entry }));
  });
});
