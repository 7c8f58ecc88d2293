import type { FlagCode } from '../../src/core/followup/flag-codes.js';
import type { SeriesComparison } from '../../src/core/followup/series.js';
import { followSeries } from '../../src/core/followup/verdict.js';
import { randomNumbers, simulateWound, type Course, type PhotoError, type SimulatedWound } from './simulated-wounds.js';

/** The flags that say the wound grows; on a stable wound each of them is wrong. */
export const GROWTH_FLAGS = [
  'area_growth',
  'area_growth_since_baseline',
  'area_growth_since_smallest',
  'area_growth_by_slope',
] as const satisfies readonly FlagCode[];

export interface FollowUpWound {
  readonly wound: SimulatedWound;
  /** By visit. */
  readonly comparisons: readonly SeriesComparison[];
  readonly flags: readonly (readonly FlagCode[])[];
}

/** So many wounds of one course, each with what the service says at every visit. Always the same. */
export function followWounds(wounds: number, course: Course, error: PhotoError): FollowUpWound[] {
  const random = randomNumbers(20_261_122);
  return Array.from({ length: wounds }, () => {
    const wound = simulateWound(course, error, random);
    const { comparisons, flags } = followSeries(wound.photos, [], wound.events);
    return {
      wound,
      comparisons: wound.photos.map(({ reportId }) => comparisons.get(reportId)!),
      flags: wound.photos.map(({ reportId }) => flags.get(reportId)!.map(({ code }) => code)),
    };
  });
}

/** Share of the slope's intervals at the last visit that hold the true change of the area in % a week. */
export function slopeCoverage(wounds: number, course: Course, error: PhotoError): number {
  return shareOf(followWounds(wounds, { ...course, kind: 'steady' }, error), ({ comparisons }) =>
    holds(comparisons.at(-1)?.slope?.pctPerWeek, course.pctPerWeek),
  );
}

/** The same for the advance of the margin, of wounds whose margin moves by the same length every day. */
export function advanceCoverage(wounds: number, course: Course, error: PhotoError): number {
  return shareOf(followWounds(wounds, { ...course, kind: 'margin' }, error), ({ wound, comparisons }) =>
    holds(comparisons.at(-1)?.slope?.marginAdvanceMmPerDay, wound.advanceMmPerDay),
  );
}

/** Share of the intervals of the change since the photo before, at every visit from the second on, that hold the true change. */
export function changeCoverage(followed: readonly FollowUpWound[]): number {
  const visits = followed.flatMap(({ wound, comparisons }) =>
    comparisons.flatMap(({ previous, sincePrevious }, visit) => {
      const before = wound.photos.findIndex(({ reportId }) => reportId === previous?.reportId);
      if (sincePrevious === null || before < 0) return [];
      const trueChange = wound.trueAreasCm2[visit]! / wound.trueAreasCm2[before]! - 1;
      return [{ interval: sincePrevious.areaPctInterval, truePct: 100 * trueChange }];
    }),
  );
  return shareOf(visits, ({ interval, truePct }) => holds(interval, truePct));
}

/** Share of the slope's intervals at the last visit that hold what the area does since its last turn, in % a week. */
export function presentSlopeCoverage(
  followed: readonly FollowUpWound[],
  { kind, pctPerWeek }: Pick<Course, 'kind' | 'pctPerWeek'>,
): number {
  return shareOf(followed, ({ comparisons }) =>
    holds(comparisons.at(-1)?.slope?.pctPerWeek, kind === 'stalling' ? 0 : pctPerWeek),
  );
}

/** The median slope at the last visit in % a week. */
export function medianSlope(followed: readonly FollowUpWound[]): number {
  const slopes = followed.map(({ comparisons }) => comparisons.at(-1)?.slope?.pctPerWeek.value ?? 0);
  return slopes.sort((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? 0;
}

/** Share of the wounds that have one of these flags at that visit, the first being 1. */
export function flaggedAt(followed: readonly FollowUpWound[], visit: number, codes: readonly FlagCode[]): number {
  return shareOf(followed, ({ flags }) => hasOne(flags[visit - 1], codes));
}

/** Share of the wounds that have had one of these flags at that visit or before. */
export function flaggedBy(followed: readonly FollowUpWound[], visit: number, codes: readonly FlagCode[]): number {
  return shareOf(followed, ({ flags }) => flags.slice(0, visit).some((codesThen) => hasOne(codesThen, codes)));
}

/** Share of all visits from the second on that have one of these flags. */
export function flaggedVisits(followed: readonly FollowUpWound[], codes: readonly FlagCode[]): number {
  return shareOf(
    followed.flatMap(({ flags }) => flags.slice(1)),
    (codesThen) => hasOne(codesThen, codes),
  );
}

function hasOne(flags: readonly FlagCode[] | undefined, codes: readonly FlagCode[]): boolean {
  return flags?.some((code) => codes.includes(code)) ?? false;
}

function holds(
  interval: { readonly lower: number; readonly upper: number } | null | undefined,
  value: number,
): boolean {
  return interval !== null && interval !== undefined && interval.lower <= value && value <= interval.upper;
}

function shareOf<T>(all: readonly T[], is: (one: T) => boolean): number {
  return all.filter(is).length / all.length;
}
