import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import { isNegation } from './negated-words.js';

/** The lists of signs that are counted, each with the wounds that it is for; docs/follow-up.md has their sources. */
export const SIGN_SETS = ['iwgdf', 'stonees'] as const;
export type SignSet = (typeof SIGN_SETS)[number];

/** So many signs of a set speak of an infection. */
export const LEAST_SIGNS: Readonly<Record<SignSet, number>> = { iwgdf: 2, stonees: 3 };

/** What else of the wound is worse; some signs are a change. */
export interface FindingChanges {
  readonly area: boolean;
  readonly pain: boolean;
  readonly exudate: boolean;
  /** Undermining or a tunnel, new or deeper. */
  readonly pockets: boolean;
}

/** A clinician's own words that say more than that there is nothing. */
export function infectionWordsOf(observations: ClinicianObservations | null): string[] {
  return (observations?.infectionSigns ?? []).filter((sign) => !isNegation(sign));
}

/** The signs of a set that are recorded in coded fields. Pain counts where it became more: its level alone says nothing of an infection. */
export function signsOf(set: SignSet, observations: ClinicianObservations, worse: FindingChanges): string[] {
  const { periwound = [], exudate, exudateType, odour } = observations;
  const around = (...findings: readonly (typeof periwound)[number][]) =>
    findings.some((finding) => periwound.includes(finding));
  const found: Readonly<Record<string, boolean>> =
    set === 'iwgdf'
      ? {
          swelling: around('oedema', 'induration'),
          erythema: around('erythema'),
          pain: worse.pain,
          warmth: around('warm'),
          pus: exudateType === 'purulent',
        }
      : {
          size: worse.area,
          warmth: around('warm'),
          breakdown: worse.pockets,
          erythema: around('erythema', 'oedema'),
          exudate: exudate === 'heavy' || exudateType === 'purulent' || worse.exudate,
          odour: odour === 'moderate' || odour === 'strong',
        };
  return Object.keys(found).filter((sign) => found[sign] === true);
}
