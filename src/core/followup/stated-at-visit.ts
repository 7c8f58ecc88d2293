import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import { isLately } from './remembered.js';
import { isOfOneVisit, lastVisitOf } from './same-visit.js';
import type { AssessmentInSeries } from './series-order.js';

/** undefined: not stated with this photo. */
export function statedNow<T>(
  { observations }: AssessmentInSeries,
  of: (observations: ClinicianObservations) => T | undefined,
) {
  return observations === null ? undefined : of(observations);
}

/** What one form states of a field. */
export interface Stated<T> {
  readonly at: AssessmentInSeries;
  readonly value: T;
}

/** Oldest first, without the forms that say nothing of it. */
export function statedBy<T>(
  earlier: readonly AssessmentInSeries[],
  of: (observations: ClinicianObservations) => T | undefined,
): Stated<T>[] {
  return earlier.flatMap((at) => {
    const value = at.observations === null ? undefined : of(at.observations);
    return value === undefined ? [] : [{ at, value }];
  });
}

export interface Visit<T> {
  /** The worse of what was stated on the day; undefined: not stated with this photo. */
  readonly to: T | undefined;
  /** Of earlier visits. */
  readonly known: readonly Stated<T>[];
  /** The assessments of earlier visits. */
  readonly before: readonly AssessmentInSeries[];
  /** So many assessments lie before the first that states it at this visit. */
  readonly first: number;
  /** null: nothing became worse. */
  readonly rise: Rise<T> | null;
}

export interface Rise<T> {
  readonly from: Stated<T>;
  readonly to: Stated<T>;
}

/**
 * What was stated at this visit, and before it. What two people state on one day is of one visit, and where they contradict each other the worse counts:
 * only a gain waits for another day, what came up within hours came up.
 */
export function visitOf<T>(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  of: (observations: ClinicianObservations) => T | undefined,
  isWorse: (one: T, other: T) => boolean,
): Visit<T> {
  const stated = statedNow(now, of);
  const all = statedBy(earlier, of);
  if (stated === undefined) return { to: undefined, known: all, before: earlier, first: earlier.length, rise: null };
  const isEarlier = (at: AssessmentInSeries) => !isOfOneVisit(at, now);
  const known = all.filter(({ at }) => isEarlier(at));
  const today = [...all.filter(({ at }) => !isEarlier(at)), { at: now, value: stated }];
  const rise = riseAtVisit(known, today, isWorse);
  const first = today.length === 1 ? earlier.length : earlier.indexOf(today[0]!.at);
  return { to: worstOf(today, isWorse).value, known, before: earlier.filter(isEarlier), first, rise };
}

/**
 * What is worse at this visit: than all that the last one before stated, so that two people who differ at each visit make nothing worse each week; or within
 * hours, than an earlier form of the visit, unless the forms of the last visit differed in the same way. Of several the worst.
 * @param known of earlier visits, oldest first
 * @param today of this visit, oldest first
 * @param isWorse whether the one is so much worse than the other that it counts
 * @param isAbove whether it is worse at all
 */
export function riseAtVisit<T>(
  known: readonly Stated<T>[],
  today: readonly Stated<T>[],
  isWorse: (one: T, other: T) => boolean,
  isAbove = isWorse,
): Rise<T> | null {
  const [first] = today;
  if (first === undefined) return null;
  const last = formsBefore(known, first.at);
  const isAboveLast = ({ value }: Stated<T>) => last.length > 0 && last.every((then) => isWorse(value, then.value));
  const sinceLast = today.filter(isAboveLast).map((to) => ({ from: worstOf(last, isAbove), to }));
  const withinHours = today
    .flatMap((to, place) => today.slice(0, place).map((from) => ({ from, to })))
    .filter(({ from, to }) => isWorse(to.value, from.value) && !isUsual(last, from.value, to.value, isWorse));
  return [...sinceLast, ...withinHours].reduce<Rise<T> | null>(
    (worst, one) => (worst === null || isAbove(one.to.value, worst.to.value) ? one : worst),
    null,
  );
}

/**
 * The forms of the last visit, where it is some weeks ago at most; of one that is longer ago the last form alone, which is how the wound was left: what
 * comes again after that is new.
 * @param known oldest first
 */
export function formsBefore<T>(known: readonly Stated<T>[], now: AssessmentInSeries): Stated<T>[] {
  const visit = lastVisitOf(known);
  const last = visit.at(-1);
  return last === undefined || isLately(last.at, now) ? visit : [last];
}

/** At the last visit one form was as bad, and another as good. */
function isUsual<T>(last: readonly Stated<T>[], good: T, bad: T, isWorse: (one: T, other: T) => boolean): boolean {
  return last.some(({ value }) => !isWorse(bad, value)) && last.some(({ value }) => !isWorse(value, good));
}

/** Of equal ones the first. */
export function worstOf<T>(stated: readonly Stated<T>[], isWorse: (one: T, other: T) => boolean): Stated<T> {
  return stated.reduce((worst, one) => (isWorse(one.value, worst.value) ? one : worst));
}

/**
 * The last of those below, where the step up from it is some weeks ago at most: it is counted from the step, since visits may lie weeks apart. undefined:
 * nothing was below, or what came after is how the wound is by now.
 * @param known oldest first
 */
export function beforeStepLately<T>(
  known: readonly Stated<T>[],
  now: AssessmentInSeries,
  isBelow: (value: T) => boolean,
): Stated<T> | undefined {
  const place = known.findLastIndex(({ value }) => isBelow(value));
  const step = known[place + 1]?.at ?? now;
  return isLately(step, now) ? known[place] : undefined;
}
