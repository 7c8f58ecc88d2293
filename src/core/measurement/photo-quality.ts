import type { MarkerFinding, PhotoQuality, QualityWarning, WoundMeasurement } from '../analysis/wound-result.js';
import type { PhotoSize } from './probability-map.js';
import type { ChosenScale } from './scale-choice.js';

/** What the pixels of a photo say of how it was taken; its black padding is left out. */
export interface PhotoFigures {
  /** 0 to 1. */
  readonly sharpness: number;
  /** Mean lightness L*, 0 to 100. */
  readonly exposure: number;
  /** Share of pixels too dark to tell apart. */
  readonly darkShare: number;
  /** Share of pixels at the upper end of every channel. */
  readonly clippedShare: number;
  /** Share of pixels in small bright spots that mirror the lamp. */
  readonly glareShare: number;
}

/** What quality is judged by. */
export interface QualityEvidence {
  readonly photo: PhotoSize;
  readonly figures: PhotoFigures;
  /** Largest first. */
  readonly wounds: readonly WoundMeasurement[];
  /** Of the statement whether there is a wound. */
  readonly confidence: number;
  readonly scale: ChosenScale;
  /** The model says that it knows nothing like this photo. */
  readonly unfamiliar: boolean;
}

const LEAST_SHARPNESS = 0.1;
const LEAST_EXPOSURE = 20;
const MOST_EXPOSURE = 85;
const MOST_GLARE = 0.02;
const LEAST_SIDE_PX = 224;
/** Above it the view foreshortens so much that the far side of a wound is guessed. */
const MOST_TILT_DEGREES = 45;
/** Share of the largest outline above which the others together make it unclear which outlines are the wound. */
const MULTIPLE_OUTLINES_SHARE = 0.1;
/** An outline this close to the photo's border, in pixels, may go on outside. */
const EDGE_MARGIN_PX = 1;
const LEAST_CONFIDENCE = 0.6;

/** Warnings that another photo would take away. */
const RETAKE: readonly QualityWarning[] = ['blurred', 'under_exposed', 'over_exposed', 'glare', 'low_resolution', 'touches_edge', 'oblique', 'unfamiliar'];

/** The verdict on a photo. It changes no figure: a poor photo is analysed and says so. */
export function judgeQuality(evidence: QualityEvidence): PhotoQuality {
  const { sharpness, exposure, glareShare } = evidence.figures;
  const warnings = [...warningsOfPixels(evidence), ...warningsOfScale(evidence.scale), ...warningsOfOutlines(evidence)];
  return { acceptable: !warnings.some((warning) => RETAKE.includes(warning)), sharpness, exposure, glareShare, warnings };
}

function warningsOfPixels({ figures, photo, unfamiliar }: QualityEvidence): QualityWarning[] {
  const warnings: QualityWarning[] = [];
  if (figures.sharpness < LEAST_SHARPNESS) warnings.push('blurred');
  if (figures.exposure < LEAST_EXPOSURE) warnings.push('under_exposed');
  if (figures.exposure > MOST_EXPOSURE) warnings.push('over_exposed');
  if (figures.glareShare > MOST_GLARE) warnings.push('glare');
  if (Math.min(photo.widthPx, photo.heightPx) < LEAST_SIDE_PX) warnings.push('low_resolution');
  if (unfamiliar) warnings.push('unfamiliar');
  return warnings;
}

function warningsOfScale({ scale, marker, mismatch }: ChosenScale): QualityWarning[] {
  const warnings: QualityWarning[] = [];
  if (scale === null) warnings.push('no_scale');
  if (marker?.status === 'refused') warnings.push('marker_refused');
  if (isOblique(marker)) warnings.push('oblique');
  if (mismatch) warnings.push('scale_mismatch');
  return warnings;
}

function isOblique(marker: MarkerFinding | null): boolean {
  return marker?.tiltDegrees != null && marker.tiltDegrees > MOST_TILT_DEGREES;
}

function warningsOfOutlines({ wounds, photo, confidence }: QualityEvidence): QualityWarning[] {
  const warnings: QualityWarning[] = [];
  if (wounds.length === 0) warnings.push('no_wound');
  if (wounds.some((wound) => touchesEdge(wound, photo))) warnings.push('touches_edge');
  const [largest, ...others] = wounds;
  const othersPx = others.reduce((total, wound) => total + wound.area.pixels, 0);
  if (largest !== undefined && othersPx > largest.area.pixels * MULTIPLE_OUTLINES_SHARE) warnings.push('multiple_outlines');
  if (Math.min(confidence, largest?.confidence ?? 1) < LEAST_CONFIDENCE) warnings.push('uncertain');
  return warnings;
}

function touchesEdge({ boundingBox: box }: WoundMeasurement, photo: PhotoSize): boolean {
  return (
    box.x <= EDGE_MARGIN_PX ||
    box.y <= EDGE_MARGIN_PX ||
    box.x + box.width >= photo.widthPx - EDGE_MARGIN_PX ||
    box.y + box.height >= photo.heightPx - EDGE_MARGIN_PX
  );
}
