import { areaOf, changeBetween, isComparable, logAreaSd, logGrowth, type AreaChange } from './area-change.js';
import { courseOf } from './area-slope.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';

/** The area has not become smaller for so long. */
export interface Stall {
  readonly days: 14 | 28;
  readonly since: AssessmentInSeries;
  readonly change: AreaChange;
}

const STALL_DAYS = [28, 14] as const;
/** A visit early in the morning of the day counts for it. */
const TOLERANCE_DAYS = 0.5;
/**
 * Half of the smallest change that two photos can tell (1.96 standard deviations). A wound that stands still is below it at five visits of six;
 * with the whole of it, most wounds that heal by a tenth a week would be called stalled after two weeks (docs/follow-up.md).
 */
const HALF_DETECTABLE = 0.98;
/** Nine of ten deviations lie below this many standard deviations. */
const NINE_OF_TEN = 1.282;

/**
 * Hardly any reduction against the latest comparable assessment of at least four or two weeks ago, and none that the last four weeks together
 * show. The weeks before them do not count: what healed well until a month ago may have stopped. The longer stall alone is told.
 * `areas`: those of the present episode before `assessment`, oldest first.
 */
export function stallAt(areas: readonly AssessmentInSeries[], assessment: AssessmentInSeries): Stall | null {
  if (areaOf(assessment.findings).value === 0) return null;
  for (const days of STALL_DAYS) {
    const since = areas.findLast(
      (one) => daysBetween(one, assessment) >= days - TOLERANCE_DAYS && isComparable(one, assessment),
    );
    if (since === undefined || isReduced(since, assessment)) continue;
    const [longest] = STALL_DAYS;
    const lately = areas.filter(
      (one) => daysBetween(one, assessment) <= longest + TOLERANCE_DAYS && isComparable(one, assessment),
    );
    return isShrinking([...lately, assessment]) ? null : { days, since, change: changeBetween(since, assessment) };
  }
  return null;
}

function isReduced(since: AssessmentInSeries, assessment: AssessmentInSeries): boolean {
  const sd = Math.hypot(logAreaSd(since.findings), logAreaSd(assessment.findings));
  return logGrowth(since.findings, assessment.findings) <= -HALF_DETECTABLE * sd;
}

function isShrinking(assessments: readonly AssessmentInSeries[]): boolean {
  const course = courseOf(assessments);
  return course !== null && course.slope + NINE_OF_TEN * course.sd < 0;
}
