import { TINY } from './figure-change.js';
import { isLately } from './remembered.js';
import { daysBetween } from './series-order.js';
import { worstOf, type Stated } from './stated-at-visit.js';

export type Share = Stated<number>;

/** Whether the one is so much above the other, stated before, that it counts. */
export type IsMore = (one: Share, before: Share) => boolean;

/** However long ago within half a year: some wounds are seen once a month. */
const LEAST_VISITS = 2;
/** What is longer ago is another wound's bed by now. */
const LONGEST_RISE_DAYS = 183;
/** A share that goes on rising by less than what is told anew. */
const LEAST_RISING_POINTS = 5;
/** One eye that sees more each time is rare: so many rises in turn are a course, and need no second visit as high. */
const RISES_IN_TURN = 3;

/** What a share rose from, and whether that is told now or has been told. */
export interface RiseOfVisits {
  readonly direction: 'worse' | 'persists';
  readonly from: Share;
}

/**
 * A rise which small steps from visit to visit add up to: over the least of four weeks, or of the last two visits; and over half a year, of the lower of the
 * two newest visits over the second lowest, so that neither is by one eye alone, or by three visits in turn that each are higher. Worse once it is enough, and again where it is as much above what was told;
 * in between it persists while it goes on rising, and for four weeks. null: the share of the last visit is not that much above.
 * @param visits the highest share of each, oldest first
 */
export function creepOf(visits: readonly Share[], isMore: IsMore): RiseOfVisits | null {
  const last = visits.at(-1)!;
  const told = lastRiseOf(visits, isMore);
  if (told === null) return null;
  if (told.to === last) return { direction: 'worse', from: told.from };
  const isRising = isWithinHalfYear(told.to, last) && last.value - told.to.value >= LEAST_RISING_POINTS;
  if (!isRising && !isLately(told.to.at, last.at)) return null;
  const lately = visits.slice(0, -1).filter(({ at }) => isLately(at, last.at));
  const higher = [...lately, told.from].filter((one) => isMore(last, one));
  return higher.length === 0 ? null : { direction: 'persists', from: worstOf(higher, isLower) };
}

interface ToldRise {
  readonly place: number;
  readonly from: Share;
  readonly to: Share;
  /** What a further rise is counted from. */
  readonly level: Share;
}

function lastRiseOf(visits: readonly Share[], isMore: IsMore): ToldRise | null {
  return visits.reduce<ToldRise | null>((told, to, place) => {
    const since = visits.slice(told?.place ?? 0, place).filter((one) => isWithinHalfYear(one, to));
    return (
      riseLately(since, to, place, isMore) ??
      riseInTurn(since, to, place, isMore) ??
      riseOfHalfYear(told, since, to, place, isMore) ??
      told
    );
  }, null);
}

function riseLately(since: readonly Share[], to: Share, place: number, isMore: IsMore): ToldRise | null {
  const lately = since.filter(({ at }, index) => isLately(at, to.at) || index >= since.length - LEAST_VISITS);
  const lower = lately.filter((one) => isMore(to, one));
  return lower.length === 0 ? null : { place, from: worstOf(lower, isLower), to, level: to };
}

/** Over the last visits, each of which was higher than the one before by more than a light or an eye. */
function riseInTurn(since: readonly Share[], to: Share, place: number, isMore: IsMore): ToldRise | null {
  const run = [...since, to].slice(-RISES_IN_TURN - 1);
  const [from] = run;
  if (from === undefined || run.length <= RISES_IN_TURN || !isMore(to, from)) return null;
  const isRising = run.slice(1).every((one, at) => one.value - run[at]!.value >= LEAST_RISING_POINTS - TINY);
  return isRising ? { place, from, to, level: to } : null;
}

function riseOfHalfYear(
  told: ToldRise | null,
  since: readonly Share[],
  to: Share,
  place: number,
  isMore: IsMore,
): ToldRise | null {
  const before = since.at(-1);
  const [, second] = since.toSorted((a, b) => a.value - b.value);
  if (before === undefined || second === undefined) return null;
  const level = isLower(before.value, to.value) ? before : to;
  const isKnown = told !== null && isWithinHalfYear(told.to, to) && isLower(told.level.value, second.value);
  const from = isKnown ? told.level : second;
  return isMore(level, from) ? { place, from, to, level } : null;
}

function isWithinHalfYear(one: Share, now: Share): boolean {
  return daysBetween(one.at, now.at) <= LONGEST_RISE_DAYS;
}

function isLower(one: number, other: number): boolean {
  return one < other;
}
