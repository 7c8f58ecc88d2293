import type { ClinicianObservations, WoundEdge } from '../analysis/clinician-observations.js';
import { INFECTION_SIGNS, type InfectionSign } from '../analysis/infection-sign-codes.js';
import type { StageSystem } from '../analysis/wound-stage.js';
import { deniesInfection, infectionWordsOf, isCodedAsPresent, isSignThere } from './infection-signs.js';
import { WITHOUT_ULCER } from './stage-reason.js';
import { isLately } from './remembered.js';
import { lastVisitOf } from './same-visit.js';
import type { AssessmentInSeries } from './series-order.js';

/** Whether one thing that no closed wound has is there; undefined: this form says nothing of it. */
type OpenSign = (at: AssessmentInSeries) => boolean | undefined;

/** An edge that stands off the bed; others are written of scars as well. */
const OPEN_EDGES: readonly WoundEdge[] = ['not_attached', 'rolled', 'undermined'];

/** Edges may meet over them. */
const POCKETS: readonly OpenSign[] = [
  stated(({ undermining }) => isAny(undermining)),
  stated(({ tunnelling }) => isAny(tunnelling)),
];

const OPEN_SIGNS: readonly OpenSign[] = [
  stated(({ depthCm }) => isAbove0(depthCm)),
  stated(({ lengthCm, widthCm }) => isAbove0(lengthCm) || isAbove0(widthCm)),
  ...POCKETS,
  // Of whatever kind, and whether or not somebody wrote how much.
  stated(({ exudate, exudateType }) =>
    exudate === undefined ? (exudateType === undefined ? undefined : true) : exudate !== 'none',
  ),
  stated(({ edges }) => edges?.some((edge) => OPEN_EDGES.includes(edge))),
  stated(isUlcerBy('wagner')),
  stated(isUlcerBy('texas')),
  tissueIn('necrosis'),
  tissueIn('slough'),
  tissueIn('granulation'),
  ...INFECTION_SIGNS.map((sign) => stated((given) => isInfectionSign(given, sign))),
  stated((given) => (infectionWordsOf(given).length > 0 ? true : deniesInfection(given) ? false : undefined)),
];

/**
 * A clinician stated what no closed wound has, some weeks ago at most, and nobody has taken that back at a later visit: by the same field, or by what says of
 * the wound as a whole that it has closed. Of one visit the worse counts: a second form of the day closes no wound again.
 * @param earlier since a person had closed it, oldest first
 */
export function isStatedAsOpen(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): boolean {
  const all = [...earlier, now];
  return OPEN_SIGNS.some((isThere) => {
    const answers = all.flatMap((at) => {
      const isClosed = hasNoWound(at) || (doEdgesMeet(at) && !POCKETS.includes(isThere));
      const value = isThere(at) ?? (isClosed ? false : undefined);
      return value === undefined ? [] : [{ at, value }];
    });
    return lastVisitOf(answers).some(({ at, value }) => value && isLately(at, now));
  });
}

/** No length, or a foot without an ulcer; a depth of 0 is also that of a shallow wound, and a dry one may be open. */
function hasNoWound({ observations }: AssessmentInSeries): boolean {
  const { lengthCm, widthCm, stage } = observations ?? {};
  const hasNoExtent = (lengthCm === 0 || widthCm === 0) && !(Math.max(lengthCm ?? 0, widthCm ?? 0) > 0);
  const hasGrade0 = stage !== undefined && stage.system !== 'pressure' && WITHOUT_ULCER.includes(stage.value);
  return hasNoExtent || hasGrade0;
}

function doEdgesMeet({ observations }: AssessmentInSeries): boolean {
  const edges = observations?.edges ?? [];
  return edges.includes('approximated') && !edges.some((edge) => OPEN_EDGES.includes(edge));
}

function stated(of: (observations: ClinicianObservations) => boolean | undefined): OpenSign {
  return ({ observations }) => (observations === null ? undefined : of(observations));
}

function isAbove0(lengthCm: number | undefined): boolean | undefined {
  return lengthCm === undefined ? undefined : lengthCm > 0;
}

function isAny(pockets: readonly unknown[] | undefined): boolean | undefined {
  return pockets === undefined ? undefined : pockets.length > 0;
}

/** Grade 0 is a foot without an ulcer. A pressure injury keeps its stage once it has healed, so that this says nothing (NPIAP). */
function isUlcerBy(system: StageSystem) {
  return ({ stage }: ClinicianObservations) =>
    stage?.system === system ? !WITHOUT_ULCER.includes(stage.value) : undefined;
}

/** Of a bed that skin does not cover. */
function tissueIn(one: 'necrosis' | 'slough' | 'granulation'): OpenSign {
  return ({ findings: { tissue, confirmedTissues } }) =>
    tissue === null || !confirmedTissues.includes(one) ? undefined : tissue[one] > 0;
}

/**
 * Oedema and induration of the skin are none by themselves: a leg with a venous disease keeps them for years after its ulcer has healed. Swelling that is
 * coded as a sign is one.
 */
function isInfectionSign(given: ClinicianObservations, sign: InfectionSign): boolean | undefined {
  return sign === 'swelling' ? isCodedAsPresent(given, sign) : isSignThere(given, sign);
}
