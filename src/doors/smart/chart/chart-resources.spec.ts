import { CLINICIAN, nameOf, signable } from './chart-resources.js';

const signs = (name: readonly object[]) => nameOf(CLINICIAN.parse({ resourceType: 'Practitioner', name }));

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
