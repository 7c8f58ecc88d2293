import { LONGEST_SLOPE_DAYS } from './area-slope.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';

/** What was stated longer ago is not compared: a year of weekly visits. */
const MOST_STATING = 52;

/** Of eight weeks: three a day for five of them. More would cost more than they tell. */
const MOST_LATELY = 104;

/**
 * Those that state something, or whose tissue a clinician confirmed: the last of them, and more where eight weeks have more, however many photos without a form lie between.
 * With the first of all, by which it is known that there was a photo before.
 * @param all oldest first
 */
export function statingLately(all: readonly AssessmentInSeries[], now: AssessmentInSeries): AssessmentInSeries[] {
  const stating = all.filter((one) => one.observations !== null || one.findings.confirmedTissues.length > 0);
  const [first] = all;
  const ofWeeks = stating.filter((one) => daysBetween(one, now) <= LONGEST_SLOPE_DAYS);
  const counting = stating.slice(-Math.max(MOST_STATING, Math.min(MOST_LATELY, ofWeeks.length)));
  return first === undefined || counting.includes(first) ? counting : [first, ...counting];
}
