import type { CodedConcept } from '../analysis/analysis-job.js';
import { areaOf, logGrowth } from './area-change.js';
import { daysBetween, inOrderOfCapture, type AssessmentInSeries, type StatedSite } from './series-order.js';

/**
 * Why a result waits for a person: its side or site contradicts the wound's, its area changed more than healing can explain, or exceeds a limb. Excluded from the series until a person accepts, corrects, rejects or reassigns it.
 */
export const ATTENTION_REASONS = ['site_mismatch', 'area_jump', 'area_implausible'] as const;
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** A factor between two areas within a week that neither healing nor a wound's growth makes. */
const JUMP_FACTOR = 4;
const JUMP_DAYS = 7;
/** Tiny wounds close within a week, and their outline is a few pixels wide. */
const LEAST_JUMP_CM2 = 0.5;
/** A ninth of an adult's skin of 1.9 m², the front of a leg (rule of nines, Wallace 1951), is about 1,700 cm². */
export const LARGEST_LIMB_AREA_CM2 = 1700;

/**
 * `accepted`: sites of the same wound that stand in its series. `last`: the area before this one in the series, null without one;
 * `measurable`: this assessment has an area itself.
 */
export function attentionOf(
  assessment: AssessmentInSeries,
  accepted: readonly StatedSite[],
  last: AssessmentInSeries | null,
  measurable: boolean,
): AttentionReason[] {
  if (assessment.reviewed) return [];
  const found: Readonly<Record<AttentionReason, boolean>> = {
    site_mismatch: contradictsAll(assessment.stated, accepted),
    area_jump: measurable && last !== null && isJump(last, assessment),
    area_implausible: measurable && areaOf(assessment.findings).value > LARGEST_LIMB_AREA_CM2,
  };
  return ATTENTION_REASONS.filter((reason) => found[reason]);
}

function isJump(from: AssessmentInSeries, to: AssessmentInSeries): boolean {
  const differenceCm2 = Math.abs(areaOf(to.findings).value - areaOf(from.findings).value);
  return (
    daysBetween(from, to) <= JUMP_DAYS &&
    differenceCm2 >= LEAST_JUMP_CM2 &&
    Math.abs(logGrowth(from.findings, to.findings)) >= Math.log(JUMP_FACTOR)
  );
}

function contradictsAll(stated: StatedSite, accepted: readonly StatedSite[]): boolean {
  const same = accepted.filter(({ woundRef }) => woundRef === stated.woundRef);
  return (
    isContradicted(
      stated.laterality,
      same.map(({ laterality }) => laterality),
      (one, other) => one !== other,
    ) ||
    isContradicted(
      stated.bodySite,
      same.map(({ bodySite }) => bodySite),
      isOtherSite,
    )
  );
}

/** True where others are known, and none of them agrees. */
function isContradicted<T>(
  stated: T | null,
  known: readonly (T | null)[],
  isOther: (one: T, other: T) => boolean,
): boolean {
  if (stated === null) return false;
  const others = known.filter((value) => value !== null);
  return others.length > 0 && others.every((other) => isOther(stated, other));
}

/** Codes of two systems cannot be compared here, and words are not codes. */
function isOtherSite(one: CodedConcept, other: CodedConcept): boolean {
  if (one.code === undefined || other.code === undefined || one.system !== other.system) return false;
  return one.code !== other.code;
}

interface Waiting {
  readonly attention: readonly AttentionReason[];
}

interface Placed extends Waiting {
  readonly supersededBy: string | null;
}

/** True until a review confirms that the photo is of this wound. */
export function isSiteDoubted({ attention }: Waiting): boolean {
  return attention.includes('site_mismatch');
}

/** False where the site is doubted, and where another analysis of the photo stands. */
export function isSiteKnown(comparison: Placed): boolean {
  return comparison.supersededBy === null && !isSiteDoubted(comparison);
}

/** Site and side of the wound as known at each assessment: its own where it stands, else those stated last before. */
export function sitesInSeries(
  assessments: readonly AssessmentInSeries[],
  comparisons: ReadonlyMap<string, Placed>,
): Map<string, Pick<StatedSite, 'bodySite' | 'laterality'>> {
  const known = new Map<string, Pick<StatedSite, 'bodySite' | 'laterality'>>();
  const nowhere = { bodySite: null, laterality: null };
  return new Map(
    inOrderOfCapture(assessments).map(({ reportId, stated }) => {
      const before = known.get(stated.woundRef) ?? nowhere;
      if (!isSiteKnown(comparisons.get(reportId)!)) return [reportId, before];
      const now = {
        bodySite: stated.bodySite ?? before.bodySite,
        laterality: stated.laterality ?? before.laterality,
      };
      known.set(stated.woundRef, now);
      return [reportId, now];
    }),
  );
}
