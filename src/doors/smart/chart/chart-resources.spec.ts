import { CLINICIAN, nameOf, PATIENT, signable, statedPatient } from './chart-resources.js';

const SYSTEM = 'urn:oid:2.999.1';
const TODAY = '2026-03-15';

const stated = (identifier: readonly object[], birthDate?: string) =>
  statedPatient(
    PATIENT.parse({ resourceType: 'Patient', id: '5', identifier, ...(birthDate === undefined ? {} : { birthDate }) }),
    TODAY,
  );
const signs = (name: readonly object[]) => nameOf(CLINICIAN.parse({ resourceType: 'Practitioner', name }));

describe('the numbers of an open chart', () => {
  it('are those whose time is not over, with what is said of each', () => {
    const numbers = [
      { system: SYSTEM, value: 'over', period: { end: '2026-03-14' } },
      { system: SYSTEM, value: '' },
      { system: SYSTEM },
      { system: SYSTEM, value: 'x'.repeat(513) },
    ];
    expect(stated(numbers).numbers).toEqual([]);
    const today = { system: SYSTEM, value: 'until-today', period: { end: `${TODAY}T23:00:00Z` } };
    const former = { system: SYSTEM, value: 'former', use: 'old' };
    expect(stated([...numbers, today, former]).numbers).toEqual([
      { system: SYSTEM, value: 'until-today' },
      { system: SYSTEM, value: 'former', use: 'old' },
    ]);
  });

  it('come with the birth date where it is one', () => {
    expect(['1951-07-14', '1951', 'in July'].map((date) => stated([], date).birthDate)).toEqual([
      '1951-07-14',
      '1951',
      null,
    ]);
  });
});

describe('how a clinician signs', () => {
  it('is the official name, or else one that is in use', () => {
    expect(
      signs([
        { use: 'old', family: 'Before' },
        { use: 'official', family: 'Beispiel', given: ['Anna', 'M.'] },
      ]),
    ).toBe('Anna M. Beispiel');
    expect(signs([{ text: 'Dr. Anna Beispiel' }])).toBe('Dr. Anna Beispiel');
    expect(signs([{ use: 'old', family: 'Before' }])).toBeNull();
    const role = { resourceType: 'PractitionerRole', practitioner: { display: 'Anna Beispiel' } };
    expect(nameOf(CLINICIAN.parse(role))).toBe('Anna Beispiel');
  });

  it('has no letter that a screen does not show, and an end', () => {
    expect(signable('Anna\u202e\u0000\nBeispiel')).toBe('Anna Beispiel');
    expect([signable(' \u200b '), signable(7), signable(undefined)]).toEqual([null, null, null]);
    expect(signable('a'.repeat(300))).toHaveLength(255);
  });
});
