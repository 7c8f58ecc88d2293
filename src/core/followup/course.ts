import type { InfectionSign } from '../analysis/infection-sign-codes.js';
import type { NoTrendReason } from './assessment.js';
import type { AttentionReason } from './attention.js';
import type { Bounds } from '../measurement/wound-result.js';

/**
 * Better, worse, or not to be told, from everything that is known of the wound. `closed`: a person found it healed; `ended`: closed for another
 * reason; `reopened`: seen again after that; `unknown`: nothing safe to compare, or a person has to say something first.
 */
export const VERDICTS = [
  'improving',
  'unchanged',
  'worsening',
  'mixed',
  'closed',
  'ended',
  'reopened',
  'unknown',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Those that a receiver has to be told of as worse. */
export const WORSE_VERDICTS: readonly Verdict[] = ['worsening', 'mixed', 'reopened'];

/** What is looked at, in the order in which reasons are told. */
export const DOMAINS = [
  'area',
  'depth',
  'undermining',
  'tunnelling',
  'tissue',
  'exudate',
  'odour',
  'pain',
  'periwound',
  'edges',
  'infection',
  'stage',
] as const;
export type Domain = (typeof DOMAINS)[number];

/** `persists`: neither better nor worse than before, and no wound that has it is improving; `reset`: a treatment changed it, or wounds grew together or fell apart, which says neither. */
export const DIRECTIONS = ['better', 'worse', 'persists', 'reset'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** What changed within its domain. */
export const REASONS = [
  'area',
  'area_stalled',
  'area_after_debridement',
  'area_after_graft',
  'area_after_surgery',
  'area_after_joining',
  'area_after_split',
  'depth',
  'undermining',
  'tunnelling',
  'necrosis',
  'slough',
  'exudate_amount',
  'exudate_purulent',
  'odour',
  'odour_strong',
  'pain',
  'erythema',
  'warmth',
  'induration',
  'swelling',
  'periwound_findings',
  'edge_undermined',
  'edge_findings',
  'signs_iwgdf',
  'signs_nerds',
  'signs_stonees',
  'signs_spreading',
  'signs_other',
  'clinician_words',
  'stage',
] as const;
export type ReasonCode = (typeof REASONS)[number];

export type ReasonUnit = 'cm2' | 'cm' | 'percent' | 'of_ten' | 'count';

/** One finding that the verdict rests on. */
export interface CourseReason {
  readonly domain: Domain;
  readonly what: ReasonCode;
  readonly direction: Direction;
  /** A figure in `unit`, or the contract's word of a coded field; null: not stated then, or not one figure. */
  readonly from: number | string | null;
  readonly to: number | string | null;
  /** null: `from` and `to` are words. */
  readonly unit: ReasonUnit | null;
  /** Between the two; 0: nothing is compared. */
  readonly days: number;
  /** Of the area: holds its true change in % in nine of ten cases; by slope, in % a week. null where nothing was measured twice. */
  readonly interval: Bounds | null;
  readonly comparedWithReportId: string | null;
  /** Of coded signs of infection: those that are there. */
  readonly signs?: readonly InfectionSign[];
}

/** Why a person has to say something before more is told. */
export type WaitsFor = AttentionReason | NoTrendReason;

/** The course of a wound at one assessment. Decision support: it says what was found, never what will come. */
export interface Course {
  readonly verdict: Verdict;
  /** RFC 3339, UTC: the first assessment of this unbroken verdict; `closed`, `ended`, `reopened`: when that was decided. */
  readonly since: string;
  /** Worse before better, then in the order of domains; empty where nothing changed. */
  readonly because: readonly CourseReason[];
  /** Empty: nobody is waited for. */
  readonly waitsFor: readonly WaitsFor[];
}
