import { NINETY_PERCENT } from './interval.js';
import { measureOutline, type Measures } from './measure-wounds.js';
import { mapOutline, type Outline } from './outline.js';
import { CLIENT_SCALE_UNCERTAINTY_PCT, planeScaleOf, type PlaneScale } from './plane-scale.js';
import type {
  MeasuredArea,
  PhotoQuality,
  PixelPolygon,
  QualityWarning,
  ScaleUsed,
  WoundMeasurement,
  WoundResult,
} from './wound-result.js';

/**
 * One standard deviation of an area that one expert outlines, in %: from 17 photos of the training data that two experts outlined
 * independently (docs/follow-up.md).
 */
export const EXPERT_AREA_PCT = 8.7;
/** What a person answers who sets the scale. */
const ANSWERED_BY_SCALE: readonly QualityWarning[] = [
  'no_scale',
  'marker_refused',
  'scale_mismatch',
  'scale_implausible',
];

/** An outline that a person drew, with the bounds that an expert's area has. */
export function measureDrawn(polygon: PixelPolygon, scale: PlaneScale | null): Measures {
  const share = (NINETY_PERCENT * EXPERT_AREA_PCT) / 100;
  return measureOutline(toOutline(polygon), { below: share, above: share }, scale);
}

/** An outline that stays as it is, by another scale: what it leaves open of the area stays, too. */
export function measureByScale(polygon: PixelPolygon, { pixels, pixelBounds }: MeasuredArea, scale: PlaneScale | null) {
  const margin = { below: (pixels - pixelBounds.lower) / pixels, above: (pixelBounds.upper - pixels) / pixels };
  return measureOutline(toOutline(polygon), margin, scale);
}

/** The scale that a person found by two points of a ruler: the same in every direction and place, as the caller's is. Above 0. */
export function reviewersScale(mmPerPixel: number, marker: ScaleUsed['marker']): ScaleUsed {
  return {
    source: 'reviewer',
    mmPerPixel,
    uncertaintyPct: CLIENT_SCALE_UNCERTAINTY_PCT,
    pixelToMm: [mmPerPixel, 0, 0, 0, mmPerPixel, 0, 0, 0, 1],
    // Seen, and not measured by.
    marker: marker === null ? null : { ...marker, status: 'ignored', reason: 'client_scale_given' },
  };
}

/** A result with its outlines measured anew by the scale that a person found. */
export function inReviewersScale(result: WoundResult, mmPerPixel: number): WoundResult {
  const scale = reviewersScale(mmPerPixel, result.scale.marker);
  const plane = planeScaleOf(scale);
  const again = (wound: WoundMeasurement): WoundMeasurement => ({
    ...wound,
    ...measureByScale(wound.contour, wound.area, plane),
    contour: wound.contour,
    tissue: wound.tissue,
  });
  return { ...result, scale, quality: withoutDoubtOfScale(result.quality), wounds: result.wounds.map(again) };
}

function withoutDoubtOfScale(quality: PhotoQuality): PhotoQuality {
  return { ...quality, warnings: quality.warnings.filter((warning) => !ANSWERED_BY_SCALE.includes(warning)) };
}

function toOutline({ coordinates }: PixelPolygon): Outline {
  const [outer, ...holes] = coordinates.map((ring) => ring.slice(1));
  return mapOutline({ outer: outer!, holes, area: 0 }, (point) => point);
}
