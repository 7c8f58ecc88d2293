import type { ClinicianObservations, WoundEdge } from '../analysis/clinician-observations.js';
import type { WoundStage } from '../analysis/wound-stage.js';
import { deniesInfection, isAnySignStated } from './infection-signs.js';
import { isLately } from './remembered.js';
import { lastVisitOf } from './same-visit.js';
import type { AssessmentInSeries } from './series-order.js';

/** Of a bed that skin does not cover. */
const OPEN_TISSUES = ['necrosis', 'slough', 'granulation'] as const;
/** An edge that stands off the bed; others are written of scars as well. */
const OPEN_EDGES: readonly WoundEdge[] = ['not_attached', 'rolled', 'undermined'];

const OPEN_FIELDS: readonly (keyof ClinicianObservations)[] = [
  'depthCm',
  'lengthCm',
  'widthCm',
  'undermining',
  'tunnelling',
  'exudate',
  'exudateType',
  'odour',
  'edges',
  'stage',
  'infectionSignCodes',
];

/**
 * A clinician stated what no closed wound has, at the last visit at which anything of that was stated, some weeks ago at most. Of one visit the worse counts: a
 * second form of the day closes no wound again.
 * @param earlier since a person had closed it, oldest first
 */
export function isStatedAsOpen(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): boolean {
  const answering = [...earlier, now].filter(isAnswering).map((at) => ({ at }));
  return lastVisitOf(answering).some(({ at }) => isLately(at, now) && (isOpen(at.observations) || isBedOpen(at)));
}

/** Who states none of these fields, pain alone for example, says nothing of whether it is open. */
function isAnswering({ observations, findings }: AssessmentInSeries): boolean {
  const given = observations ?? {};
  return (
    OPEN_FIELDS.some((field) => given[field] !== undefined) ||
    deniesInfection(observations) ||
    isOpen(observations) ||
    OPEN_TISSUES.some((tissue) => findings.confirmedTissues.includes(tissue))
  );
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

function isBedOpen({ findings: { tissue, confirmedTissues } }: AssessmentInSeries): boolean {
  return tissue !== null && OPEN_TISSUES.some((one) => confirmedTissues.includes(one) && tissue[one] > 0);
}
