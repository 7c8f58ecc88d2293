import type { PushMoment } from '../../../core/ehrs/ehr.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';

/** What an EHR is told of a report. */
export interface ToldVersions {
  /** null: nothing new is filed there. */
  readonly when: PushMoment | null;
  /** The first version that it was told; null: none. */
  readonly toldFrom: number | null;
  /** It may have been told more than is known. */
  readonly isForgotten?: boolean;
}

/**
 * The versions of a report that are filed, oldest first. Once one was, every later one is that stands or is withdrawn, whatever is filed from now on:
 * what stands in the EHR has to be corrected. A version that only moved to a merged patient's record is not, as the EHR merges its own.
 */
export function takenVersions(
  { when, toldFrom, isForgotten = false }: ToldVersions,
  versions: readonly ClinicalReport[],
): readonly ClinicalReport[] {
  let isTold = false;
  return versions.filter((version) => {
    isTold ||= toldFrom !== null && version.version >= toldFrom;
    if (version.reason === 'moved') return false;
    if (version.status === 'entered-in-error') return isTold || isForgotten;
    if (version.status === 'preliminary') return false;
    isTold ||= when === 'final' || (when === 'reviewed' && isReviewed(version));
    return isTold;
  });
}

function isReviewed({ content: { review } }: ClinicalReport): boolean {
  return review !== null && (review.decision === 'accept' || review.decision === 'correct');
}
