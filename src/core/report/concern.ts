import type { Verdict } from '../followup/course.js';
import type { ClinicalReport } from './clinical-report.js';
import { isDisbelieved } from './held-back.js';
import { isConfirmed } from './review.js';

/**
 * Why a report is looked at before others, the gravest first. `held`: something contradicts, the software itself disbelieves the photo, or the result
 * was issued before it was known to be a child's;
 * `unknown`: nothing safe to compare, so nobody knows that it is well; `other`: no worse than before, as far as was found.
 */
export const CONCERNS = ['held', 'worsening', 'mixed', 'reopened', 'unknown', 'other'] as const;
export type Concern = (typeof CONCERNS)[number];

const OF_VERDICTS: Readonly<Record<Verdict, Concern>> = {
  worsening: 'worsening',
  mixed: 'mixed',
  reopened: 'reopened',
  unknown: 'unknown',
  improving: 'other',
  unchanged: 'other',
  closed: 'other',
  ended: 'other',
};

/** null: the report waits for nobody. */
export function concernOf({ status, content }: Pick<ClinicalReport, 'status' | 'content'>): Concern | null {
  const { attention, ageGroup, supersededBy, course } = content.comparison;
  // It was issued before anybody knew that the patient is a child, and may be acted upon.
  const isOfChild = ageGroup !== undefined && supersededBy === null;
  const isIssuedUnseen = status !== 'preliminary' && isOfChild && !isConfirmed(content.review);
  if (status === 'entered-in-error' || (status !== 'preliminary' && attention.length === 0 && !isIssuedUnseen))
    return null;
  return isIssuedUnseen || isDisbelieved(content) ? 'held' : concernOfVerdict(course?.verdict ?? null);
}

/** null: by rules that had no verdict. */
export function concernOfVerdict(verdict: Verdict | null): Concern {
  return OF_VERDICTS[verdict ?? 'unknown'];
}
