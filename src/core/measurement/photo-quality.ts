import type { MarkerFinding, PhotoQuality, QualityWarning, WoundMeasurement } from './wound-result.js';
import type { PhotoSize } from './probability-map.js';
import type { ChosenScale } from './scale-choice.js';

/** Figures of the photo itself, without its black padding. */
export interface PhotoFigures {
  /** Steepness of the sharpest edges at a grid of 512 cells, 0 to 1. */
  readonly sharpness: number;
  /** Mean lightness L*, 0 to 100. */
  readonly exposure: number;
  /** Lightness that a twentieth of the photo lies above: under-exposure darkens it, dark skin does not. */
  readonly highlight: number;
  /** Share too dark to tell anything apart. */
  readonly darkShare: number;
  /** Share where all channels are at their upper end. */
  readonly clippedShare: number;
  /** Share in small white spots that mirror the lamp. */
  readonly glareShare: number;
}

/** The evidence for a photo's quality. */
export interface QualityEvidence {
  readonly photo: PhotoSize;
  readonly figures: PhotoFigures;
  /** Largest first. */
  readonly wounds: readonly WoundMeasurement[];
  /** Outlined by the map, though the model says that the photo shows no open wound; `wounds` is empty then. */
  readonly setAside: readonly WoundMeasurement[];
  /** Of the statement whether there is a wound. */
  readonly confidence: number;
  readonly scale: ChosenScale;
  /** The model says that it knows nothing like this photo. */
  readonly unfamiliar: boolean;
}

// Calibrated on degraded copies of real photos; the measured rates stand in docs/measurement.md, "Quality".
/** Reached by a blur of about two cells of the grid, from which on outlines suffer. */
const LEAST_SHARPNESS = 0.27;
/** Both: dark skin has a low mean but light spots, a dark background as well. */
const LEAST_HIGHLIGHT = 60;
const LEAST_EXPOSURE = 40;
/** Both: white cloth and paper are clipped in good photos too. */
const MOST_CLIPPED_SHARE = 0.08;
const MOST_EXPOSURE = 55;
const MOST_GLARE_SHARE = 0.004;
/** Shorter side of the photo, and least extent of the largest wound, in pixels of the photo. */
const LEAST_SIDE_PX = 224;
const LEAST_WOUND_PX = 16;
/** Above it the view foreshortens so much that the far side of a wound is guessed. */
const MOST_TILT_DEGREES = 45;
/** Share of the largest outline above which the others together make it unclear which outlines are the wound. */
const MULTIPLE_OUTLINES_SHARE = 0.1;
/** An outline this close to the photo's border, in pixels, may go on outside. */
const EDGE_MARGIN_PX = 1;
const LEAST_CONFIDENCE = 0.6;

/** Warnings that another photo would take away. */
const RETAKE: readonly QualityWarning[] = [
  'blurred',
  'under_exposed',
  'over_exposed',
  'glare',
  'low_resolution',
  'touches_edge',
  'oblique',
];

/** The verdict on a photo, not on what the model knows of it. It changes no figure: a poor photo is analysed and says so. */
export function judgeQuality(evidence: QualityEvidence): PhotoQuality {
  const { sharpness, exposure, glareShare } = evidence.figures;
  const warnings = [...warningsOfPixels(evidence), ...warningsOfScale(evidence.scale), ...warningsOfOutlines(evidence)];
  return {
    acceptable: !warnings.some((warning) => RETAKE.includes(warning)),
    sharpness,
    exposure,
    glareShare,
    warnings,
  };
}

function warningsOfPixels({ figures, photo, wounds, unfamiliar }: QualityEvidence): QualityWarning[] {
  const warnings: QualityWarning[] = [];
  if (figures.sharpness < LEAST_SHARPNESS) warnings.push('blurred');
  if (figures.highlight < LEAST_HIGHLIGHT && figures.exposure < LEAST_EXPOSURE) warnings.push('under_exposed');
  if (figures.clippedShare > MOST_CLIPPED_SHARE && figures.exposure > MOST_EXPOSURE) warnings.push('over_exposed');
  if (figures.glareShare > MOST_GLARE_SHARE) warnings.push('glare');
  const woundPx = wounds[0]?.width.pixels ?? LEAST_WOUND_PX;
  if (Math.min(photo.widthPx, photo.heightPx) < LEAST_SIDE_PX || woundPx < LEAST_WOUND_PX)
    warnings.push('low_resolution');
  if (unfamiliar) warnings.push('unfamiliar');
  return warnings;
}

function warningsOfScale({ scale, marker, mismatch, isImplausible }: ChosenScale): QualityWarning[] {
  const warnings: QualityWarning[] = [];
  if (scale === null) warnings.push(isImplausible === true ? 'scale_implausible' : 'no_scale');
  if (marker?.status === 'refused' && isImplausible !== true) warnings.push('marker_refused');
  if (isOblique(marker)) warnings.push('oblique');
  if (mismatch) warnings.push('scale_mismatch');
  return warnings;
}

function isOblique(marker: MarkerFinding | null): boolean {
  return (marker?.tiltDegrees ?? 0) > MOST_TILT_DEGREES;
}

function warningsOfOutlines({ wounds, setAside, photo, confidence }: QualityEvidence): QualityWarning[] {
  const warnings: QualityWarning[] = [];
  // What has no open wound may be injured under intact skin, which nothing here looks for.
  if (wounds.length === 0) warnings.push('no_wound', 'open_wounds_only');
  if (wounds.some((wound) => touchesEdge(wound, photo))) warnings.push('touches_edge');
  const [largest, ...others] = wounds;
  const othersPx = others.reduce((total, wound) => total + wound.area.pixels, 0);
  if (largest !== undefined && othersPx > largest.area.pixels * MULTIPLE_OUTLINES_SHARE)
    warnings.push('multiple_outlines');
  // The map is as sure of a wound as it is of those that are reported: a person should look twice.
  const isContradicted = setAside.some((wound) => wound.confidence >= LEAST_CONFIDENCE);
  if (isContradicted || Math.min(confidence, largest?.confidence ?? 1) < LEAST_CONFIDENCE) warnings.push('uncertain');
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
