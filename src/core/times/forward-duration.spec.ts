import { readDuration } from './forward-duration.js';

const DAY_MS = 86_400_000;

describe('a duration by which a clock is set ahead', () => {
  it.each([
    ['nothing', ''],
    ['no part', 'P'],
    ['no part of the day', 'P1DT'],
    ['no time at all', 'P0D'],
    ['no time at all, in two parts', 'P0WT0S'],
    ['months, which have no fixed length', 'P1M'],
    ['years', 'P1Y'],
    ['a fraction', 'P0.5D'],
    ['a fraction with a comma', 'PT1,5H'],
    ['a time that goes back', '-P1D'],
    ['a part that goes back', 'P-1D'],
    ['a sign', '+P1D'],
    ['small letters', 'p1d'],
    ['a part twice', 'P1D2D'],
    ['parts out of their order', 'PT1S2H'],
    ['hours without T', 'P1H'],
    ['blanks', ' P1D'],
    ['a line behind it', 'P1D\n'],
    ['digits of another script', 'P٢D'],
    ['an exponent', 'P1e3D'],
    ['more digits than any clock has', `P${'9'.repeat(1_000_000)}D`],
    ['no number', 'PNaND'],
    ['an interval', 'P1D/P2D'],
  ])('is refused where it has %s', (_, text) => {
    expect(readDuration(text)).toBeNull();
  });

  it.each([
    ['P28D', 28 * DAY_MS],
    ['P8W', 56 * DAY_MS],
    ['P1W1D', 8 * DAY_MS],
    ['PT36H', 1.5 * DAY_MS],
    ['PT90M', 5_400_000],
    ['PT1S', 1000],
    ['P1DT2H3M4S', DAY_MS + 7_384_000],
    ['P0DT1H', 3_600_000],
    ['P99999D', 99_999 * DAY_MS],
  ])('is read: %s', (text, ms) => {
    expect(readDuration(text)).toBe(ms);
  });
});
