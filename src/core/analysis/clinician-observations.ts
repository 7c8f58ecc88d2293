import type { StatedSign } from './infection-sign-codes.js';
import type { WoundStage } from './wound-stage.js';

export const EXUDATE_AMOUNTS = ['none', 'light', 'moderate', 'heavy'] as const;
export type ExudateAmount = (typeof EXUDATE_AMOUNTS)[number];

export const EXUDATE_TYPES = ['serous', 'serosanguineous', 'sanguineous', 'purulent'] as const;
export type ExudateType = (typeof EXUDATE_TYPES)[number];

export const ODOURS = ['none', 'faint', 'moderate', 'strong'] as const;
export type Odour = (typeof ODOURS)[number];

/** How the edge of a wound looks; an edge may be of several kinds along its course. */
export const WOUND_EDGES = [
  'attached',
  'not_attached',
  'approximated',
  'distinct',
  'diffuse',
  'rolled',
  'undermined',
  'macerated',
  'callused',
  'fibrotic',
] as const;
export type WoundEdge = (typeof WOUND_EDGES)[number];

/** How the skin around a wound looks. */
export const PERIWOUND_FINDINGS = [
  'intact',
  'macerated',
  'erythema',
  'oedema',
  'induration',
  'warm',
  'dry',
  'scaly',
  'callus',
  'excoriated',
  'fragile',
  'blistered',
] as const;
export type PeriwoundFinding = (typeof PERIWOUND_FINDINGS)[number];

/** Clock positions are whole hours from 1 to 12, as seen by whoever faces the wound; 12 is as a rule towards the head. */
export const HOURS = 12;
/** An undermining or a tunnel is no deeper than this. */
export const MOST_UNDERMINING_CM = 30;
/** The most entries of a list: undermined stretches, tunnels, infection signs. */
export const MOST_LISTED = 12;
/** Code points of one infection sign. */
export const LONGEST_INFECTION_SIGN = 200;

/** A stretch of the edge that is undermined, clockwise from one hour to the other: 11 to 2 runs over 12. Without `toClock` it is at one hour. */
export interface Undermining {
  readonly fromClock: number;
  readonly toClock?: number | undefined;
  readonly depthCm: number;
}

export interface Tunnel {
  readonly clock: number;
  readonly depthCm: number;
}

/** What a clinician states of a wound. Copied to the report, never guessed; an absent field is not stated. */
export interface ClinicianObservations {
  readonly depthCm?: number | undefined;
  readonly lengthCm?: number | undefined;
  readonly widthCm?: number | undefined;
  readonly exudate?: ExudateAmount | undefined;
  readonly exudateType?: ExudateType | undefined;
  readonly odour?: Odour | undefined;
  /** 0 to 10. */
  readonly painNrs?: number | undefined;
  readonly undermining?: readonly Undermining[] | undefined;
  readonly tunnelling?: readonly Tunnel[] | undefined;
  readonly edges?: readonly WoundEdge[] | undefined;
  readonly periwound?: readonly PeriwoundFinding[] | undefined;
  /** The clinician's own words; no diagnosis is made of them. */
  readonly infectionSigns?: readonly string[] | undefined;
  /** Each sign at most once. */
  readonly infectionSignCodes?: readonly StatedSign[] | undefined;
  readonly stage?: WoundStage | undefined;
  /** When each was stated (`ClinicalTime`), of those of another day than the photo's. */
  readonly statedAt?: Readonly<Partial<Record<ClinicianField, string>>> | undefined;
}

/** Something that a clinician can state of a wound. */
export type ClinicianField = Exclude<keyof ClinicianObservations, 'statedAt'>;

export function isClockPosition(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= HOURS;
}

/** Undermining or a tunnel has a depth above 0. */
export function isUnderminingCm(value: number): boolean {
  return value > 0 && value <= MOST_UNDERMINING_CM;
}

// Control characters, and marks that turn the reading order of what follows.
const UNPRINTABLE = /[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** One line of words that can be printed and that say something. */
export function isInfectionSign(words: string): boolean {
  return words.trim() !== '' && [...words].length <= LONGEST_INFECTION_SIGN && !UNPRINTABLE.test(words);
}

/** The same without empty lists, which state nothing. */
export function withoutEmptyLists(given: ClinicianObservations): ClinicianObservations {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => !Array.isArray(value) || value.length > 0));
}
