import type { MeasuredCm2 } from '../measurement/wound-result.js';
import { noTrendReasonOf, type SeriesFindings, type NoTrendReason } from './assessment.js';

/** One photo's place in the series of its wound. */
export interface AssessmentInSeries {
  readonly reportId: string;
  readonly jobId: string;
  readonly imageId: string;
  readonly capturedAt: Date;
  readonly findings: SeriesFindings;
}

/** An earlier assessment that a later one is compared with. */
export interface SeriesPoint {
  readonly reportId: string;
  readonly jobId: string;
  readonly imageId: string;
  /** RFC 3339, UTC. */
  readonly capturedAt: string;
  readonly areaCm2: MeasuredCm2;
}

/** Why two areas may differ though the wound did not. */
export const COMPARABILITY_WARNINGS = ['other_scale_source', 'poor_quality', 'other_model_version'] as const;
export type ComparabilityWarning = (typeof COMPARABILITY_WARNINGS)[number];

export interface AreaChange {
  readonly days: number;
  readonly areaCm2: number;
  /** Below 0: smaller than then. */
  readonly areaPct: number;
  /** null within half a day: too short to speak of weeks. */
  readonly areaCm2PerWeek: number | null;
  /** Mean advance of the margin inwards: area lost ÷ mean perimeter ÷ days (Gilman 1990). Below 0: it retreated. */
  readonly marginAdvanceMmPerDay: number | null;
  /** A change smaller than this may come from taking the photo anew (95 %). */
  readonly minimalDetectableChangePct: number;
  readonly beyondDetectable: boolean;
  readonly warnings: readonly ComparabilityWarning[];
}

export const TRENDS = ['smaller', 'larger', 'within_detectable_change'] as const;
export type Trend = (typeof TRENDS)[number];

export interface SeriesComparison {
  /** null: this area stands in the series. */
  readonly noTrendReason: NoTrendReason | null;
  readonly previous: SeriesPoint | null;
  readonly baseline: SeriesPoint | null;
  readonly sincePrevious: AreaChange | null;
  readonly sinceBaseline: AreaChange | null;
  /** Against the previous assessment; null without one, and where the two are not comparable. */
  readonly trend: Trend | null;
}

/** The comparison in figures, without the points that it is made with. */
export type SeriesChanges = Omit<SeriesComparison, 'previous' | 'baseline'>;

const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;
const SHORTEST_RATE_DAYS = 0.5;
const MM_PER_CM = 10;
/** Both sides of a normal distribution's 95 % lie within this many standard deviations. */
const NINETY_FIVE_PERCENT = 1.96;

/** Oldest photo first; of photos of the same moment the one that was reported first. */
export function inOrderOfCapture<T extends Pick<AssessmentInSeries, 'capturedAt' | 'reportId'>>(
  assessments: readonly T[],
): T[] {
  return [...assessments].sort(
    (a, b) => a.capturedAt.getTime() - b.capturedAt.getTime() || (a.reportId < b.reportId ? -1 : 1),
  );
}

/**
 * Compares each assessment of one wound with the one before and the first, in the order of their photos.
 * An assessment without a usable area is skipped, with the reason.
 */
export function compareSeries(assessments: readonly AssessmentInSeries[]): Map<string, SeriesComparison> {
  const comparisons = new Map<string, SeriesComparison>();
  let baseline: AssessmentInSeries | null = null;
  let previous: AssessmentInSeries | null = null;
  for (const assessment of inOrderOfCapture(assessments)) {
    const noTrendReason = noTrendReasonOf(assessment.findings);
    const usable = noTrendReason === null;
    const sincePrevious = usable && previous !== null ? changeBetween(previous, assessment) : null;
    comparisons.set(assessment.reportId, {
      noTrendReason,
      previous: previous === null ? null : pointOf(previous),
      baseline: baseline === null ? null : pointOf(baseline),
      sincePrevious,
      sinceBaseline: usable && baseline !== null ? changeBetween(baseline, assessment) : null,
      trend: trendOf(sincePrevious),
    });
    if (!usable) continue;
    previous = assessment;
    baseline ??= assessment;
  }
  return comparisons;
}

function pointOf({ reportId, jobId, imageId, capturedAt, findings }: AssessmentInSeries): SeriesPoint {
  return { reportId, jobId, imageId, capturedAt: capturedAt.toISOString(), areaCm2: areaOf(findings) };
}

function areaOf({ figures }: SeriesFindings): MeasuredCm2 {
  const area = figures?.area.cm2;
  if (area === null || area === undefined) throw new Error('Only areas in cm² stand in a series.');
  return area;
}

/** The change from one area to a later one. Both have a scale. */
function changeBetween(from: AssessmentInSeries, to: AssessmentInSeries): AreaChange {
  const [before, after] = [areaOf(from.findings).value, areaOf(to.findings).value];
  const days = (to.capturedAt.getTime() - from.capturedAt.getTime()) / DAY_MS;
  const lost = before - after;
  const longEnough = days >= SHORTEST_RATE_DAYS;
  const perimeterCm = (perimeterOf(from.findings) + perimeterOf(to.findings)) / 2;
  const areaPct = before === 0 ? 0 : (-100 * lost) / before;
  const detectable = minimalDetectableChangePct(from.findings, to.findings);
  return {
    days: round(days, 1),
    areaCm2: round(-lost, 2),
    areaPct: round(areaPct, 1),
    areaCm2PerWeek: longEnough ? round((-lost / days) * DAYS_PER_WEEK, 2) : null,
    marginAdvanceMmPerDay: longEnough && perimeterCm > 0 ? round(((lost / perimeterCm) * MM_PER_CM) / days, 3) : null,
    minimalDetectableChangePct: round(detectable, 1),
    beyondDetectable: Math.abs(areaPct) > detectable,
    warnings: warningsBetween(from.findings, to.findings),
  };
}

function perimeterOf({ figures }: SeriesFindings): number {
  return figures?.perimeter.cm?.value ?? 0;
}

/**
 * 1.96 standard deviations of the difference of two areas of an unchanged wound: the outline's repeatability and twice the
 * length scale's uncertainty, of each photo, independent of each other (Bland & Altman 1999, repeatability).
 */
function minimalDetectableChangePct(from: SeriesFindings, to: SeriesFindings): number {
  const parts = [from, to].flatMap(({ areaRepeatabilityPct, scale }) => [
    areaRepeatabilityPct,
    2 * (scale.uncertaintyPct ?? 0),
  ]);
  return NINETY_FIVE_PERCENT * Math.hypot(...parts);
}

function warningsBetween(from: SeriesFindings, to: SeriesFindings): ComparabilityWarning[] {
  const bothModel = from.outlineSource !== 'reviewer_contour' && to.outlineSource !== 'reviewer_contour';
  const found: Readonly<Record<ComparabilityWarning, boolean>> = {
    other_scale_source: from.scale.source !== to.scale.source,
    poor_quality: !from.quality.acceptable || !to.quality.acceptable,
    other_model_version: bothModel && from.model !== to.model,
  };
  return COMPARABILITY_WARNINGS.filter((warning) => found[warning]);
}

function trendOf(change: AreaChange | null): Trend | null {
  if (change === null || change.warnings.length > 0) return null;
  if (!change.beyondDetectable) return 'within_detectable_change';
  return change.areaPct < 0 ? 'smaller' : 'larger';
}

function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  // Without the zero a tiny loss would come out as -0.
  return Math.round(value * factor) / factor + 0;
}
