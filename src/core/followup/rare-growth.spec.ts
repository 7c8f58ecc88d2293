import { growthLimit } from './rare-growth.js';

/** Percent that the last of so many visits exceeds the smallest before it in one of twenty stable series, with 9.3 % from photo to photo. */
it.each([
  [2, 24],
  [3, 29],
  [4, 31],
  [5, 33],
  [6, 34],
  [8, 36],
  [10, 37],
])('of %i visits the last is %i %% above the smallest in one of twenty wounds that stand still', (visits, percent) => {
  expect(100 * Math.expm1(growthLimit(visits - 1, 0.05) * 0.093)).toBeCloseTo(percent, -0.3);
});

it('takes more where one of a hundred is meant, and with each further visit', () => {
  const limits = [1, 2, 4, 8, 16, 60, 200].map((earlier) => growthLimit(earlier));
  expect(limits[0]).toBeCloseTo(2.326 * Math.SQRT2, 2);
  expect(limits.every((limit, at) => at === 0 || limit >= limits[at - 1]!)).toBe(true);
  expect(growthLimit(200)).toBe(growthLimit(60));
});
