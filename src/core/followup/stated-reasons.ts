import type { CourseReason } from './course.js';
import { infectionReasons } from './infection-reasons.js';
import type { AssessmentInSeries } from './series-order.js';
import { stageReason } from './stage-reason.js';
import { figureReason, STATED_FIGURES } from './stated-figures.js';
import { isDenied, signReasons } from './stated-signs.js';
import { tissueReasons, type AfterTreatment } from './tissue-reasons.js';

/** Pain that is less by number is no gain where the same form codes that it became more. */
function figuresOf(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): CourseReason[] {
  const reasons = STATED_FIGURES.map((figure) => figureReason(figure, earlier, now)).filter(
    (reason) => reason !== null,
  );
  return reasons.filter((reason) => reason.domain !== 'pain' || !isDenied(reason, now, 'increased_pain'));
}

/** What is known of the present episode until now. */
export interface Known {
  /** Oldest first, without the denials that another form of the visit contradicts. */
  readonly earlier: readonly AssessmentInSeries[];
  /** The same as they were written. */
  readonly written: readonly AssessmentInSeries[];
  readonly afterTreatment: AfterTreatment;
}

/** By what clinicians stated; a larger area is one of the signs of infection. */
export function statedReasons(
  { earlier, written, afterTreatment }: Known,
  now: AssessmentInSeries,
  isLarger: boolean,
): CourseReason[] {
  const found = [
    ...figuresOf(earlier, now),
    ...tissueReasons(earlier, now, afterTreatment),
    ...signReasons(earlier, now),
  ];
  const isWorse = (...domains: readonly CourseReason['domain'][]) =>
    found.some(({ domain, direction }) => direction === 'worse' && domains.includes(domain));
  const worse = {
    area: isLarger,
    pain: isWorse('pain'),
    exudate: isWorse('exudate'),
    pockets: isWorse('undermining', 'tunnelling'),
  };
  const infection = infectionReasons(earlier, now, worse, written);
  const stage = stageReason(earlier, now);
  return [...found, ...infection, ...(stage === null ? [] : [stage])];
}
