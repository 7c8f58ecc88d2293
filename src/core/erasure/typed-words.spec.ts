import { isOwnResource, needlesOf, queryNames, textNames } from './typed-words.js';

const needles = needlesOf({
  numbers: [
    { system: '', value: 'MRN-4711' },
    { system: '', value: '12' },
  ],
  names: ['Verlierová', 'Am Stein 4', 'X'],
});

describe('what a caller typed', () => {
  it('does not name a patient by a part of a word, by a count, or by an id that this service gave', () => {
    expect(queryNames('name=Verlier&identifier=MRN-47110', needles)).toBe(false);
    expect(queryNames('_count=12&_sort=-date', needles)).toBe(false);
    expect(queryNames('', needles)).toBe(false);
    const uuid = needlesOf({ numbers: [{ system: '', value: '7000' }], names: [] });
    expect(queryNames('subject=Patient/01997f2e-1111-7000-8000-000000000001', uuid)).toBe(false);
    expect(needlesOf({ numbers: [{ system: '', value: '-' }], names: ['X'] })).toEqual([]);
  });

  it('names a patient by a number or a name, in any case and encoding, with whatever numbering', () => {
    expect(queryNames('identifier=urn%3Aoid%3A1.2%7Cmrn-4711', needles)).toBe(true);
    expect(queryNames('_has:Condition:subject:code=x&patient.identifier=MRN-4711', needles)).toBe(true);
    expect(queryNames('family=verlierov%C3%A1', needles)).toBe(true);
    expect(queryNames('address=am+stein+4', needles)).toBe(true);
    expect(queryNames('_type=Patient&_typeFilter=Patient%3Ffamily%3DVerlierov%C3%A1', needles)).toBe(true);
    expect(queryNames('identifier=12', needles)).toBe(true);
    expect(queryNames('patient=%E0%A4%A&identifier=MRN-4711', needles)).toBe(true);
    expect(textNames('Patient/MRN-4711', needles)).toBe(true);
  });

  it('is a resource of ours only with an id that this service gave', () => {
    expect(isOwnResource('Binary/01997f2e-1111-7000-8000-000000000001-v2')).toBe(true);
    expect(isOwnResource('Binary/01997f2e-1111-7000-8000-000000000001-v2-de')).toBe(true);
    expect(isOwnResource('Patient/MRN-4711')).toBe(false);
  });
});
