import { AGE_GROUPS, ageGroupOf, isBeforeBirth, largestLimbAreaCm2 } from './patient-age.js';

const taken = new Date('2026-03-15T09:00:00Z');

describe('the age of the patient on a photo', () => {
  it.each<[string, string | null]>([
    ['no birth date', null],
    ['a text that is no date', 'unknown'],
    ['a date that registers use where they know none', '1900-01-01'],
    ['one day of eighteen years', '2008-03-15'],
    ['a year that nobody under eighteen was born in', '2007'],
  ])('is nobody’s under eighteen with %s', (_, birthDate) => {
    expect(ageGroupOf(birthDate, taken)).toBeNull();
    expect(isBeforeBirth(birthDate, taken)).toBe(false);
  });

  it.each([
    ['2026-03-15', 'newborn'],
    ['2026-02-16', 'newborn'],
    ['2026-02-15', 'infant'],
    ['2025-03-16', 'infant'],
    ['2025-03-15', 'under_5'],
    ['2021-03-15', 'under_10'],
    ['2016-03-15', 'under_15'],
    ['2011-03-15', 'under_18'],
    ['2008-03-16', 'under_18'],
  ])('of somebody born on %s is %s', (birthDate, group) => expect(ageGroupOf(birthDate, taken)).toBe(group));

  it('is the youngest that a month or year allows', () => {
    expect([ageGroupOf('2026-02', taken), ageGroupOf('2025', taken), ageGroupOf('2008', taken)]).toEqual([
      'newborn',
      'infant',
      'under_18',
    ]);
  });

  it('is before birth where no place on earth had that day yet, and never by a date that stands for none', () => {
    expect(isBeforeBirth('2026-03-16', taken)).toBe(true);
    expect(isBeforeBirth('2026-03-15', new Date('2026-03-14T13:00:00Z'))).toBe(false);
    expect(isBeforeBirth('2026', new Date('2025-12-30T09:00:00Z'))).toBe(true);
    expect(isBeforeBirth('2026-03', taken)).toBe(false);
    expect(isBeforeBirth('9999-12-31', taken)).toBe(false);
  });
});

it('is no age before the birth', () => {
  expect(ageGroupOf('2026-03-16', taken)).toBeNull();
  expect(ageGroupOf('2026-03-16', taken, new Date('2026-03-31T21:59:59Z'))).toBe('newborn');
  expect(ageGroupOf('2026-03-15', new Date('2026-03-14T13:00:00Z'))).toBe('newborn');
});

describe('the largest area of a limb', () => {
  it('grows with the age up to an adult’s, which counts where no age is known', () => {
    const areas = AGE_GROUPS.map(largestLimbAreaCm2);
    expect(areas).toEqual([...areas].sort((one, other) => one - other));
    expect([areas[0], areas.at(-1)]).toEqual([180, largestLimbAreaCm2(null)]);
  });
});
