import type { EhrPush } from '../../../core/ehrs/ehr.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';

/**
 * The versions of a report that are filed, oldest first. A withdrawal is taken once something was; a version that only moved to a merged patient's
 * record is not, as the EHR merges its own.
 */
export function takenVersions(
  { when }: Pick<EhrPush, 'when'>,
  versions: readonly ClinicalReport[],
): readonly ClinicalReport[] {
  let isTold = false;
  return versions.filter((version) => {
    if (version.reason === 'moved') return false;
    if (version.status === 'entered-in-error') return isTold;
    const isTaken = version.status !== 'preliminary' && (when === 'final' || isReviewed(version));
    isTold ||= isTaken;
    return isTaken;
  });
}

function isReviewed({ content: { review } }: ClinicalReport): boolean {
  return review !== null && (review.decision === 'accept' || review.decision === 'correct');
}
