import { matchNumber, matchPatient, matchPeriod, matchVisit } from './matches.js';

const NUMBER = { system: 'urn:oid:2.999.1', value: '4711' };
const patient = (id: string, more: object = {}) => ({
  resourceType: 'Patient',
  id,
  identifier: [{ system: NUMBER.system, value: NUMBER.value }],
  ...more,
});
const whole = (...resources: object[]) => ({ resources, isWhole: true });

describe('a patient is not matched', () => {
  it.each([
    ['by nobody', whole(), 'none'],
    ['by two', whole(patient('1'), patient('2')), 'ambiguous'],
    ['by one of a server that ignores the number', whole({ ...patient('1'), identifier: [] }), 'ambiguous'],
    [
      'by the number of another authority',
      whole({ ...patient('1'), identifier: [{ system: 'urn:x', value: '4711' }] }),
      'ambiguous',
    ],
    ['by a record that another one replaced', whole(patient('1', { link: [{ type: 'replaced-by' }] })), 'ambiguous'],
    ['where there is a further page', { ...whole(patient('1')), isWhole: false }, 'ambiguous'],
    ['by one with an id that is none', whole(patient('1/../2')), 'ambiguous'],
  ])('%s', (_what, found, kind) => {
    expect(matchNumber(found, NUMBER).kind).toBe(kind);
  });
});

it('the one patient with the number is matched', () => {
  expect(matchNumber(whole(patient('p-1')), NUMBER)).toEqual({ kind: 'one', reference: 'Patient/p-1' });
});

describe('a patient who has the number is doubtful', () => {
  const NOW = { birthDate: '1951-07-14', now: new Date('2026-03-10T08:30:00Z'), timeZone: 'UTC' };
  const numbered = (more: object) => patient('1', { identifier: [{ ...NUMBER, ...more }] });

  it.each([
    ['whose number is an old one', numbered({ use: 'old' })],
    ['whose number begins later', numbered({ period: { start: '2026-03-11' } })],
    ['whose number ends at no moment', numbered({ period: { end: 'soon' } })],
    ['whose number has ended', numbered({ period: { end: '2026-03-01' } })],
    ['who was born on another day', patient('1', { birthDate: '1951-07-15' })],
    ['who was born in another year', patient('1', { birthDate: '1952' })],
  ])('%s', (_what, found) => {
    expect(matchPatient(whole(found), NUMBER, NOW).kind).toBe('doubtful');
  });

  it.each([
    ['not where it ends later', numbered({ period: { start: '2020-01-01', end: '2030' } })],
    ['not where it ends in this year, whichever day', numbered({ period: { end: '2026' } })],
    ['not where it ends in this month, whichever day', numbered({ period: { end: '2026-03' } })],
    [
      'not where it has not ended, beside a former period of it',
      patient('1', { identifier: [{ ...NUMBER, period: { end: '2020' } }, NUMBER] }),
    ],
    ['not where the year alone is known, and the same', patient('1', { birthDate: '1951' })],
    ['not where they know none, and write one that stands for none', patient('1', { birthDate: '1900-01-01' })],
    ['not where no birth date is known there', patient('1')],
  ])('%s', (_what, found) => {
    expect(matchPatient(whole(found), NUMBER, NOW)).toEqual({ kind: 'one', reference: 'Patient/1' });
  });

  it('and two records, or one that another replaced, stay ambiguous', () => {
    expect(matchPatient(whole(patient('1'), patient('2')), NUMBER, NOW).kind).toBe('ambiguous');
    expect(matchPatient(whole(patient('1', { link: [{ type: 'replaced-by' }] })), NUMBER, NOW).kind).toBe('ambiguous');
    expect(matchPatient(whole(), NUMBER, NOW).kind).toBe('none');
  });
});

const visit = (id: string, start: string, end?: string, more: object = {}) => ({
  resourceType: 'Encounter',
  id,
  subject: { reference: 'Patient/1' },
  identifier: [{ system: NUMBER.system, value: NUMBER.value }],
  period: { start, ...(end === undefined ? {} : { end }) },
  ...more,
});
const AT = new Date('2026-03-10T08:30:00Z');
const WHOSE = { patient: 'Patient/1', fhirBaseUrl: 'https://ehr.example/fhir' };

describe('a visit is not matched', () => {
  it.each([
    ['that ended before', whole(visit('1', '2026-03-01', '2026-03-09')), 'none'],
    ['that begins later', whole(visit('1', '2026-03-10T09:00:00Z')), 'none'],
    ['of somebody else', whole(visit('1', '2026-03-01', undefined, { subject: { reference: 'Patient/2' } })), 'none'],
    ['that was entered in error', whole(visit('1', '2026-03-01', undefined, { status: 'entered-in-error' })), 'none'],
    ['beside another one that fits', whole(visit('1', '2026-03-01'), visit('2', '2026-03-02')), 'ambiguous'],
  ])('%s', (_what, found, kind) => {
    expect(matchPeriod(found, AT, WHOSE).kind).toBe(kind);
  });

  it('by its number where it is of another patient: the two contradict each other', () => {
    expect(matchVisit(whole(visit('1', '2026-03-01')), NUMBER, { ...WHOSE, patient: 'Patient/2' }).kind).toBe(
      'ambiguous',
    );
  });
});

it.each([
  ['one that goes on', visit('e', '2026-03-01')],
  [
    'one whose patient is named by the server’s own address',
    visit('e', '2026-03-01', undefined, { subject: { reference: 'http://10.0.0.1/fhir/Patient/1' } }),
  ],
  ['one of that day alone', visit('e', '2026-03-10', '2026-03-10')],
])('%s is matched', (_what, found) => {
  expect(matchPeriod(whole(found), AT, WHOSE)).toEqual({ kind: 'one', reference: 'Encounter/e' });
});
