import { dayOf, DIABETIC_FOOT, photoOn } from '../../../test/support/series-photos.js';
import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import { flagSeries } from './flags.js';
import { placesOf, type AssessmentInSeries } from './series-order.js';
import { compareSeries } from './series.js';
import type { Closure } from './wound-closure.js';

/** The day of a visit and the area in cm² that its photo shows; no area: no scale. */
type Visit = readonly [day: number, areaCm2: number, given?: Partial<AssessmentInSeries>];

/** Outlined by the fast model: areas repeat to 9.8 %. */
const measured = (areaCm2: number) => ({ ...drawFindings(squareOf(areaCm2)), areaRepeatabilityPct: 9.8 });
const withoutScale = (areaCm2: number) => drawFindings({ ...squareOf(areaCm2), mmPerPixel: null });
const byCard = (areaCm2: number) => {
  const findings = measured(areaCm2);
  return { ...findings, scale: { ...findings.scale, source: 'marker' as const } };
};

/** What is said at each visit: its place, the trend and its basis, the flags. */
function tell(visits: readonly Visit[], closures: readonly Closure[] = []): string[] {
  const all = visits.map(([day, areaCm2, given]) => photoOn(day, areaCm2, { findings: measured(areaCm2), ...given }));
  const comparisons = compareSeries(all, closures);
  const flags = flagSeries(all, comparisons);
  const places = placesOf(all);
  return all.map(({ reportId, capturedAt }) => {
    const { trend, trendBasis, noTrendReason, sincePrevious } = comparisons.get(reportId)!;
    const day = (capturedAt.getTime() - dayOf(0).getTime()) / 86_400_000;
    const compared = sincePrevious === null ? 'first' : sincePrevious.warnings.join(', ');
    const course = trend === null ? (noTrendReason ?? compared) : `${trend} by ${trendBasis}`;
    const codes = flags.get(reportId)!.map(({ code }) => code);
    return [`${places.get(reportId)}: day ${day}`, course, ...codes].join(' | ');
  });
}
const DIABETIC = { woundType: DIABETIC_FOOT };
const noWound = { findings: drawFindings({ boxes: [] }) };
const flat = (days: readonly number[]): Visit[] => days.map((day) => [day, 10, DIABETIC]);

describe('what is said at each visit of', () => {
  it('a wound that grows steadily, though no two visits in turn show it', () => {
    const visits: Visit[] = [
      [0, 4],
      [13, 4.8],
      [26, 5.6],
      [39, 6.8],
      [52, 8.2],
      [64, 10],
    ];
    const later = 'area_growth_since_baseline | area_growth_by_slope';
    expect(tell(visits)).toEqual([
      '1: day 0 | first',
      '2: day 13 | within_detectable_change by pair',
      '3: day 26 | larger by slope | area_growth_by_slope',
      `4: day 39 | larger by slope | ${later}`,
      `5: day 52 | larger by slope | ${later}`,
      `6: day 64 | larger by slope | ${later}`,
    ]);
  });

  it('a diabetic foot ulcer that stands still, whatever the days of its visits', () => {
    const still = 'within_detectable_change by slope';
    const missed = 'area_reduction_below_50_at_4_weeks | stalled_28_days';
    expect(tell(flat([0, 10, 21, 35, 49, 63, 77]))).toEqual([
      '1: day 0 | first',
      '2: day 10 | within_detectable_change by pair',
      `3: day 21 | ${still} | stalled_14_days`,
      `4: day 35 | ${still} | ${missed}`,
      `5: day 49 | ${still} | ${missed}`,
      `6: day 63 | ${still} | ${missed}`,
      `7: day 77 | ${still} | ${missed}`,
    ]);
    expect(tell(flat([0, 7, 14, 21, 28, 35, 42, 49, 56, 63]))).toEqual([
      '1: day 0 | first',
      '2: day 7 | within_detectable_change by pair',
      `3: day 14 | ${still} | stalled_14_days`,
      `4: day 21 | ${still} | stalled_14_days`,
      ...[28, 35, 42, 49, 56, 63].map((day, index) => `${index + 5}: day ${day} | ${still} | ${missed}`),
    ]);
  });

  it('a diabetic foot ulcer that heals', () => {
    const areas = [10, 8.2, 6.6, 5.3, 4.1, 3.2, 2.2, 1.3, 0.6];
    expect(tell(areas.map((cm2, week) => [7 * week, cm2, DIABETIC]))).toEqual([
      '1: day 0 | first',
      '2: day 7 | within_detectable_change by pair',
      ...[14, 21, 28, 35, 42, 49, 56].map((day, index) => `${index + 3}: day ${day} | smaller by slope`),
    ]);
  });

  it('a wound that heals for four weeks and then stops: it is called smaller until the turn is seen, and a stall once four weeks show none', () => {
    const areas = [10, 8.2, 6.6, 5.3, 4.2, 4.1, 4.3, 4.2, 4.1, 4.2, 4.3, 4.2];
    const stopped = 'stalled_28_days';
    expect(tell(areas.map((cm2, week) => [7 * week, cm2]))).toEqual([
      '1: day 0 | first',
      '2: day 7 | within_detectable_change by pair',
      ...[14, 21, 28, 35].map((day, index) => `${index + 3}: day ${day} | smaller by slope`),
      ...[42, 49].map((day, index) => `${index + 7}: day ${day} | within_detectable_change by slope`),
      ...[56, 63, 70, 77].map(
        (day, index) => `${index + 9}: day ${day} | within_detectable_change by slope | ${stopped}`,
      ),
    ]);
  });

  it.each([
    ['grows by a sixth a week', [3.9, 4.5, 5.2]],
    ['grows and stands still', [3.9, 4.3, 4.3]],
    ['grows slowly', [3.5, 3.7, 3.9, 4.2, 4.4]],
  ])('a wound that has turned and %s: never called smaller again', (_, after) => {
    const areas = [10, 8, 6.4, 5.1, 4.1, 3.3, ...after];
    const told = tell(areas.map((cm2, week) => [7 * week, cm2]));
    expect(told.slice(2, 6).every((visit) => visit.includes('smaller by slope'))).toBe(true);
    expect(told.slice(6).filter((visit) => visit.includes('smaller by'))).toEqual([]);
  });

  it('a wound that has turned and grew by half in three weeks: larger, with a flag', () => {
    const areas = [10, 8, 6.4, 5.1, 4.1, 3.3, 3.9, 4.5, 5.2];
    expect(tell(areas.map((cm2, week) => [7 * week, cm2])).slice(6)).toEqual([
      '7: day 42 | within_detectable_change by slope',
      '8: day 49 | within_detectable_change by slope | stalled_28_days',
      '9: day 56 | larger by pair | area_growth_since_smallest',
    ]);
  });

  it('a wound that a person closes: a photo without a wound reopens nothing', () => {
    const visits: Visit[] = [
      [0, 3],
      [14, 1.6],
      [28, 0.7],
      [42, 0.1],
      [49, 0, noWound],
      [63, 0, noWound],
    ];
    expect(tell(visits, [{ closedAt: dayOf(50).toISOString(), reopenedAt: null }])).toEqual([
      '1: day 0 | first',
      '2: day 14 | smaller by pair',
      '3: day 28 | smaller by slope',
      '4: day 42 | smaller by slope',
      '5: day 49 | no_wound_outlined',
      '6: day 63 | no_wound_outlined',
    ]);
  });

  it('a closed ulcer that comes back: counted anew, and its milestones from its return', () => {
    const visits: Visit[] = [
      [0, 3, DIABETIC],
      [28, 0.7, DIABETIC],
      [49, 0, { ...DIABETIC, ...noWound }],
      [90, 1.2, DIABETIC],
      [97, 1.3, DIABETIC],
      [104, 1.2, DIABETIC],
      [118, 1.25, DIABETIC],
    ];
    expect(tell(visits, [{ closedAt: dayOf(50).toISOString(), reopenedAt: dayOf(91).toISOString() }])).toEqual([
      '1: day 0 | first',
      '2: day 28 | smaller by pair',
      '3: day 49 | no_wound_outlined',
      '4: day 90 | first | reopened',
      '5: day 97 | within_detectable_change by pair',
      '6: day 104 | within_detectable_change by slope | stalled_14_days',
      '7: day 118 | within_detectable_change by slope | area_reduction_below_50_at_4_weeks | stalled_28_days',
    ]);
  });

  it('two wounds that a person makes one: each named its own site, and neither waits for that', () => {
    const heel = { stated: { woundRef: 'heel', bodySite: { code: '76853006' }, laterality: 'left' } } as const;
    const sole = { stated: { woundRef: 'sole', bodySite: { code: '56459004' }, laterality: 'left' } } as const;
    const visits: Visit[] = [
      [0, 4, heel],
      [3, 4.2, sole],
      [7, 3.8, heel],
      [10, 3.7, sole],
      [14, 3.2, heel],
      [21, 2.6, sole],
    ];
    expect(tell(visits)).toEqual([
      '1: day 0 | first',
      '2: day 3 | within_detectable_change by pair',
      '3: day 7 | within_detectable_change by slope',
      '4: day 10 | within_detectable_change by slope',
      '5: day 14 | smaller by slope',
      '6: day 21 | smaller by slope',
    ]);
  });

  it('two wounds of other sizes that a person makes one: the areas that do not follow wait', () => {
    const visits: Visit[] = [
      [0, 8],
      [0.1, 1.5, { stated: { woundRef: 'other', bodySite: null, laterality: null } }],
      [7, 7.6],
    ];
    expect(tell(visits)).toEqual([
      '1: day 0 | first',
      '2: day 0.1 | awaiting_confirmation',
      '3: day 7 | within_detectable_change by pair',
    ]);
  });

  it('a wound whose scale is lost and found: each is compared with the last of its kind', () => {
    const visits: Visit[] = [
      [0, 10],
      [7, 9, { findings: byCard(9) }],
      [14, 8, { findings: withoutScale(8) }],
      [21, 7],
      [28, 4.9, { findings: byCard(4.9) }],
      [35, 4.5],
      [42, 4.2, { findings: byCard(4.2) }],
    ];
    expect(tell(visits)).toEqual([
      '1: day 0 | first',
      '2: day 7 | other_scale_source',
      '3: day 14 | no_scale',
      '4: day 21 | smaller by pair',
      '5: day 28 | smaller by pair',
      '6: day 35 | smaller by slope',
      '7: day 42 | smaller by slope',
    ]);
  });

  it('visits that were missed for twelve weeks: the milestones are looked at once the patient is back', () => {
    const [healed, worse] = [3, 9].map((cm2) =>
      tell([
        [0, 10, DIABETIC],
        [7, 9, DIABETIC],
        [91, cm2, DIABETIC],
        [98, cm2 * 0.9, DIABETIC],
      ]),
    );
    expect(healed!.slice(2)).toEqual(['3: day 91 | smaller by pair', '4: day 98 | within_detectable_change by pair']);
    const missed = 'area_reduction_below_50_at_4_weeks | stalled_28_days';
    expect(worse!.slice(2)).toEqual([
      `3: day 91 | within_detectable_change by pair | ${missed}`,
      `4: day 98 | within_detectable_change by pair | ${missed}`,
    ]);
  });

  it('one bad photo in the middle: growth at that visit, and nothing of it after', () => {
    const visits: Visit[] = [10, 9, 8.1, 14.6, 4.9, 4.4].map((cm2, week) => [7 * week, cm2]);
    expect(tell(visits)).toEqual([
      '1: day 0 | first',
      '2: day 7 | within_detectable_change by pair',
      '3: day 14 | within_detectable_change by slope',
      '4: day 21 | larger by pair | area_growth',
      '5: day 28 | smaller by slope',
      '6: day 35 | smaller by slope',
    ]);
  });

  it('a photo that shows four times the area: it waits, and the series goes on without it', () => {
    const visits: Visit[] = [10, 9, 8.1, 34, 4.9].map((cm2, week) => [7 * week, cm2]);
    expect(tell(visits).slice(3)).toEqual(['4: day 21 | awaiting_confirmation', '5: day 28 | smaller by slope']);
  });
});
