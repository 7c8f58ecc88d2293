import { periodOf } from './period.js';

describe('a period of an HL7 v2 message', () => {
  it.each([
    ['ends a day before it begins', '2026-03-14', '2026-03-13'],
    ['ends an hour before it begins', '2026-03-14T10:00:00+01:00', '2026-03-14T08:00:00Z'],
    ['ends on a day before the time at which it begins', '2026-03-14T10:00:00+01:00', '2026-03-13'],
    ['ends in the year before the day on which it begins', '2026-03-14', '2025'],
  ])('is none where it %s', (_, start, end) => {
    expect(periodOf(start, end)).toBeNull();
  });

  it.each([
    ['without times', undefined, undefined, undefined],
    ['without an end', '2026-03-14', undefined, { start: '2026-03-14' }],
    ['without a start', undefined, '2026-03-14', { end: '2026-03-14' }],
    ['of one day', '2026-03-14', '2026-03-14', { start: '2026-03-14', end: '2026-03-14' }],
    [
      'over a change of zones',
      '2026-03-14T10:00:00+02:00',
      '2026-03-14T09:30:00+01:00',
      { start: '2026-03-14T10:00:00+02:00', end: '2026-03-14T09:30:00+01:00' },
    ],
    [
      'from a day to a time of the next',
      '2026-03-14',
      '2026-03-15T09:30:00+01:00',
      { start: '2026-03-14', end: '2026-03-15T09:30:00+01:00' },
    ],
    [
      'from a day to a time of the same, which R4 cannot compare',
      '2026-03-14',
      '2026-03-14T09:30:00+01:00',
      { start: '2026-03-14', end: '2026-03-14' },
    ],
    ['from a year to a day of it', '2026', '2026-03-14', { start: '2026', end: '2026' }],
  ])('%s', (_, start, end, period) => {
    expect(periodOf(start, end)).toEqual(period);
  });
});
