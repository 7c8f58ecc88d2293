import { readAuditSearch } from './audit-event-question.js';

const BASE = 'https://wounds.example/fhir';
const KEY = '0199c0de-1a00-7b11-8c22-3d4e5f6a7b8c';
const PATIENT = '0199d0a1-4a00-7b10-8a01-000000001001';
const read = (query: string) => readAuditSearch(new URLSearchParams(query), BASE);
const criteria = (query: string) => read(query).question.criteria;

describe('a search of the audit trail', () => {
  it.each([
    ['a parameter that is not served', 'altid=4711'],
    ['a modifier that is not served', 'outcome:not=0'],
    ['an include', '_include=AuditEvent:patient'],
    ['a reverse include', '_revinclude=Provenance:target'],
    ['a count of matches', '_summary=count'],
    ['another order', '_sort=agent'],
    ['no number of rows', '_count=many'],
    ['two numbers of rows', '_count=1&_count=2'],
    ['a date that is in no calendar', 'date=2026-02-30'],
    ['an offset that there is not', 'date=ge2026-03-01T10:00:00%2B19:00'],
    ['an approximate date', 'date=ap2026-03-01'],
    ['an empty value', 'patient='],
    ['a patient who is none', 'patient=Group/1'],
    ['a number of nobody', 'patient.identifier=urn:oid:2.999.1|'],
    ['a character that no text has', 'agent=a%00b'],
    ['a value without end', `entity=${'a'.repeat(300)}`],
    ['10,000 alternatives', `entity=${Array.from({ length: 10_000 }, (_, at) => `Task/${at}`).join(',')}`],
    ['60 parameters', Array.from({ length: 60 }, () => 'outcome=0').join('&')],
    ['a place of another search', `outcome=4&_cursor=${cursorOf('outcome=0')}`],
    ['a place that is none', '_cursor=W10'],
    ['a place on a day that is in no calendar', `_cursor=${forged('2026-02-31T00:00:00.000000Z')}`],
  ])('with %s is refused', (_, query) => {
    expect(() => read(query)).toThrow(expect.objectContaining({ code: 'fhir.search' }));
  });

  it('never repeats what was asked for', () => {
    expect(() => read('date=Beispiel')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('Beispiel') }),
    );
  });

  it.each([
    ['2026-03', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
    ['ge2026-03-01', '2026-03-01T00:00:00.000Z', null],
    ['gt2026-03-01', '2026-03-02T00:00:00.000Z', null],
    ['le2026-03-01', null, '2026-03-02T00:00:00.000Z'],
    ['lt2026-03-01', null, '2026-03-01T00:00:00.000Z'],
    ['ge2026-03-01T10:00:00%2B01:00', '2026-03-01T09:00:00.000Z', null],
    ['lt2026-03-01T10:00:00-05:30', null, '2026-03-01T15:30:00.000Z'],
  ])('with date=%s asks for the rows of that time', (date, low, high) => {
    const dateOf = (text: string | null) => (text === null ? null : new Date(text));
    expect(criteria(`date=${date}`)).toEqual([
      { kind: 'recorded', intervals: [{ low: dateOf(low), high: dateOf(high) }] },
    ]);
  });

  it('takes two dates for a span, and a list of them for alternatives', () => {
    expect(criteria('date=ge2026-03-01&date=lt2026-04-01')).toHaveLength(2);
    expect(criteria('date=2026-03-01,2026-04-01')).toMatchObject([{ intervals: { length: 2 } }]);
    expect(criteria('date=ne2026-03')).toMatchObject([{ intervals: [{ low: null }, { high: null }] }]);
  });

  it('knows a patient by the id, by a reference, and by this server’s own address of it', () => {
    for (const value of [PATIENT, `Patient/${PATIENT}`, `${BASE}/Patient/${PATIENT}`, PATIENT.toUpperCase()])
      expect(read(`patient=${value}`)).toMatchObject({
        question: { criteria: [{ kind: 'patient', ids: [PATIENT] }] },
        patients: [PATIENT],
      });
    expect(criteria('patient.identifier=urn:oid:2.999.1|4711,4712')).toEqual([
      { kind: 'patient-number', numbers: [{ system: 'urn:oid:2.999.1', value: '4711' }, { value: '4712' }] },
    ]);
  });

  it('knows an agent as key or as person, and as the one of both that the system says', () => {
    expect(criteria(`agent=${KEY}`)).toEqual([{ kind: 'agent', keyIds: [KEY], persons: [KEY] }]);
    expect(criteria('agent:identifier=|HCP-0042')).toEqual([{ kind: 'agent', keyIds: [], persons: ['HCP-0042'] }]);
    expect(criteria(`agent:identifier=https://sutura.dev/fhir/sid/api-key|${KEY}`)).toEqual([
      { kind: 'agent', keyIds: [KEY], persons: [] },
    ]);
    expect(criteria('agent:identifier=https://ehr.example.org/Practitioner/42')).toMatchObject([
      { persons: ['https://ehr.example.org/Practitioner/42'] },
    ]);
  });

  it('finds searches by the action that their AuditEvents have, and by no other', () => {
    expect(criteria('action=E')).toEqual([{ kind: 'action', actions: ['E'], searches: true }]);
    expect(criteria('action=http://hl7.org/fhir/audit-event-action|R,C')).toEqual([
      { kind: 'action', actions: ['R', 'C'], searches: false },
    ]);
  });

  it('finds nothing by a code of another system', () => {
    expect(criteria('outcome=http://elsewhere.example|0')).toEqual([{ kind: 'refused', refused: [] }]);
    expect(criteria('type=object')).toEqual([{ kind: 'row', ids: [] }]);
    expect(criteria('_id=42')).toEqual([{ kind: 'row', ids: [] }]);
  });

  it('asks for nothing by what is true of every row', () => expect(criteria('type=rest')).toEqual([]));

  it('is newest first, in pages of 20, and of 200 at the most', () => {
    expect(read('').question).toEqual({ criteria: [], newestFirst: true, limit: 20, after: null });
    expect(read('_sort=date&_count=9000').question).toMatchObject({ newestFirst: false, limit: 200 });
  });

  it('goes on where its page ended, whatever the size of the next', () => {
    const end = { id: '42', at: '2026-03-01T10:00:00.123456Z' };
    const next = read('outcome=4&_count=5').next(end);
    expect(next).toMatch(/^outcome=4&_count=5&_cursor=/);
    expect(read(next).question).toMatchObject({ after: end, limit: 5 });
    expect(read(next.replace('_count=5', '_count=50')).question.after).toEqual(end);
  });
});

function cursorOf(query: string): string {
  const next = read(query).next({ id: '42', at: '2026-03-01T10:00:00.123456Z' });
  return new URLSearchParams(next).get('_cursor')!;
}

function forged(at: string): string {
  const [print, id] = JSON.parse(Buffer.from(cursorOf(''), 'base64url').toString()) as string[];
  return Buffer.from(JSON.stringify([print, id, at])).toString('base64url');
}
