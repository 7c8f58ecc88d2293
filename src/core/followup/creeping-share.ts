import { isLately } from './remembered.js';
import type { AssessmentInSeries } from './series-order.js';
import { worstOf, type Stated } from './stated-at-visit.js';

type Share = Stated<number>;

/** However long ago: some wounds are seen once a month. */
const LEAST_VISITS = 2;

/** What a share rose from, and whether that is told now or has been told. */
export interface RiseOfVisits {
  readonly direction: 'worse' | 'persists';
  readonly from: Share;
}

/**
 * A rise over the least of four weeks, or of the last two visits, which small steps from visit to visit add up to: worse once it is enough, and again where it is as much above what
 * was told; in between, and for four weeks after, it persists. null: the share of the last visit is not that much above.
 * @param visits the highest share of each, oldest first
 * @param isMore whether the one is so much above the other that it counts
 */
export function creepOf(
  visits: readonly Share[],
  isMore: (one: number, other: number) => boolean,
): RiseOfVisits | null {
  const last = visits.at(-1)!;
  const told = lastRiseOf(visits, isMore);
  if (told?.to === last) return { direction: 'worse', from: told.from };
  const known = latelyOf(visits.slice(0, -1), last.at);
  const lower = told !== null && isLately(told.to.at, last.at) ? [...known, told.from] : known;
  const higher = lower.filter(({ value }) => isMore(last.value, value));
  return higher.length === 0 ? null : { direction: 'persists', from: worstOf(higher, isLower) };
}

interface ToldRise {
  readonly place: number;
  readonly from: Share;
  readonly to: Share;
}

function lastRiseOf(visits: readonly Share[], isMore: (one: number, other: number) => boolean): ToldRise | null {
  return visits.reduce<ToldRise | null>((told, to, place) => {
    const since = latelyOf(visits.slice(told?.place ?? 0, place), to.at);
    if (since.length === 0) return told;
    const from = worstOf(since, isLower);
    return isMore(to.value, from.value) ? { place, from, to } : told;
  }, null);
}

function isLower(one: number, other: number): boolean {
  return one < other;
}

function latelyOf(visits: readonly Share[], now: AssessmentInSeries): Share[] {
  return visits.filter(({ at }, place) => isLately(at, now) || place >= visits.length - LEAST_VISITS);
}
