import type { Bounds, MeasuredCm2 } from '../measurement/wound-result.js';
import type { SeriesFindings } from './assessment.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';
import { NINETY_FIVE_PERCENT, NINETY_PERCENT } from '../measurement/interval.js';
import { rounded } from '../measurement/rounded.js';

/** Why two areas may differ though the wound did not. */
export const COMPARABILITY_WARNINGS = [
  'other_scale_source',
  'poor_quality',
  'other_model_version',
  'doubtful_outline',
  'treated_between',
] as const;
export type ComparabilityWarning = (typeof COMPARABILITY_WARNINGS)[number];

export interface AreaChange {
  readonly days: number;
  readonly areaCm2: number;
  /** Below 0: smaller than then. */
  readonly areaPct: number;
  /** Interval of `areaPct` that holds the true change in nine of ten cases; absent in older reports. */
  readonly areaPctInterval?: Bounds;
  /** null within half a day: too short to speak of weeks. */
  readonly areaCm2PerWeek: number | null;
  /** Mean advance of the margin inwards: area lost ÷ mean perimeter ÷ days (Gilman 1990). Below 0: it retreated. */
  readonly marginAdvanceMmPerDay: number | null;
  /** A change in this direction that is smaller than this may come from taking the photo anew (95 %). */
  readonly minimalDetectableChangePct: number;
  readonly beyondDetectable: boolean;
  readonly warnings: readonly ComparabilityWarning[];
}

const DAYS_PER_WEEK = 7;
const SHORTEST_RATE_DAYS = 0.5;
const MM_PER_CM = 10;
/** Areas are stated in hundredths of a cm². */
const SMALLEST_AREA_CM2 = 0.01;
const ROUNDING_SD_CM2 = SMALLEST_AREA_CM2 / Math.sqrt(12);

/** The change from one area to a later one. Both have a scale. */
export function changeBetween(from: AssessmentInSeries, to: AssessmentInSeries): AreaChange {
  const [before, after] = [areaOf(from.findings).value, areaOf(to.findings).value];
  const days = daysBetween(from, to);
  const lost = before - after;
  const longEnough = days >= SHORTEST_RATE_DAYS;
  const perimeterCm = (perimeterCmOf(from.findings) + perimeterCmOf(to.findings)) / 2;
  const growth = logGrowth(from.findings, to.findings);
  const sd = Math.hypot(logAreaSd(from.findings), logAreaSd(to.findings));
  const detectable = NINETY_FIVE_PERCENT * sd;
  return {
    days: rounded(days, 1),
    areaCm2: rounded(-lost, 2),
    areaPct: rounded((-100 * lost) / Math.max(before, SMALLEST_AREA_CM2), 1),
    areaPctInterval: {
      lower: rounded(percentOf(growth - NINETY_PERCENT * sd), 1),
      upper: rounded(percentOf(growth + NINETY_PERCENT * sd), 1),
    },
    areaCm2PerWeek: longEnough ? rounded((-lost / days) * DAYS_PER_WEEK, 2) : null,
    marginAdvanceMmPerDay: longEnough && perimeterCm > 0 ? rounded(((lost / perimeterCm) * MM_PER_CM) / days, 3) : null,
    minimalDetectableChangePct: rounded(Math.abs(percentOf(growth < 0 ? -detectable : detectable)), 1),
    beyondDetectable: Math.abs(growth) > detectable,
    warnings: warningsBetween(from, to),
  };
}

/** Photos of one day are repeats of one visit: they differ by how they were taken, and nothing grew. */
export function isOtherVisit({ days }: Pick<AreaChange, 'days'>): boolean {
  return days >= 1;
}

/** The measured area. Only called for assessments that stand in the series. */
export function areaOf({ figures }: Pick<SeriesFindings, 'figures'>): MeasuredCm2 {
  const area = figures?.area.cm2;
  if (area === null || area === undefined) throw new Error('Only areas in cm² stand in a series.');
  return area;
}

/** 0 where the perimeter is not known. */
export function perimeterCmOf({ figures }: Pick<SeriesFindings, 'figures'>): number {
  return figures?.perimeter.cm?.value ?? 0;
}

/** Natural logarithm of an area in cm²; an area that rounds to nothing counts as the smallest that is stated. */
export function logAreaOf(findings: SeriesFindings): number {
  return Math.log(Math.max(areaOf(findings).value, SMALLEST_AREA_CM2));
}

/**
 * One standard deviation of `logAreaOf` when an unchanged wound is photographed anew: the outline's repeatability, twice the length
 * scale's uncertainty, and the rounding of a small area, independent of each other (Bland & Altman 1999, repeatability).
 */
export function logAreaSd(findings: Pick<SeriesFindings, 'figures' | 'areaRepeatabilityPct' | 'scale'>): number {
  const { areaRepeatabilityPct, scale } = findings;
  const rounding = ROUNDING_SD_CM2 / Math.max(areaOf(findings).value, SMALLEST_AREA_CM2);
  return Math.hypot(areaRepeatabilityPct / 100, (2 * (scale.uncertaintyPct ?? 0)) / 100, rounding);
}

export function logGrowth(from: SeriesFindings, to: SeriesFindings): number {
  return logAreaOf(to) - logAreaOf(from);
}

/** A difference of logarithms as a change in %. */
export function percentOf(logDifference: number): number {
  return 100 * Math.expm1(logDifference);
}

/** Why these two are not safely compared; empty: they are. What a person outlined or accepted is not the model's any more. */
export function warningsBetween(from: AssessmentInSeries, to: AssessmentInSeries): ComparabilityWarning[] {
  const [one, other] = [from.findings, to.findings];
  const bothModel = one.outlineSource !== 'reviewer_contour' && other.outlineSource !== 'reviewer_contour';
  const found: Readonly<Record<ComparabilityWarning, boolean>> = {
    other_scale_source: one.scale.source !== other.scale.source,
    poor_quality: !one.quality.acceptable || !other.quality.acceptable,
    other_model_version: bothModel && one.model !== other.model,
    doubtful_outline: isDoubtful(from) || isDoubtful(to),
    // Areas between which a treatment lies are told apart before they are compared.
    treated_between: false,
  };
  return COMPARABILITY_WARNINGS.filter((warning) => found[warning]);
}

/** Whether there is no such reason: asked of every pair of a series, so it makes no list. */
export function isComparable(from: AssessmentInSeries, to: AssessmentInSeries): boolean {
  const [one, other] = [from.findings, to.findings];
  if (one.scale.source !== other.scale.source || !one.quality.acceptable || !other.quality.acceptable) return false;
  if (isDoubtful(from) || isDoubtful(to)) return false;
  return (
    one.model === other.model || one.outlineSource === 'reviewer_contour' || other.outlineSource === 'reviewer_contour'
  );
}

function isDoubtful({ findings, reviewed }: AssessmentInSeries): boolean {
  return findings.familiarity?.outlineReliable === false && !reviewed;
}
