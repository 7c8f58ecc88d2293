import type { Resource } from '@medplum/fhirtypes';
import { ProfileLibrary } from '../../../src/standards/fhir/profiles/profile-library.js';
import { R4Definitions } from '../../../src/standards/fhir/definitions/r4-definitions.js';
import { ResourceValidator } from '../../../src/standards/fhir/validation/resource-validator.js';
import { expectStatus, type Answer, type ApiClient } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const FHIR = 'application/fhir+json; charset=utf-8';
const PATCH = { 'content-type': 'application/json-patch+json' };

const MRI = { url: 'urn:other:mri', valueBoolean: false };
/** With what simple servers lose: extensions of primitives, contained resources, gaps in lists, texts beyond Latin, numbers with many digits. */
const OTHERS = [
  {
    resourceType: 'Patient',
    implicitRules: 'urn:rules',
    language: 'de',
    text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml"><p>Žofie 王 😀</p></div>' },
    contained: [{ resourceType: 'Organization', id: 'gp', name: 'Praxis' }],
    extension: [{ url: 'urn:other', extension: [{ url: 'inner', valueCodeableConcept: { text: 'x' } }] }],
    modifierExtension: [MRI],
    identifier: [{ system: 'urn:oid:2.9.9', value: 'other-1', period: { start: '2020' }, assigner: { display: 'A' } }],
    name: [
      {
        family: 'Nováková',
        _family: { extension: [{ url: 'urn:own-name', valueString: 'Nováková' }] },
        given: ['Žofie', null],
        _given: [null, { extension: [{ url: 'urn:initial', valueCode: 'M' }] }],
      },
    ],
    birthDate: '1950-03',
    _birthDate: {
      id: 'b1',
      extension: [
        {
          url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime',
          valueDateTime: '1950-03-01T04:05:06.789+01:00',
        },
      ],
    },
    deceasedBoolean: false,
    multipleBirthInteger: 2,
    generalPractitioner: [{ reference: '#gp' }, { identifier: { system: 'urn:oid:1.1', value: 'gp-2' } }],
    managingOrganization: { reference: 'https://other.example/fhir/Organization/7' },
  },
  {
    resourceType: 'Organization',
    name: 'Nordklinik',
    alias: ['NK'],
    telecom: [{ system: 'phone', value: '+49 30 1', rank: 1 }],
    address: [{ line: ['Weg 1', 'Haus B'], country: 'DE' }],
  },
  {
    resourceType: 'Practitioner',
    name: [{ text: 'Dr. A' }],
    qualification: [
      {
        code: { coding: [{ system: 'urn:q', code: 'MD', userSelected: true }] },
        period: { start: '1999-12-31T23:59:59Z' },
      },
    ],
  },
  {
    resourceType: 'Condition',
    subject: { display: 'somebody' },
    code: { coding: [{ system: 'http://snomed.info/sct', code: '399912005' }], text: 'Pressure sore' },
    onsetAge: { value: 70.125, unit: 'a', system: 'http://unitsofmeasure.org', code: 'a' },
    note: [{ text: 'line one\nline two\t|^~\\&' }],
  },
];

describe('FHIR interactions', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let numbers = 0;

  beforeAll(async () => {
    gateway = await sharedGateway();
    client = await gateway.createClient();
  });

  const patientOf = (more: object = {}) => ({
    resourceType: 'Patient',
    identifier: [{ system: 'urn:oid:1.2.3', value: `P-${(numbers += 1)}` }],
    name: [{ family: 'Muster', given: ['Erika'] }],
    ...more,
  });
  const create = async (resource: object, headers: Record<string, string> = {}): Promise<Answer> =>
    client.request('POST', `/fhir/${(resource as Resource).resourceType}`, { json: resource, headers });
  const read = (path: string, headers: Record<string, string> = {}) =>
    client.request('GET', `/fhir/${path}`, { headers });

  it('tells the sender of one resource what nothing follows from: in the outcome where that is preferred, else in a header', async () => {
    const order = {
      resourceType: 'ServiceRequest',
      status: 'active',
      intent: 'order',
      code: { coding: [{ system: 'http://loinc.org', code: '30746-2' }], text: 'X-ray "chest"' },
      subject: { display: 'somebody' },
    };
    const warning =
      'The order is kept, and asks for nothing of this service. Analyses are ordered with the code 39135-9 of LOINC.';
    const issue = [{ severity: 'warning', code: 'business-rule', details: { text: warning } }];
    const senders: [string, (headers: Record<string, string>) => Promise<Answer>, number][] = [
      ['POST', (headers) => create(order, headers), 201],
      [
        'PUT that creates',
        (headers) =>
          client.request('PUT', `/fhir/ServiceRequest/order-${(numbers += 1)}`, {
            json: { ...order, id: `order-${numbers}` },
            headers,
          }),
        201,
      ],
      [
        'PUT that changes',
        (headers) =>
          client.request('PUT', '/fhir/ServiceRequest/order-of-all', {
            json: { ...order, id: 'order-of-all' },
            headers,
          }),
        200,
      ],
    ];
    expectStatus(
      201,
      await client.request('PUT', '/fhir/ServiceRequest/order-of-all', { json: { ...order, id: 'order-of-all' } }),
    );
    for (const [name, send, status] of senders) {
      const outcome = expectStatus(status, await send({ prefer: 'return=OperationOutcome' }));
      expect([name, outcome.body, outcome.headers.get('sutura-warning')]).toEqual([
        name,
        { resourceType: 'OperationOutcome', issue },
        null,
      ]);
      const plain = expectStatus(status, await send({}));
      expect([name, plain.body.resourceType, plain.headers.get('sutura-warning')]).toEqual([
        name,
        'ServiceRequest',
        `"${warning}"`,
      ]);
      const minimal = expectStatus(status, await send({ prefer: 'return=minimal' }));
      expect([name, minimal.bytes.length, minimal.headers.get('sutura-warning')]).toEqual([name, 0, `"${warning}"`]);
    }
    const wanted = expectStatus(
      201,
      await create({ ...order, code: { coding: [{ system: 'http://loinc.org', code: '39135-9' }] } }),
    );
    expect(wanted.headers.get('sutura-warning')).toBeNull();
  });

  it('creates under an id of its own, and reads back what was sent', async () => {
    const sent = patientOf({
      id: 'mine',
      meta: { versionId: '77', tag: [{ system: 'urn:t', code: 'kept' }] },
      extension: [{ url: 'urn:other', valueString: 'kept' }],
    });
    const created = expectStatus(201, await create(sent));
    const { id, meta, ...rest } = created.body;
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(meta).toEqual({
      versionId: '1',
      lastUpdated: expect.stringMatching(/^\d{4}-.*Z$/),
      tag: [{ system: 'urn:t', code: 'kept' }],
    });
    const { id: _id, meta: _meta, ...expected } = sent as Record<string, unknown>;
    expect(rest).toEqual(expected);
    expect(Object.fromEntries(created.headers)).toMatchObject({
      location: `${gateway.baseUrl}/fhir/Patient/${id}/_history/1`,
      etag: 'W/"1"',
      'content-type': FHIR,
      'cache-control': 'private, no-store',
    });
    expect(created.headers.get('last-modified')).toBe(new Date(meta.lastUpdated).toUTCString());
    expect(expectStatus(200, await read(`Patient/${id}`)).body).toEqual(created.body);
    const head = await client.request('HEAD', `/fhir/Patient/${id}`);
    expect([head.status, head.bytes.length, head.headers.get('etag')]).toEqual([200, 0, 'W/"1"']);
  });

  it('tells who has a version already that it is still the one', async () => {
    const { id } = expectStatus(201, await create(patientOf())).body;
    for (const tag of ['W/"1"', '"1"', '*']) expectStatus(304, await read(`Patient/${id}`, { 'if-none-match': tag }));
    expectStatus(
      304,
      await read(`Patient/${id}`, { 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() }),
    );
    expectStatus(200, await read(`Patient/${id}`, { 'if-none-match': 'W/"2"' }));
    expectStatus(200, await read(`Patient/${id}`, { 'if-modified-since': new Date(0).toUTCString() }));
  });

  it('keeps every version, and lets one of two writers from the same version win', async () => {
    const first = expectStatus(201, await create(patientOf())).body;
    const put = (body: object, tag: string) =>
      client.request('PUT', `/fhir/Patient/${first.id}`, { json: body, headers: { 'if-match': tag } });
    const both = await Promise.all([
      put({ ...first, active: true }, 'W/"1"'),
      put({ ...first, active: false }, 'W/"1"'),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    const won = both.find(({ status }) => status === 200)!;
    expect(won.headers.get('content-location')).toBe(`${gateway.baseUrl}/fhir/Patient/${first.id}/_history/2`);
    const patched = await client.request('PATCH', `/fhir/Patient/${first.id}`, {
      bytes: Buffer.from(JSON.stringify([{ op: 'add', path: '/birthDate', value: '1950-03-01' }])),
      headers: { ...PATCH, 'if-match': 'W/"2"' },
    });
    expect(expectStatus(200, patched).body).toMatchObject({ birthDate: '1950-03-01', meta: { versionId: '3' } });
    expect(expectStatus(200, await read(`Patient/${first.id}/_history/1`)).body).toEqual(first);
    const history = expectStatus(200, await read(`Patient/${first.id}/_history`)).body;
    expect(history).toMatchObject({ type: 'history', total: 3 });
    expect(
      history.entry.map((entry: { response: { etag: string }; request: { method: string } }) => [
        entry.request.method,
        entry.response.etag,
      ]),
    ).toEqual([
      ['PUT', 'W/"3"'],
      ['PUT', 'W/"2"'],
      ['POST', 'W/"1"'],
    ]);
    expectStatus(200, await client.request('GET', history.link[0].url));
  });

  it('creates once under one identifier, however many ask at once', async () => {
    const patient = patientOf();
    const headers = { 'if-none-exist': `identifier=urn:oid:1.2.3|${patient.identifier[0]!.value}` };
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(patient, headers)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
    expect(new Set(answers.map(({ headers: each }) => each.get('location'))).size).toBe(1);
  });

  it('answers each of many creates at once for itself: what is wrong with one refuses no other', async () => {
    const patient = expectStatus(201, await create(patientOf())).body.id as string;
    const encounter = (place: number) => ({
      resourceType: 'Encounter',
      status: 'finished',
      class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' },
      identifier: [{ system: 'urn:many', value: place % 10 === 3 ? 'same' : `${place}` }],
      subject: { reference: place % 10 === 7 ? 'Patient/nobody' : `Patient/${patient}` },
      type: [{ text: `number ${place}` }],
    });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, place) => create(encounter(place))));
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    for (const [place, { status, body }] of answers.entries()) {
      if (place % 10 === 7)
        expect([status, body.issue[0]]).toMatchObject([400, { expression: ['Encounter.subject.reference'] }]);
      else if (status !== 409)
        expect([status, body.type[0].text, (await read(`Encounter/${body.id}`)).body]).toEqual([
          201,
          `number ${place}`,
          body,
        ]);
      else expect([place % 10, body.issue[0].code]).toEqual([3, 'duplicate']);
    }
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => `Encounter/${body.id}`);
    expect(made).toHaveLength(33);
    const [counted] = await queryDatabase<{ stored: number; recorded: number }>(
      gateway.databaseUrl,
      `select (select count(*)::int from fhir_identifiers where system = 'urn:many') as stored,
         (select count(*)::int from audit_events where interaction = 'create' and resources[1] = any(array[${made.map((each) => `'${each}'`).join()}]) and cardinality(resources) = 1) as recorded`,
    );
    expect(counted).toEqual({ stored: 33, recorded: 33 });
  });

  it('answers as preferred', async () => {
    const minimal = expectStatus(201, await create(patientOf(), { prefer: 'return=minimal' }));
    expect([minimal.bytes.length, minimal.headers.get('etag')]).toEqual([0, 'W/"1"']);
    expect(expectStatus(201, await create(patientOf(), { prefer: 'return=OperationOutcome' })).body).toMatchObject({
      resourceType: 'OperationOutcome',
    });
    expect((await read('metadata?_pretty=true')).bytes.toString()).toContain('\n  "resourceType"');
  });

  it('is the same server at both of its addresses, each with its own links', async () => {
    const { id } = expectStatus(201, await create(patientOf())).body;
    const found = expectStatus(200, await client.request('GET', `/fhir/R4/Patient?_id=${id}`)).body;
    expect(found.entry[0].fullUrl).toBe(`${gateway.baseUrl}/fhir/R4/Patient/${id}`);
    const encounter = {
      resourceType: 'Encounter',
      status: 'finished',
      class: { code: 'AMB' },
      subject: { reference: `${gateway.baseUrl}/fhir/R4/Patient/${id}` },
    };
    expect(expectStatus(201, await create(encounter)).body.subject).toEqual({ reference: `Patient/${id}` });
  });

  it('searches by form as by address', async () => {
    const { id, identifier } = expectStatus(201, await create(patientOf())).body;
    const form = new URLSearchParams({ identifier: `urn:oid:1.2.3|${identifier[0].value}` }).toString();
    const found = expectStatus(
      200,
      await client.request('POST', '/fhir/Patient/_search', {
        bytes: Buffer.from(form),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    );
    expect(found.body).toMatchObject({
      type: 'searchset',
      total: 1,
      entry: [{ resource: { id }, search: { mode: 'match' } }],
    });
  });

  it('takes a photo as bytes, and gives it back as bytes, in parts, or as a resource', async () => {
    const photo = await drawSmallWoundPhoto();
    const { id: patient } = expectStatus(201, await create(patientOf())).body;
    const created = expectStatus(
      201,
      await client.request('POST', '/fhir/Binary', {
        bytes: photo,
        headers: { 'content-type': 'image/jpeg', 'x-security-context': `Patient/${patient}`, prefer: 'return=minimal' },
      }),
    );
    const path = new URL(created.headers.get('location')!).pathname.replace('/_history/1', '');
    const bytes = expectStatus(200, await client.request('GET', path));
    expect(bytes.headers.get('content-type')).toBe('image/jpeg');
    expect(Object.fromEntries(bytes.headers)).toMatchObject({
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'x-security-context': `Patient/${patient}`,
    });
    expectStatus(304, await client.request('GET', path, { headers: { 'if-none-match': bytes.headers.get('etag')! } }));
    const part = expectStatus(206, await client.request('GET', path, { headers: { range: 'bytes=10-19' } }));
    expect(part.bytes).toEqual(bytes.bytes.subarray(10, 20));
    const resource = expectStatus(
      200,
      await client.request('GET', path, { headers: { accept: 'application/fhir+json' } }),
    ).body;
    expect(Buffer.from(resource.data, 'base64')).toEqual(bytes.bytes);
  });

  it('serves what it says that it serves', async () => {
    const statement = expectStatus(200, await client.request('GET', '/fhir/metadata', { key: null })).body;
    const definitions = new R4Definitions();
    expect(new ResourceValidator(definitions, new ProfileLibrary(definitions)).validate(statement)).toEqual({
      level: null,
      issues: [],
    });
    for (const { type, interaction, searchParam = [] } of statement.rest[0].resource as Served[]) {
      expectStatus(interaction.some(({ code }) => code === 'search-type') ? 200 : 405, await read(`${type}?_count=1`));
      // Rows of the audit trail are searched as they stand, without modifiers.
      const modified = type === 'AuditEvent' ? [] : searchParam.filter(canBeMissing);
      for (const name of modified.map((parameter) => parameter.name)) {
        expectStatus(200, await read(`${type}?${name}:missing=false&_count=0`, { prefer: 'handling=strict' }));
      }
    }
    for (const url of statement.rest[0].resource.flatMap(
      // Those of other publishers are theirs to serve.
      ({ supportedProfile = [] }: { supportedProfile?: string[] }) =>
        supportedProfile.filter((profile) => profile.startsWith('https://sutura.dev/')),
    )) {
      expect(expectStatus(200, await read(`StructureDefinition?url=${url}`)).body.total).toBe(1);
    }
  });

  it.each(OTHERS)('keeps every word of a $resourceType that somebody else wrote', async (sent) => {
    const created = expectStatus(201, await create(sent)).body;
    for (const shown of [created, expectStatus(200, await read(`${sent.resourceType}/${created.id}`)).body]) {
      const { id: _id, meta: _meta, ...answered } = shown;
      expect(answered).toEqual(sent);
    }
  });

  it('validates without keeping anything', async () => {
    const before = expectStatus(200, await read('Patient?_summary=count')).body.total;
    const outcome = expectStatus(
      200,
      await client.request('POST', '/fhir/Patient/$validate', { json: { resourceType: 'Patient', gender: 'f' } }),
    ).body;
    expect(outcome.issue[0]).toMatchObject({ severity: 'error', code: 'code-invalid', expression: ['Patient.gender'] });
    expect(expectStatus(200, await read('Patient?_summary=count')).body.total).toBe(before);
  });
});

interface Served {
  readonly type: string;
  readonly interaction: readonly { readonly code: string }[];
  readonly searchParam?: readonly ServedParameter[];
}

interface ServedParameter {
  readonly name: string;
  readonly type: string;
  readonly definition?: string;
}

/** Those of definitions, which are searched by a few names only, carry no definition of their own; composites are never missing, nor is what the server says. */
function canBeMissing({ name, type, definition }: ServedParameter): boolean {
  return definition !== undefined && type !== 'composite' && !['_id', '_lastUpdated'].includes(name);
}
