import { daysBetween, type AssessmentInSeries } from './series-order.js';

/**
 * Four weeks: for so long a step counts as one that stays, and a sign that nobody stated anew as one that is there. Then it is how the wound is, or
 * nobody knows it any more. An agreed length, without a source: twice the longest that visits usually lie apart.
 */
export const REMEMBERED_DAYS = 28;

type Photographed = Pick<AssessmentInSeries, 'capturedAt'>;

/** Whether what was stated then still counts. */
export function isLately(at: Photographed, now: Photographed): boolean {
  return daysBetween(at, now) <= REMEMBERED_DAYS;
}
