import { roundsOf } from '../../test/support/rounds.js';
import {
  advanceCoverage,
  flaggedAt,
  flaggedBy,
  flaggedVisits,
  followWounds,
  GROWTH_FLAGS,
  medianSlope,
  slopeCoverage,
} from './how-often-wrong.js';

/** As the shipped model's manifest and docs/calibration-card.md have it. */
const SHIPPED = { areaRepeatabilityPct: 9.8, scaleUncertaintyPct: 1.2 };
const STEADIER = { areaRepeatabilityPct: 6.1, scaleUncertaintyPct: 1.2 };
const WOUNDS = roundsOf(300);
/** What is 90 % of very many is seldom outside of this in so few: four standard errors. */
const FEW = 4 * Math.sqrt((0.9 * 0.1) / WOUNDS);
const STALLS = ['stalled_14_days', 'stalled_28_days'] as const;
const steady = { kind: 'steady', visits: 9 } as const;

describe.each([
  ['the shipped model', SHIPPED],
  ['a steadier model', STEADIER],
])('the follow-up of simulated wounds, outlined by %s', (_, error) => {
  it.each([3, 6])('has intervals at the assessment %i that hold the true change in nine of ten', (visits) => {
    for (const pctPerWeek of [-20, 10]) {
      const course = { kind: 'steady', pctPerWeek, daysApart: 7, visits } as const;
      expect(Math.abs(slopeCoverage(WOUNDS, course, error) - 0.9)).toBeLessThan(FEW);
      expect(Math.abs(advanceCoverage(WOUNDS, course, error) - 0.9)).toBeLessThan(FEW);
    }
  });

  it.each([7, 14])(
    'says of fewer than one visit in twenty that a stable wound grows, seen every %i days',
    (daysApart) => {
      const followed = followWounds(WOUNDS, { ...steady, pctPerWeek: 0, daysApart }, error);
      expect(flaggedVisits(followed, GROWTH_FLAGS)).toBeLessThan(0.05);
    },
  );

  it('flags nearly every wound that grows by a tenth a week within five weeks', () => {
    const weekly = followWounds(WOUNDS, { ...steady, pctPerWeek: 10, daysApart: 7 }, error);
    const fortnightly = followWounds(WOUNDS, { ...steady, pctPerWeek: 10, daysApart: 14 }, error);
    expect(flaggedBy(weekly, 6, GROWTH_FLAGS)).toBeGreaterThan(0.9);
    expect(flaggedBy(fortnightly, 3, GROWTH_FLAGS)).toBeGreaterThan(0.6);
  });

  it.each([7, 14])('calls few healing wounds stalled, and most that stand still, seen every %i days', (daysApart) => {
    const healing = followWounds(WOUNDS, { ...steady, pctPerWeek: -10, daysApart }, error);
    const flat = followWounds(WOUNDS, { ...steady, pctPerWeek: 0, daysApart }, error);
    expect(flaggedVisits(healing, STALLS)).toBeLessThan(0.1);
    for (const day of [14, 28])
      expect(flaggedAt(flat, 1 + day / daysApart, [...STALLS, ...GROWTH_FLAGS])).toBeGreaterThan(0.78);
  });

  it('is moved by one bad photo for that visit alone', () => {
    const course = { ...steady, visits: 6, daysApart: 7, badVisit: 3 };
    const stable = followWounds(WOUNDS, { ...course, pctPerWeek: 0 }, error);
    const healing = followWounds(WOUNDS, { ...course, pctPerWeek: -10 }, error);
    expect(Math.abs(medianSlope(stable))).toBeLessThan(2);
    expect(Math.abs(medianSlope(healing) + 10)).toBeLessThan(2);
    expect(flaggedAt(stable, 6, GROWTH_FLAGS)).toBeLessThan(0.1);
    expect(flaggedAt(healing, 5, GROWTH_FLAGS)).toBeLessThan(0.02);
  });
});
