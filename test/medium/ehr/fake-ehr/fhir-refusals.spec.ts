import {
  startFakeEhr,
  type Dialect,
  type FakeEhr,
  type Fields,
  type Resource,
} from '../../../support/fake-ehr/index.js';
import { areaFor, callEhr, inBase64, isikDocumentFor, noteFor, type EhrAnswer, type Ward } from './ehr-caller.js';

const ALL = ['Patient', 'Encounter', 'DocumentReference', 'Observation', 'DiagnosticReport', 'Media', 'Binary'];
/** Scopes in the order of their letters, for everything. */
const SCOPES = ALL.map((type) => `system/${type}.cruds`);

let ehr: FakeEhr;
let ward: Ward;
let token: string;

async function open(dialect: Dialect): Promise<void> {
  ehr = await startFakeEhr({ dialect });
  const patientId = ehr.control.addPatient({ identifiers: [{ system: 'urn:example:mrn', value: '4711' }] });
  const encounterId = ehr.control.addEncounter({
    patientId,
    identifiers: [{ system: 'urn:example:visit', value: 'V1' }],
  });
  const practitionerId = ehr.control.addPractitioner({ identifiers: [] });
  ward = { patientId, encounterId, practitionerId };
  token = ehr.control.issueToken(SCOPES);
}

const post = (resource: Resource, headers: Readonly<Record<string, string | undefined>> = {}): Promise<EhrAnswer> =>
  callEhr('POST', `${ehr.fhirBaseUrl}/${resource.resourceType}`, { token, json: resource, headers });
const get = (path: string, headers: Readonly<Record<string, string | undefined>> = {}): Promise<EhrAnswer> =>
  callEhr('GET', `${ehr.fhirBaseUrl}/${path}`, { token, headers });

afterEach(() => ehr.stop());

describe('a call of any EHR', () => {
  beforeEach(() => open('transaction'));

  it.each<readonly [string, number, string, Readonly<Record<string, string | undefined>>]>([
    ['without a token', 401, 'login', { authorization: undefined }],
    ['with a token that nobody gave out', 401, 'login', { authorization: 'Bearer guessed' }],
    ['with Basic instead of a token', 401, 'login', { authorization: 'Basic c3V0dXJhOnNlY3JldA==' }],
    ['that accepts anything', 406, 'not-supported', { accept: '*/*' }],
    ['that accepts plain JSON', 406, 'not-supported', { accept: 'application/json' }],
    ['in plain JSON', 415, 'not-supported', { 'content-type': 'application/json' }],
    ['in another charset', 415, 'not-supported', { 'content-type': 'application/fhir+json; charset=latin1' }],
  ])('%s is refused with %i', async (_case, status, code, headers) => {
    const answer = await post(noteFor(ward), headers);
    expect([answer.status, answer.codes]).toEqual([status, [code]]);
    expect(ehr.control.resources('DocumentReference')).toEqual([]);
  });

  it('with a token that has ended is refused, and told so', async () => {
    token = ehr.control.issueToken(SCOPES, { lifeS: -1 });
    const answer = await post(noteFor(ward));
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
  });

  it.each<readonly [string, readonly string[], number]>([
    ['reads only', ['system/DocumentReference.rs'], 403],
    ['is for another type', ['system/Observation.c'], 403],
    ['has its letters in disorder', ['system/DocumentReference.rc'], 403],
    ['is bound to another category', ['system/DocumentReference.c?category=imaging'], 403],
    ['is for another patient', ['patient/DocumentReference.c'], 403],
    ['creates', ['system/DocumentReference.c'], 201],
    ['is bound to the category of the note', ['system/DocumentReference.c?category=clinical-note'], 201],
    ['writes, in the words of SMART 1', ['system/DocumentReference.write'], 201],
  ])('by a token whose scope %s is answered as its scope says', async (_case, scopes, status) => {
    token = ehr.control.issueToken(scopes, { patientId: 'another' });
    expect((await post(noteFor(ward))).status).toBe(status);
  });

  it.each<readonly [string, Fields, number]>([
    ['an element that R4 does not have', { colour: 'red' }, 400],
    ['a status that is no code', { status: 'final' }, 400],
    ['no content', { content: undefined }, 400],
    ['an empty list', { author: [] }, 400],
    ['a date without a time zone', { date: '2026-03-01T10:00:00' }, 400],
    ['bytes that are no base64', { content: [{ attachment: { contentType: 'text/plain', data: 'ü' } }] }, 400],
    [
      'another size than its bytes',
      { content: [{ attachment: { contentType: 'text/plain', data: inBase64('x'), size: 7 } }] },
      400,
    ],
    ['no subject', { subject: undefined }, 422],
    ['a subject by its number alone', { subject: { identifier: { value: '4711' } } }, 422],
    ['a patient of elsewhere', { subject: { reference: 'Patient/unknown' } }, 422],
    ['an author who is not here', { author: [{ reference: 'Practitioner/unknown' }] }, 422],
    ['an address of another server', { author: [{ reference: 'https://other.invalid/Practitioner/1' }] }, 422],
    ['a contained resource that is not', { author: [{ reference: '#author' }] }, 422],
    ['a document to replace that is not here', { relatesTo: [replaces('doc-0')] }, 422],
  ])('with %s is refused', async (_case, changes, status) => {
    expect((await post(noteFor(ward, changes))).status).toBe(status);
  });

  it('in the visit of another patient is refused', async () => {
    const other = ehr.control.addPatient({ identifiers: [] });
    const visit = ehr.control.addEncounter({ patientId: other });
    const answer = await post(noteFor(ward, { context: { encounter: [{ reference: `Encounter/${visit}` }] } }));
    expect([answer.status, answer.codes]).toEqual([422, ['business-rule']]);
  });

  it.each([
    ['a type that is not served', 'CarePlan?patient=1', 404],
    ['a parameter that is not served', 'DocumentReference?patient=1&description=x', 400],
    ['a modifier', 'Patient?identifier:exact=4711', 400],
    ['no criterion', 'Patient', 400],
    ['a page that is no number', 'Patient?identifier=4711&_count=all', 400],
    ['a day that is none', 'Encounter?patient=1&date=soon', 400],
  ])('that searches by %s is refused', async (_case, path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  it('finds a person by number, in pages', async () => {
    const twin = ehr.control.addPatient({ identifiers: [{ system: 'urn:example:mrn', value: '4711' }] });
    ehr.control.pageSize = 1;
    const first = await get('Patient?identifier=urn:example:mrn|4711');
    const [, next] = first.body['link'] as readonly { url: string }[];
    const second = await callEhr('GET', next!.url, { token });
    expect([first, second].map(({ body }) => idsOf(body))).toEqual([[ward.patientId], [twin]]);
    expect(idsOf((await get('Patient?identifier=urn:example:other|4711')).body)).toEqual([]);
  });

  it('shows a token for one patient nobody else', async () => {
    const other = ehr.control.addPatient({ identifiers: [{ system: 'urn:example:mrn', value: '4712' }] });
    token = ehr.control.issueToken(['patient/Patient.rs'], { patientId: ward.patientId });
    expect((await get(`Patient/${ward.patientId}`)).status).toBe(200);
    expect((await get(`Patient/${other}`)).status).toBe(404);
    expect(idsOf((await get('Patient?identifier=4712')).body)).toEqual([]);
  });

  it('creates once where If-None-Exist says so, and not where two fit', async () => {
    const ifNoneExist = { 'if-none-exist': 'identifier=urn:example:report|report-1' };
    const [first, second] = [await post(noteFor(ward), ifNoneExist), await post(noteFor(ward), ifNoneExist)];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    await post(noteFor(ward));
    expect((await post(noteFor(ward), ifNoneExist)).status).toBe(412);
  });

  it('updates only the version that it names', async () => {
    const created = await post(noteFor(ward), { prefer: 'return=representation' });
    const { id } = created.body;
    const url = `${ehr.fhirBaseUrl}/DocumentReference/${String(id)}`;
    const changed = { ...noteFor(ward, { description: 'corrected' }), id };
    const put = (ifMatch: string) => callEhr('PUT', url, { token, json: changed, headers: { 'if-match': ifMatch } });
    expect((await put('W/"7"')).status).toBe(412);
    expect((await put('"1"')).status).toBe(412);
    const updated = await put(created.headers.get('etag')!);
    expect([updated.status, updated.headers.get('etag')]).toEqual([200, 'W/"2"']);
    expect((await callEhr('PUT', `${url}0`, { token, json: changed })).status).toBe(400);
  });
});

describe('a transaction', () => {
  beforeEach(() => open('transaction'));

  const entry = (resource: Resource, fullUrl: string, request: Fields = {}) => ({
    fullUrl,
    resource,
    request: { method: 'POST', url: resource.resourceType, ...request },
  });
  const transact = (entries: readonly unknown[], type = 'transaction') =>
    callEhr('POST', ehr.fhirBaseUrl, { token, json: { resourceType: 'Bundle', type, entry: entries } });
  const [first, second] = [1, 2].map((n) => `urn:uuid:00000000-0000-4000-8000-00000000000${n}`) as [string, string];

  it('is no batch, and has no entry twice', async () => {
    expect((await transact([entry(noteFor(ward), first)], 'batch')).status).toBe(400);
    expect((await transact([entry(noteFor(ward), first), entry(noteFor(ward), first)])).status).toBe(400);
    expect((await transact([entry(noteFor(ward), 'report-1')])).status).toBe(400);
  });

  it('leaves nothing where one entry is refused', async () => {
    const answer = await transact([entry(noteFor(ward), first), entry(areaFor(ward, { status: 'done' }), second)]);
    expect(answer.status).toBe(400);
    expect(ehr.control.resources('DocumentReference')).toEqual([]);
  });

  it('links its entries, in whatever order they stand', async () => {
    const panel = areaFor(ward, { hasMember: [{ reference: second }] });
    const answer = await transact([entry(panel, first), entry(areaFor(ward), second)]);
    expect(answer.status).toBe(200);
    const [responded, member] = (answer.body['entry'] as readonly { response: { location: string } }[]).map(
      ({ response }) => response.location.split('/').slice(0, 2).join('/'),
    );
    const kept = ehr.control.history(responded!)[0]!;
    expect(kept['hasMember']).toEqual([{ reference: member }]);
  });
});

describe('an EHR like Epic', () => {
  beforeEach(() => open('epic'));

  it.each<readonly [string, () => Resource, number, readonly string[]]>([
    ['a report', () => ({ resourceType: 'DiagnosticReport', status: 'final' }), 405, ['not-supported']],
    ['a photo', () => ({ resourceType: 'Media', status: 'completed' }), 404, ['not-supported']],
    ['a PDF', () => noteFor(ward, { content: contentOf('application/pdf') }), 422, ['business-rule']],
    [
      'two texts',
      () => noteFor(ward, { content: [...contentOf('text/plain'), ...contentOf('text/plain')] }),
      422,
      ['business-rule'],
    ],
    ['a note outside a visit', () => noteFor(ward, { context: undefined }), 422, ['required']],
    ['a value that no row is mapped to', () => areaFor(ward), 422, ['business-rule', '59187']],
  ])('does not take %s', async (_case, resource, status, codes) => {
    const answer = await post(resource());
    expect([answer.status, answer.codes]).toEqual([status, codes]);
  });

  it('has no conditional create, no transaction, and no search by number', async () => {
    expect((await post(noteFor(ward), { 'if-none-exist': 'identifier=report-1' })).status).toBe(400);
    expect((await callEhr('POST', ehr.fhirBaseUrl, { token, json: { resourceType: 'Bundle' } })).status).toBe(405);
    expect((await get('DocumentReference?identifier=report-1')).status).toBe(400);
    expect((await get('DocumentReference?type=11506-3')).status).toBe(400);
  });

  it('takes a value once, in the unit of its row', async () => {
    ehr.control.mapRow({ system: 'http://loinc.org', code: '89260-4', unit: 'cm2' });
    expect((await post(areaFor(ward, { valueQuantity: { value: 1200, code: 'mm2' } }))).codes).toContain('59188');
    expect((await post(areaFor(ward))).status).toBe(201);
    expect((await post(areaFor(ward))).codes).toContain('59141');
  });

  it('keeps neither the number nor a version of a note, and hands its text out as a Binary', async () => {
    const created = await post(noteFor(ward));
    expect([created.status, created.headers.get('etag')]).toEqual([201, null]);
    const found = await get(`DocumentReference?patient=${ward.patientId}&encounter=${ward.encounterId}`);
    const [note] = (found.body['entry'] as readonly { resource: Resource }[]).map(({ resource }) => resource);
    expect(note).not.toHaveProperty('identifier');
    expect(note!['meta']).not.toHaveProperty('versionId');
    const { url } = (note!['content'] as readonly { attachment: { url: string } }[])[0]!.attachment;
    const text = await callEhr('GET', url, { token, headers: { accept: 'text/plain' } });
    expect(text.body).toEqual({ text: 'Area 12 cm²' });
  });
});

describe('an EHR like Oracle', () => {
  beforeEach(() => open('oracle'));

  it.each<readonly [string, () => Resource, readonly string[]]>([
    ['without an author', () => noteFor(ward, { author: undefined }), ['required']],
    ['of a device', () => noteFor(ward, { author: [{ reference: `Patient/${ward.patientId}` }] }), ['business-rule']],
    ['as a picture', () => noteFor(ward, { content: contentOf('image/jpeg') }), ['business-rule']],
    [
      'with two contents',
      () => noteFor(ward, { content: [...contentOf('text/plain'), ...contentOf('application/pdf')] }),
      ['business-rule'],
    ],
    ['without a visit', () => noteFor(ward, { context: { period: PERIOD } }), ['required']],
    [
      'with a day for a time',
      () => noteFor(ward, { context: contextOf({ start: '2026-03-01', end: '2026-03-01' }) }),
      ['business-rule'],
    ],
  ])('does not take a document %s', async (_case, resource, codes) => {
    const answer = await post(resource());
    expect([answer.status, answer.codes]).toEqual([422, codes]);
  });

  it('takes a PDF, and drops that it is preliminary', async () => {
    const sent = noteFor(ward, { docStatus: 'preliminary', content: contentOf('application/pdf') });
    expect((await post(sent)).status).toBe(201);
    expect(ehr.control.resources('DocumentReference')[0]).not.toHaveProperty('docStatus');
    expect(ehr.control.resources('DocumentReference')[0]).not.toHaveProperty('identifier');
  });

  it('changes a document only by the version that it has', async () => {
    const { headers } = await post(noteFor(ward));
    const id = headers.get('location')!.split('/').at(-3)!;
    const withdrawn = { ...noteFor(ward, { status: 'entered-in-error' }), id };
    const url = `${ehr.fhirBaseUrl}/DocumentReference/${id}`;
    expect((await callEhr('PUT', url, { token, json: withdrawn })).status).toBe(400);
    const ifMatch = { 'if-match': headers.get('etag')! };
    expect((await callEhr('PUT', url, { token, json: withdrawn, headers: ifMatch })).status).toBe(200);
  });

  const PERIOD = { start: '2026-03-01T10:00:00Z', end: '2026-03-01T10:00:00Z' };
  const contextOf = (period: Fields) => ({ encounter: [{ reference: `Encounter/${ward.encounterId}` }], period });
});

describe('an EHR with notes of US Core', () => {
  beforeEach(() => open('us-core-note'));

  it.each<readonly [string, Fields, string]>([
    ['of no category', { category: undefined }, 'required'],
    ['of a type that is no LOINC code', { type: { coding: [{ system: 'urn:example', code: 'x' }] } }, 'required'],
    ['without an author', { author: undefined }, 'required'],
    ['without a date', { date: undefined }, 'required'],
    ['in HTML', { content: contentOf('text/html') }, 'business-rule'],
    ['that was entered in error before it was there', { status: 'entered-in-error' }, 'business-rule'],
  ])('does not take a note %s', async (_case, changes, code) => {
    const answer = await post(noteFor(ward, changes));
    expect([answer.status, answer.codes]).toEqual([422, [code]]);
  });

  it('takes a correction as a new note, once, and an error as a change', async () => {
    const { headers } = await post(noteFor(ward));
    const id = headers.get('location')!.split('/').at(-3)!;
    const url = `${ehr.fhirBaseUrl}/DocumentReference/${id}`;
    const put = (changes: Fields, ifMatch: string) =>
      callEhr('PUT', url, { token, json: { ...noteFor(ward, changes), id }, headers: { 'if-match': ifMatch } });
    expect((await put({ description: 'corrected' }, 'W/"1"')).status).toBe(422);
    const corrected = noteFor(ward, { relatesTo: [replaces(id)], identifier: [{ value: 'report-1-2' }] });
    expect((await post(corrected)).status).toBe(201);
    expect(ehr.control.history(`DocumentReference/${id}`).at(-1)).toMatchObject({ status: 'superseded' });
    expect((await post(corrected)).status).toBe(422);
    expect((await put({ status: 'entered-in-error' }, 'W/"2"')).status).toBe(200);
  });
});

describe('a KIS with ISiK documents', () => {
  beforeEach(() => open('isik'));

  it.each<readonly [string, (ward: Ward) => Fields]>([
    ['with contained resources', () => ({ contained: [{ resourceType: 'Practitioner', id: 'a' }] })],
    ['with an author by number alone', () => ({ author: [{ identifier: { value: '1' } }] })],
    ['without a KDL type', () => ({ type: { coding: [{ system: 'http://loinc.org', code: '11506-3' }] } })],
    [
      'with a number that is no OID',
      () => ({ masterIdentifier: { system: 'urn:ietf:rfc:3986', value: 'urn:uuid:1' } }),
    ],
    ['without a number', () => ({ masterIdentifier: undefined })],
    ['without a security label', () => ({ securityLabel: undefined })],
    ['without a format', () => ({ content: contentOf('text/plain') })],
    [
      'without facility and practice',
      ({ encounterId }) => ({ context: { encounter: [{ reference: `Encounter/${encounterId}` }] } }),
    ],
    ['that was entered in error before it was there', () => ({ status: 'entered-in-error' })],
  ])('does not take a document %s', async (_case, changes) => {
    expect((await post(isikDocumentFor(ward, changes(ward)))).status).toBe(422);
  });

  it('takes a document once, and its correction as a new one', async () => {
    const { status, headers } = await post(isikDocumentFor(ward));
    expect(status).toBe(201);
    expect((await post(isikDocumentFor(ward))).codes).toEqual(['duplicate']);
    const id = headers.get('location')!.split('/').at(-3)!;
    const masterIdentifier = { system: 'urn:ietf:rfc:3986', value: 'urn:oid:2.25.4712' };
    expect((await post(isikDocumentFor(ward, { masterIdentifier, relatesTo: [replaces(id)] }))).status).toBe(201);
    const put = await callEhr('PUT', `${ehr.fhirBaseUrl}/DocumentReference/${id}`, {
      token,
      json: isikDocumentFor(ward),
    });
    expect(put.status).toBe(405);
  });
});

describe('the CapabilityStatement', () => {
  it.each<readonly [Dialect, readonly string[], boolean]>([
    ['transaction', ['DocumentReference', 'Observation', 'DiagnosticReport', 'Media', 'Binary'], true],
    ['us-core-note', ['DocumentReference', 'Observation'], false],
    ['epic', ['DocumentReference', 'Observation'], false],
    ['oracle', ['DocumentReference', 'Observation', 'DiagnosticReport'], false],
    ['isik', ['DocumentReference'], false],
  ])('of %s is read without a token, and says what is created', async (dialect, created, hasTransactions) => {
    await open(dialect);
    const { body } = await callEhr('GET', `${ehr.fhirBaseUrl}/metadata`);
    const [rest] = body['rest'] as readonly {
      interaction?: unknown;
      resource: readonly { type: string; interaction: readonly { code: string }[] }[];
    }[];
    const creatable = rest!.resource.filter(({ interaction }) => interaction.some(({ code }) => code === 'create'));
    expect(creatable.map(({ type }) => type)).toEqual(expect.arrayContaining([...created]));
    if (dialect !== 'transaction') expect(creatable).toHaveLength(created.length);
    expect(rest!.interaction !== undefined).toBe(hasTransactions);
  });

  it('follows what the EHR takes back', async () => {
    await open('oracle');
    ehr.control.withdraw('DiagnosticReport', 'create');
    const { body } = await callEhr('GET', `${ehr.fhirBaseUrl}/metadata`);
    expect(JSON.stringify(body)).toContain(
      '{"type":"DiagnosticReport","interaction":[{"code":"read"},{"code":"search-type"}]',
    );
    expect((await post({ resourceType: 'DiagnosticReport', status: 'final' })).status).toBe(405);
  });
});

function replaces(id: string): Fields {
  return { code: 'replaces', target: { reference: `DocumentReference/${id}` } };
}

function contentOf(contentType: string): readonly Fields[] {
  return [{ attachment: { contentType, data: inBase64('x') } }];
}

function idsOf(bundle: Fields): readonly unknown[] {
  return ((bundle['entry'] ?? []) as readonly { resource: Fields }[]).map(({ resource }) => resource['id']);
}
