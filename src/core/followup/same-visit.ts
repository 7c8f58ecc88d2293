import { isOtherVisit } from './area-change.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';

type Photographed = Pick<AssessmentInSeries, 'capturedAt'>;

/** Less than a day apart: what two people state is of one visit, and of what contradicts each other the worse counts. */
export function isOfOneVisit(one: Photographed, now: Photographed): boolean {
  return !isOtherVisit({ days: daysBetween(one, now) });
}

/** Those of the visit of the last, in their order; empty where there is none. */
export function lastVisitOf<T extends { readonly at: AssessmentInSeries }>(known: readonly T[]): T[] {
  const last = known.at(-1);
  return last === undefined ? [] : known.filter(({ at }) => isOfOneVisit(at, last.at));
}
