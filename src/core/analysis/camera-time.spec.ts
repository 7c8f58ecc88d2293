import { usableCameraTime } from './camera-time.js';

const now = new Date('2026-03-15T09:00:00Z');
const storedAt = new Date('2026-03-10T09:00:00Z');
const used = (text: string | null, birthDate: string | null = null, stored: Date | null = storedAt) =>
  usableCameraTime(text, { now, storedAt: stored, birthDate })?.text ?? null;

describe('the time that a camera wrote into its photo', () => {
  it.each<[string, string | null, string | null]>([
    ['there is none', null, null],
    ['it is no time', '2026-13-40', null],
    ['its clock was never set', '1970-01-01T00:00:00+00:00', null],
    ['its clock began in 1980', '1980-01-01', null],
    ['it is to come', '2036-03-10', null],
    ['it is after the upload', '2026-03-10T09:20:00+00:00', null],
    ['its day is after the upload', '2026-03-12', null],
    ['the patient was not born', '2026-03-01', '2026-03-04'],
    ['the patient was born later that year', '2025-12-30T10:00:00Z', '2026'],
  ])('is not used where %s', (_, text, birthDate) => expect(used(text, birthDate)).toBeNull());

  it.each<[string, string | null]>([
    ['2026-03-10T10:01:00+01:00', null],
    ['2026-03-10', null],
    ['1990-01-01', null],
    ['2026-03-04', '2026-03-04'],
    ['2026-03-04T23:00:00-10:00', '2026-03'],
  ])('is used: %s', (text, birthDate) => expect(used(text, birthDate)).toBe(text));

  it('is used up to now where the photo comes now', () => {
    expect([used('2026-03-12', null, null), used('2026-03-17', null, null)]).toEqual(['2026-03-12', null]);
  });
});
