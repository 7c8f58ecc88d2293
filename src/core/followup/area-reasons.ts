import type { Bounds } from '../measurement/wound-result.js';
import { areaOf, type AreaChange } from './area-change.js';
import type { CourseReason, Direction, ReasonCode } from './course.js';
import type { FlagCode } from './flag-codes.js';
import type { FollowUpFlag } from './flags.js';
import type { SeriesComparison, SeriesPoint } from './series.js';
import type { AssessmentInSeries } from './series-order.js';

/** In the order in which one of them is told. */
const GROWTH: readonly FlagCode[] = [
  'area_growth',
  'area_growth_since_smallest',
  'area_growth_since_baseline',
  'area_growth_by_slope',
];
const STALLS: readonly FlagCode[] = ['stalled_14_days', 'stalled_28_days'];

/** Whether the area is safely compared with any earlier one. */
export function isAreaCompared({ noTrendReason, trend }: SeriesComparison): boolean {
  return noTrendReason === null && trend !== null;
}

/** What the area says: one reason at most. What is not even smaller than the time before, or stalls, is not called better. */
export function areaReason(
  now: AssessmentInSeries,
  comparison: SeriesComparison,
  flags: readonly FollowUpFlag[],
): CourseReason | null {
  if (!isAreaCompared(comparison)) return null;
  const growth = GROWTH.map((code) => flags.find((flag) => flag.code === code)).find((flag) => flag !== undefined);
  if (growth !== undefined || comparison.trend === 'larger') return changeOf(now, comparison, 'worse', growth ?? null);
  const stall = flags.find(({ code }) => STALLS.includes(code));
  if (stall !== undefined) return stalled(now, stall);
  return comparison.trend === 'smaller' ? changeOf(now, comparison, 'better', null) : null;
}

/** The area as a treatment left it, on the first photo after it. */
export function resetReason(now: AssessmentInSeries, { reset, noTrendReason }: SeriesComparison): CourseReason | null {
  if (noTrendReason !== null || reset === undefined || reset.change === null) return null;
  const { change, type } = reset;
  const to = areaOf(now.findings).value;
  return {
    ...areaCode(`area_after_${type}`, 'reset', now),
    from: Math.round((to - change.areaCm2) * 100) / 100,
    days: change.days,
    interval: change.areaPctInterval ?? null,
    comparedWithReportId: reset.beforeReportId,
  };
}

/**
 * The area of wounds that have grown together, or of all parts of one: on the first photo of them. Neither better nor worse, but a sum that has grown by
 * more than two photos can tell across a split, which no part shows by itself.
 */
export function relationReason(
  now: AssessmentInSeries,
  { relation, noTrendReason }: SeriesComparison,
): CourseReason | null {
  if (noTrendReason !== null || relation === undefined || relation.change === null) return null;
  const { change, kind, areaCm2: to, beforeReportId } = relation;
  const isSplit = kind === 'split';
  const hasGrown = isSplit && change.warnings.length === 0 && change.areaPct > 0 && change.beyondDetectable;
  return {
    ...areaCode(isSplit ? 'area_after_split' : 'area_after_joining', hasGrown ? 'worse' : 'reset', now),
    from: Math.round(((to ?? 0) - change.areaCm2) * 100) / 100,
    to,
    days: change.days,
    interval: change.areaPctInterval ?? null,
    comparedWithReportId: beforeReportId,
  };
}

/** The last two that can be compared: not smaller, however little that means. */
export function hasNotShrunk({ sincePrevious }: SeriesComparison): boolean {
  return sincePrevious !== null && sincePrevious.warnings.length === 0 && sincePrevious.areaPct > 0;
}

function changeOf(
  now: AssessmentInSeries,
  { previous, baseline, smallest, sincePrevious, sinceBaseline, sinceSmallest, slope, trendBasis }: SeriesComparison,
  direction: Direction,
  flag: FollowUpFlag | null,
): CourseReason {
  const [isBySlope, sign] = [flag === null && trendBasis === 'slope', direction === 'worse' ? 1 : -1];
  const pairs = (
    [
      [previous, sincePrevious, 'previous'],
      [smallest, sinceSmallest, 'smallest'],
      [baseline, sinceBaseline, 'baseline'],
    ] as const
  ).filter((pair): pair is [SeriesPoint, AreaChange, 'previous' | 'smallest' | 'baseline'] => pair[0] !== null);
  const named = pairs.find(([, , place]) => place === flag?.comparedWith);
  // A slope is told from the first assessment where the two agree, else from the one before.
  const wanted = isBySlope ? ['baseline', 'smallest', 'previous'] : ['smallest', 'previous', 'baseline'];
  const agreeing = wanted
    .map((place) => pairs.find((pair) => pair[2] === place))
    .find((pair) => pair !== undefined && sign * pair[1].areaPct > 0 && pair[1].warnings.length === 0);
  const [point, change] = named ?? agreeing ?? pairs[0]!;
  const interval: Bounds | null = change.areaPctInterval ?? null;
  const slopeInterval = slope && { lower: slope.pctPerWeek.lower, upper: slope.pctPerWeek.upper };
  return {
    ...areaCode('area', direction, now),
    from: point.areaCm2.value,
    days: change.days,
    interval: isBySlope ? slopeInterval : interval,
    comparedWithReportId: point.reportId,
  };
}

function stalled(now: AssessmentInSeries, { value, days, interval, comparedWithReportId }: FollowUpFlag): CourseReason {
  const to = areaOf(now.findings).value;
  return {
    ...areaCode('area_stalled', 'persists', now),
    from: Math.round((to / (1 + value / 100)) * 100) / 100,
    days,
    interval: interval ?? null,
    comparedWithReportId: comparedWithReportId ?? null,
  };
}

function areaCode(what: ReasonCode, direction: Direction, now: AssessmentInSeries) {
  return { domain: 'area', what, direction, to: areaOf(now.findings).value, unit: 'cm2' } as const;
}
