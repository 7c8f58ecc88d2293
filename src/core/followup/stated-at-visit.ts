import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import { isLately } from './remembered.js';
import { isOfOneVisit } from './same-visit.js';
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
  /** The statement of the day that is worse than the one before it, of whatever hour; of several the worst. */
  readonly rise: { readonly from: Stated<T>; readonly to: T } | null;
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
  const steps = [...known.slice(-1), ...today];
  const rise = steps.slice(1).reduce<Visit<T>['rise']>((worst, { value }, index) => {
    const from = steps[index]!;
    return isWorse(value, from.value) && (worst === null || !isWorse(worst.to, value)) ? { from, to: value } : worst;
  }, null);
  const first = today.length === 1 ? earlier.length : earlier.indexOf(today[0]!.at);
  return { to: worstOf(today, isWorse).value, known, before: earlier.filter(isEarlier), first, rise };
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
