import type { CodedConcept, Laterality } from '../analysis/analysis-job.js';
import { areaOf, logAreaSd } from './area-change.js';
import { ageGroupOf, isBeforeBirth, isBirthKnown, largestLimbAreaCm2, type AgeGroup } from '../patients/patient-age.js';
import { REASON_OF_USE } from './same-photo.js';
import { areSitesApart, siteNamedBy, siteOfCode } from './site-codes.js';
import { sideAndSiteOf } from './site-words.js';
import {
  daysBetween,
  inOrderOfCapture,
  latestCapture,
  type AssessmentInSeries,
  type StatedSite,
} from './series-order.js';

/**
 * Why a result waits for a person: its side or site contradicts the wound's, its area changed more than healing can explain, or exceeds a limb of
 * the patient's age; the photo is dated before the patient's birth (`before_birth`); its sender asked for it, in the test environment (`sandbox`);
 * the same photo is filed for another patient or time (`duplicate_photo`) or for two wounds, or two outlines are of like size (`which_outline`); no wound lies
 * where its sender said (`no_wound_in_region`). Excluded from the series until a person accepts, corrects, rejects or reassigns it.
 */
export const ATTENTION_REASONS = [
  'site_mismatch',
  'duplicate_photo',
  'which_outline',
  'no_wound_in_region',
  'area_jump',
  'area_implausible',
  'before_birth',
  'sandbox',
] as const;
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** Growth by such a factor is another wound, another scale, or a wound that spreads fast: each has to be looked at. */
const GROWTH_FACTOR = { lately: 3, ever: 4 } as const;
const LATELY_DAYS = 14;
/** No margin of a chronic wound moves so fast; fast healing is some tenths of a millimetre a day. A fast infection may retreat by it: look now. */
const MOST_MM_PER_DAY = { outwards: 2, inwards: 1 } as const;
/** So much of a difference is left to the photos: 99 %. */
const LEFT_TO_PHOTOS = 2.576;
const MM_PER_CM = 10;
/** Tiny wounds close within a week, and their outline is a few pixels wide. */
const LEAST_JUMP_CM2 = 0.5;

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
  const { outlineChoice } = assessment.findings;
  const largest = largestLimbAreaCm2(ageGroupIn(assessment));
  const shared = new Set<AttentionReason>((assessment.otherUses ?? []).map(({ use }) => REASON_OF_USE[use]));
  const found: Readonly<Record<AttentionReason, boolean>> = {
    site_mismatch: contradictsItself(assessment.stated) || contradictsAll(assessment.stated, accepted),
    duplicate_photo: shared.has('duplicate_photo'),
    which_outline: shared.has('which_outline') || outlineChoice === 'like_outlines',
    no_wound_in_region: outlineChoice === 'no_wound_in_region',
    area_jump: measurable && last !== null && isJump(last, assessment),
    area_implausible: measurable && areaOf(assessment.findings).value > largest,
    before_birth: isDatedBeforeBirth(assessment),
    sandbox: assessment.isReviewAsked === true,
  };
  return ATTENTION_REASONS.filter((reason) => found[reason]);
}

/** Of the patient on the photo; null: an adult, or nobody knows. A date that was lost makes nobody an adult: what was said stays. */
export function ageGroupIn(assessment: AssessmentInSeries): AgeGroup | null {
  const { birthDate = null, capturedAt, ageGroupSaid = null } = assessment;
  return isBirthKnown(birthDate) ? ageGroupOf(birthDate, capturedAt, latestCapture(assessment)) : ageGroupSaid;
}

function isDatedBeforeBirth(assessment: AssessmentInSeries): boolean {
  const { birthDate = null, wasBeforeBirth = false } = assessment;
  return isBirthKnown(birthDate) ? isBeforeBirth(birthDate, latestCapture(assessment)) : wasBeforeBirth;
}

/** By its margin at any interval, outwards by a factor, too; a wound that closes in weeks is no jump. */
function isJump(from: AssessmentInSeries, to: AssessmentInSeries): boolean {
  const [before, after] = [areaOf(from.findings).value, areaOf(to.findings).value];
  if (Math.abs(after - before) < LEAST_JUMP_CM2) return false;
  const days = Math.max(daysBetween(from, to), 1);
  const byPhotos = Math.exp(LEFT_TO_PHOTOS * Math.hypot(logAreaSd(from.findings), logAreaSd(to.findings)));
  if (after < before) return radiusMm(before) - radiusMm(after * byPhotos) > MOST_MM_PER_DAY.inwards * days;
  const factor = days <= LATELY_DAYS ? GROWTH_FACTOR.lately : GROWTH_FACTOR.ever;
  return (
    after >= factor * Math.max(before, LEAST_JUMP_CM2) ||
    radiusMm(after / byPhotos) - radiusMm(before) > MOST_MM_PER_DAY.outwards * days
  );
}

/** Of a round wound of that area in cm². */
function radiusMm(areaCm2: number): number {
  return Math.sqrt(areaCm2 / Math.PI) * MM_PER_CM;
}

function contradictsAll(stated: StatedSite, accepted: readonly StatedSite[]): boolean {
  const same = accepted.filter(({ woundRef }) => woundRef === stated.woundRef);
  return (
    isContradicted(sideOf(stated), same.map(sideOf), (one, other) => one !== other) ||
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

/** Codes of one system are compared as codes, all else by the site that is understood: part of a site is no other site in words. */
function isOtherSite(one: CodedConcept, other: CodedConcept): boolean {
  if (one.code !== undefined && other.code !== undefined && one.system === other.system) return one.code !== other.code;
  const [first, second] = [siteNamedBy(one), siteNamedBy(other)];
  return first !== null && second !== null && areSitesApart(first, second);
}

/** Words are read once, however many photos come after them. */
const SIDES = new WeakMap<StatedSite, Laterality | null>();

/** The coded side, else the one that the words for the site name. */
function sideOf(stated: StatedSite): Laterality | null {
  const known = SIDES.get(stated);
  if (known !== undefined) return known;
  const { laterality, bodySite } = stated;
  const side = laterality ?? (bodySite?.display === undefined ? null : sideAndSiteOf(bodySite.display).side);
  SIDES.set(stated, side);
  return side;
}

/** The words for the site name another side or site than its code, or both sides. */
function contradictsItself({ laterality, bodySite }: StatedSite): boolean {
  if (bodySite?.display === undefined) return false;
  const { site, side, isContradictory } = sideAndSiteOf(bodySite.display);
  const coded = siteOfCode(bodySite);
  return (
    isContradictory ||
    (laterality !== null && side !== null && side !== laterality) ||
    (coded !== null && site !== null && areSitesApart(coded, site))
  );
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
