import type { ClinicianObservations, WoundEdge } from '../analysis/clinician-observations.js';
import type { WoundStage } from '../analysis/wound-stage.js';
import { isAnySignStated } from './infection-signs.js';
import { isLately } from './remembered.js';
import { lastVisitOf } from './same-visit.js';
import type { AssessmentInSeries } from './series-order.js';
import { isStated } from './stated-figures.js';

/** Of a bed that skin does not cover. */
const OPEN_TISSUES = ['necrosis', 'slough', 'granulation'] as const;
/** An edge that stands off the bed; others are written of scars as well. */
const OPEN_EDGES: readonly WoundEdge[] = ['not_attached', 'rolled', 'undermined'];

/**
 * A clinician stated what no closed wound has, at the last visit at which anything was stated, some weeks ago at most. Of one visit the worse counts: a
 * second form of the day closes no wound again.
 * @param earlier since a person had closed it, oldest first
 */
export function isStatedAsOpen(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): boolean {
  const stated = [...earlier, now].filter((at) => isStated(at) || isBedStated(at)).map((at) => ({ at }));
  return lastVisitOf(stated).some(({ at }) => isLately(at, now) && (isOpen(at.observations) || isBedStated(at)));
}

function isOpen(observations: ClinicianObservations | null): boolean {
  const { depthCm = 0, lengthCm = 0, widthCm = 0, undermining = [], tunnelling = [] } = observations ?? {};
  const { exudate, exudateType, edges = [], stage } = observations ?? {};
  const hasSize = depthCm > 0 || lengthCm > 0 || widthCm > 0 || undermining.length > 0 || tunnelling.length > 0;
  // Of whatever kind, and whether or not somebody wrote how much.
  const isWet = exudate === undefined ? exudateType !== undefined : exudate !== 'none';
  const hasEdge = edges.some((edge) => OPEN_EDGES.includes(edge));
  return hasSize || isWet || hasEdge || isUlcerByStage(stage) || isAnySignStated(observations);
}

/** Grade 0 is a foot without an ulcer. A pressure injury keeps its stage once it has healed, so that this says nothing (NPIAP). */
function isUlcerByStage(stage: WoundStage | undefined): boolean {
  return stage !== undefined && stage.system !== 'pressure' && !stage.value.startsWith('0');
}

function isBedStated({ findings: { tissue, confirmedTissues } }: AssessmentInSeries): boolean {
  return tissue !== null && OPEN_TISSUES.some((one) => confirmedTissues.includes(one) && tissue[one] > 0);
}
