import type { AssessmentFindings, NoTrendReason, SeriesFindings } from '../followup/assessment.js';
import type { SeriesComparison } from '../followup/series.js';
import type { PhotoQuality } from '../measurement/wound-result.js';
import { isConfirmed, type ReportReview } from './review.js';

/** What a receiver has to know of a photo before it uses the figures: an area without it passes for a good one. */
export interface PhotoTrust {
  readonly quality: Pick<PhotoQuality, 'acceptable' | 'warnings'>;
  /** False: the model's outline is more likely wrong than right. null: a person drew or confirmed it, nothing is outlined, or the model does not say. */
  readonly outlineReliable: boolean | null;
}

/** Of the photo, and of the outline unless a person has confirmed it. */
export function photoTrustOf(
  { quality: { acceptable, warnings }, woundDetected, outlineSource, familiarity }: AssessmentFindings,
  review: Pick<ReportReview, 'decision'> | null,
): PhotoTrust {
  const isOfModel = woundDetected && outlineSource === 'model' && !isConfirmed(review);
  return {
    quality: { acceptable, warnings },
    outlineReliable: isOfModel ? (familiarity?.outlineReliable ?? null) : null,
  };
}

/** Whether the area of this photo is compared with no other: the photo is poor, or its outline likely wrong and seen by nobody. */
export function isAreaDoubtful({ quality, familiarity }: SeriesFindings, isReviewed: boolean): boolean {
  return !quality.acceptable || (familiarity?.outlineReliable === false && !isReviewed);
}

/** `not_comparable`: the area stands in the series, and cannot safely be compared with the one before. */
type TrendObstacle = NoTrendReason | 'not_comparable';

/** Why no trend is stated; null: one is, or there is nothing to compare with yet. */
export function trendObstacleOf({ noTrendReason, sincePrevious, trend }: SeriesComparison): TrendObstacle | null {
  if (noTrendReason !== null) return noTrendReason;
  return trend === null && sincePrevious !== null ? 'not_comparable' : null;
}
