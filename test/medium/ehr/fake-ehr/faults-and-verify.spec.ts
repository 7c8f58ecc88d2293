import {
  answerWith,
  epicRefusal,
  noteText,
  startFakeEhr,
  type Dialect,
  type FakeEhr,
  type Fault,
  type Fields,
  type Resource,
} from '../../../support/fake-ehr/index.js';
import { eventually } from '../../../support/eventually.js';
import { areaFor, callEhr, inBase64, noteFor, type Ward } from './ehr-caller.js';

let ehr: FakeEhr;
let ward: Ward;

async function open(dialect: Dialect): Promise<void> {
  ehr = await startFakeEhr({ dialect });
  ehr.control.open();
  ward = addWard();
}

function addWard(): Ward {
  const patientId = ehr.control.addPatient({ identifiers: [] });
  const encounterId = ehr.control.addEncounter({ patientId });
  return { patientId, encounterId, practitionerId: ehr.control.addPractitioner({ identifiers: [] }) };
}

const post = (resource: Resource, signal?: AbortSignal) =>
  fetch(`${ehr.fhirBaseUrl}/${resource.resourceType}`, {
    method: 'POST',
    headers: { accept: 'application/fhir+json', 'content-type': 'application/fhir+json' },
    body: JSON.stringify(resource),
    ...(signal === undefined ? {} : { signal }),
  });
const filed = (): number => ehr.control.resources('DocumentReference').length;

/** Files a version of a report; its id in the EHR. */
async function file(mark: string, changes: Fields = {}, of: Ward = ward): Promise<string> {
  const content = [{ attachment: { contentType: 'text/plain', data: inBase64(`Report ${mark}`) } }];
  const answer = await post(noteFor(of, { identifier: [{ system: 'urn:report', value: mark }], content, ...changes }));
  expect(answer.status).toBe(201);
  return answer.headers.get('location')!.split('/DocumentReference/')[1]!.split('/')[0]!;
}

const replaces = (id: string) => ({
  relatesTo: [{ code: 'replaces', target: { reference: `DocumentReference/${id}` } }],
});

afterEach(() => ehr.stop());

describe('a planned fault', () => {
  beforeEach(() => open('transaction'));

  it.each<readonly [string, Fault, number]>([
    ['drops the connection before the work', { kind: 'drop-before' }, 0],
    ['drops it after the work', { kind: 'drop-after' }, 1],
  ])('%s', async (_case, fault, count) => {
    ehr.control.plan(fault);
    await expect(post(noteFor(ward))).rejects.toThrow('fetch failed');
    expect(filed()).toBe(count);
    expect((await post(noteFor(ward))).status).toBe(201);
  });

  it('answers never, before the work', async () => {
    ehr.control.plan({ kind: 'hang-before' });
    await expect(post(noteFor(ward), AbortSignal.timeout(300))).rejects.toThrow('timeout');
    expect(filed()).toBe(0);
  });

  it('answers never, after the work', async () => {
    ehr.control.plan({ kind: 'hang-after' });
    const patience = new AbortController();
    const answer = post(noteFor(ward), patience.signal).then(
      () => 'answered',
      () => 'gave up',
    );
    await eventually('it is taken', () => filed() === 1);
    patience.abort();
    expect(await answer).toBe('gave up');
  });

  it('answers slower than a caller waits, and by more than a caller reads', async () => {
    ehr.control.plan({ kind: 'slow', bytesEachSecond: 10 });
    const slow = fetch(`${ehr.fhirBaseUrl}/metadata`, {
      headers: { accept: 'application/fhir+json' },
      signal: AbortSignal.timeout(300),
    });
    await expect(slow.then((answer) => answer.text())).rejects.toThrow('timeout');
    ehr.control.plan({ kind: 'huge', bytes: 1_000_000 });
    const huge = await fetch(`${ehr.fhirBaseUrl}/metadata`, { headers: { accept: 'application/fhir+json' } });
    expect((await huge.text()).length).toBeGreaterThan(1_000_000);
  });

  it('answers instead, for as many calls and from the one that was said', async () => {
    ehr.control.plan(answerWith(429, 2), { method: 'POST', path: '/fhir/DocumentReference', times: 2, after: 1 });
    const answers = [];
    for (let call = 0; call < 4; call += 1) answers.push(await post(noteFor(ward)));
    expect(answers.map(({ status }) => status)).toEqual([201, 429, 429, 201]);
    expect(answers[1]!.headers.get('retry-after')).toBe('2');
    expect(filed()).toBe(2);
  });

  it('answers with a number of the EHR, with 202, and with a page of a proxy', async () => {
    ehr.control.plan(epicRefusal(59177));
    ehr.control.plan({ kind: 'accepted' });
    ehr.control.plan({ kind: 'garbage' });
    expect(await (await post(areaFor(ward))).text()).toContain('"code":"59177"');
    expect((await post(noteFor(ward))).status).toBe(202);
    expect(await (await post(noteFor(ward))).text()).toBe('<html>proxy</html>');
    expect(filed()).toBe(2);
  });

  it('ends tokens in the middle of a row of calls', async () => {
    const strict = await startFakeEhr();
    const token = strict.control.issueToken(['system/Patient.rs']);
    strict.control.plan({ kind: 'before', act: () => strict.control.endTokens() }, { after: 1 });
    const url = `${strict.fhirBaseUrl}/Patient?identifier=1`;
    const answers = [await callEhr('GET', url, { token }), await callEhr('GET', url, { token })];
    await strict.stop();
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  });

  it('is forgotten when the EHR is mended', async () => {
    ehr.control.plan(answerWith(503), { times: 100 });
    expect((await post(noteFor(ward))).status).toBe(503);
    ehr.control.mend();
    expect((await post(noteFor(ward))).status).toBe(201);
  });
});

describe('verify', () => {
  beforeEach(() => open('us-core-note'));

  it('finds what was filed twice, by its number and by what it says', async () => {
    await file('report-1');
    await file('report-1', { date: '2026-03-01T11:00:00Z' });
    await file('report-2', {
      content: [{ attachment: { contentType: 'text/plain', data: inBase64('Report report-1') } }],
    });
    const found = ehr.verify();
    expect(found.filter((one) => one.startsWith('Filed 2 times: DocumentReference with the number'))).toHaveLength(1);
    expect(found.filter((one) => one.startsWith('Filed 3 times: DocumentReference of Patient/'))).toHaveLength(1);
  });

  it('finds a version that is missing, twice there, or in a foreign chart', async () => {
    const other = addWard();
    await file('in-foreign-chart', {}, other);
    const expected = [{ patientId: ward.patientId, versions: ['missing', 'in-foreign-chart'] }];
    const found = ehr.verify(expected).join('\n');
    expect(found).toContain('There are 0 DocumentReference of version 1 (missing)');
    expect(found).toContain(
      `version 2 (in-foreign-chart) of a report of Patient/${ward.patientId}, is in the chart of Patient/${other.patientId}`,
    );
  });

  it('finds a correction that replaces nothing, and one that came before what it corrects', async () => {
    await file('v2');
    await file('v1');
    expect(ehr.verify([{ patientId: ward.patientId, versions: ['v1', 'v2'] }])[0]).toContain(
      'filed before the version that it corrects',
    );
    expect(ehr.verify([{ patientId: ward.patientId, versions: ['v2', 'v1'] }])[0]).toContain(
      'does not replace DocumentReference/',
    );
  });

  it('finds two corrections of one document', async () => {
    ehr.control.become('transaction');
    const first = await file('v1');
    await file('v2', replaces(first));
    await file('v3', replaces(first));
    expect(ehr.verify()).toEqual([
      expect.stringMatching(/^DocumentReference\/\S+ is replaced by DocumentReference\/\S+ and /),
    ]);
  });

  it('finds what came in another order than its times, in one chart', async () => {
    await file('late', { date: '2026-03-02T10:00:00Z' });
    await file('of another', {}, addWard());
    expect(ehr.verify()).toEqual([]);
    await file('early', { date: '2026-03-01T10:00:00Z' });
    expect(ehr.verify()).toEqual([expect.stringContaining('is older than')]);
  });

  it('finds what stands in a foreign visit after persons were joined, and is not misled by a visit that is gone', async () => {
    const other = addWard();
    await file('v1');
    await file('v2', {}, other);
    ehr.control.remove(`Encounter/${ward.encounterId}`);
    expect(ehr.verify()).toEqual([]);
    ehr.control.remove(`Encounter/${other.encounterId}`);
    ehr.control.addResource({
      resourceType: 'Encounter',
      id: other.encounterId,
      subject: { reference: `Patient/${ward.patientId}` },
    });
    expect(ehr.verify().join('\n')).toContain(
      `stands in Encounter/${other.encounterId}, which is no visit of its patient`,
    );
  });

  it('finds a report that nobody expected', async () => {
    await file('v1');
    await file('v9');
    expect(ehr.verify([{ patientId: ward.patientId, versions: ['v1'] }])).toEqual([
      expect.stringContaining('is no version of a report that is expected there'),
    ]);
  });

  it('finds what came back after it was entered in error', async () => {
    ehr.control.become('transaction');
    const id = await file('v1');
    const put = (status: string) =>
      callEhr('PUT', `${ehr.fhirBaseUrl}/DocumentReference/${id}`, { json: { ...noteFor(ward, { status }), id } });
    expect((await put('entered-in-error')).status).toBe(200);
    expect(ehr.verify()).toEqual([]);
    expect((await put('current')).status).toBe(200);
    expect(ehr.verify()).toEqual([`DocumentReference/${id} was entered in error and came back.`]);
  });

  it('has nothing to say of a report, its correction and that of another person', async () => {
    const other = addWard();
    const first = await file('v1');
    await file('other', {}, other);
    await file('v2', { ...replaces(first), date: '2026-03-01T12:00:00Z' });
    const expected = [
      { patientId: ward.patientId, versions: ['v1', 'v2'] },
      { patientId: other.patientId, versions: ['other'] },
    ];
    expect(ehr.verify(expected)).toEqual([]);
  });

  it('knows versions by what they say where the EHR keeps no number, and an update as a correction', async () => {
    ehr.control.become('epic');
    await file('v1');
    await file('v2, corrects v1');
    const says = (words: string) => (sent: Resource) => noteText(sent) === `Report ${words}`;
    const versions = [says('v1'), says('v2, corrects v1')];
    expect(ehr.verify([{ patientId: ward.patientId, versions }])).toHaveLength(1);
    expect(ehr.verify([{ patientId: ward.patientId, versions, corrects: 'in-words' }])).toEqual([]);
  });
});
