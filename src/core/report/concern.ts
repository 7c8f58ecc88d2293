import type { Verdict } from '../followup/course.js';
import type { ClinicalReport } from './clinical-report.js';
import { isDisbelieved } from './held-back.js';

/**
 * Why a report is looked at before others, the gravest first. `held`: something contradicts, or the software itself disbelieves the photo;
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
  const { attention, course } = content.comparison;
  if (status === 'entered-in-error' || (status !== 'preliminary' && attention.length === 0)) return null;
  return isDisbelieved(content) ? 'held' : concernOfVerdict(course?.verdict ?? null);
}

/** null: by rules that had no verdict. */
export function concernOfVerdict(verdict: Verdict | null): Concern {
  return OF_VERDICTS[verdict ?? 'unknown'];
}
