import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import { INFECTION_SIGNS, type InfectionSign } from '../analysis/infection-sign-codes.js';
import { bare, isNegation, isNotAssessed } from './negated-words.js';

/** The lists of signs that are counted, each with the wounds that it is for; docs/follow-up.md has their sources. */
export const SIGN_SETS = ['iwgdf', 'nerds', 'stonees', 'spreading'] as const;
export type SignSet = (typeof SIGN_SETS)[number];

/** The signs of each set; what stands together counts once. */
export const SIGNS_OF: Readonly<Record<SignSet, readonly (readonly InfectionSign[])[]>> = {
  iwgdf: [['swelling'], ['erythema', 'spreading_erythema'], ['increased_pain'], ['warmth'], ['purulent_exudate']],
  nerds: [
    ['delayed_healing'],
    ['increased_exudate', 'purulent_exudate'],
    ['friable_granulation'],
    ['debris'],
    ['odour'],
  ],
  stonees: [
    ['enlarging'],
    ['warmth'],
    ['probes_to_bone'],
    ['new_breakdown'],
    ['increased_exudate', 'purulent_exudate'],
    ['erythema', 'spreading_erythema', 'swelling'],
    ['odour'],
  ],
  spreading: [['spreading_erythema'], ['lymphangitis'], ['fever'], ['new_breakdown'], ['probes_to_bone']],
};

/** So many signs of a set speak of an infection; of one that spreads or reaches the bone each alone does. */
export const LEAST_SIGNS: Readonly<Record<SignSet, number>> = { iwgdf: 2, nerds: 3, stonees: 3, spreading: 1 };

/** A clinician's own words that say more than that there is nothing, or that nobody looked. */
export function infectionWordsOf(observations: ClinicianObservations | null): string[] {
  return (observations?.infectionSigns ?? []).filter((sign) => !isNegation(sign) && !isNotAssessed(sign));
}

/** What is stated of one sign in any coded field; undefined: nobody stated whether it is there. Where two fields contradict each other it is there. */
export function isSignStated(
  observations: ClinicianObservations | null | undefined,
  sign: InfectionSign,
): boolean | undefined {
  if (observations === null || observations === undefined) return undefined;
  const told = [isCodedAsPresent(observations, sign), FROM_FIELDS[sign]?.(observations)];
  return told.includes(true) ? true : told.find((one) => one !== undefined);
}

/**
 * The same, where a clinician who writes that there is no sign of infection denies each that no field states: for how long a sign counts ends there. It
 * makes nothing better by itself, since red skin may have other causes.
 */
export function isSignThere(
  observations: ClinicianObservations | null | undefined,
  sign: InfectionSign,
): boolean | undefined {
  return isSignStated(observations, sign) ?? (deniesInfection(observations) ? false : undefined);
}

type StatedSign = readonly [sign: InfectionSign, isThere: boolean];

/** Each form is asked once, however many photos come after it. */
const SIGNS_OF_FORMS = new WeakMap<ClinicianObservations, readonly StatedSign[]>();

/** The signs of which the form says whether they are there. */
export function signsStatedBy(observations: ClinicianObservations | null): readonly StatedSign[] {
  if (observations === null) return [];
  const known = SIGNS_OF_FORMS.get(observations);
  if (known !== undefined) return known;
  const stated = INFECTION_SIGNS.flatMap((sign): StatedSign[] => {
    const isThere = isSignThere(observations, sign);
    return isThere === undefined ? [] : [[sign, isThere]];
  });
  SIGNS_OF_FORMS.set(observations, stated);
  return stated;
}

/** The words, as a whole, say that there is no sign of infection; an empty line, or a dash where a form was left out, says nothing. */
export function deniesInfection(observations: ClinicianObservations | null | undefined): boolean {
  if (observations?.infectionSigns === undefined) return false;
  const known = DENIALS.get(observations) ?? isDenial(observations.infectionSigns);
  DENIALS.set(observations, known);
  return known;
}

/** Each form of a year is asked for each sign at each photo. */
const DENIALS = new WeakMap<ClinicianObservations, boolean>();

function isDenial(lines: readonly string[]): boolean {
  const words = lines.filter((line) => bare(line) !== '' && !isNotAssessed(line));
  return words.length > 0 && words.every(isNegation);
}

/** A clinician coded a sign as one of infection, or wrote of one. */
export function saysInfection(observations: ClinicianObservations | null): boolean {
  const isCoded = observations?.infectionSignCodes?.some(({ status }) => status === 'present') === true;
  return isCoded || infectionWordsOf(observations).length > 0;
}

/** As a sign of infection; undefined: not stated as one. */
export function isCodedAsPresent(observations: ClinicianObservations | null, sign: InfectionSign): boolean | undefined {
  const status = observations?.infectionSignCodes?.find((one) => one.sign === sign)?.status;
  return status === undefined ? undefined : status === 'present';
}

type Field = (observations: ClinicianObservations) => boolean | undefined;

/** Signs that other fields state as well. Skin that is described without a sign does not have it. */
const FROM_FIELDS: Readonly<Partial<Record<InfectionSign, Field>>> = {
  warmth: ({ periwound }) => periwound?.includes('warm'),
  erythema: ({ periwound }) => periwound?.includes('erythema'),
  swelling: ({ periwound }) => periwound?.some((finding) => finding === 'oedema' || finding === 'induration'),
  // Where nothing runs, no pus does.
  purulent_exudate: ({ exudate, exudateType }) =>
    exudateType === undefined ? (exudate === 'none' ? false : undefined) : exudateType === 'purulent',
  increased_exudate: ({ exudate }) => (exudate === undefined ? undefined : exudate === 'heavy' ? true : undefined),
  odour: ({ odour }) => (odour === undefined ? undefined : odour === 'moderate' || odour === 'strong'),
};
