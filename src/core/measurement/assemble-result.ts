import type {
  AnalysisTrace,
  Artifacts,
  PhotoQuality,
  PushScore,
  ScaleUsed,
  WoundMeasurement,
  WoundResult,
  Familiarity,
} from './wound-result.js';
import { judgeQuality, type QualityEvidence } from './photo-quality.js';
import { outlineAt, type PhotoRegion } from './photo-region.js';
import { mmPerPixelAt } from './plane-scale.js';

/** The findings from a photo's pixels: everything of the result except what only the job knows. */
export interface PhotoFindings extends QualityEvidence {
  /** null where nothing is outlined, or the model states no calibration. */
  readonly familiarity: Familiarity | null;
  readonly trace: AnalysisTrace;
}

export interface ResultParts extends PhotoFindings {
  readonly artifacts: Artifacts;
  /** null where the operator has not turned the score on. */
  readonly push: PushScore | null;
  /** Where the wound of the subject lies, as its sender said; absent: they did not. */
  readonly region?: PhotoRegion | undefined;
  /** Nobody stated when the photo was taken, and its camera says it. Absent: false. */
  readonly isCaptureOfPhoto?: boolean | undefined;
  /** Nobody stated it, and its camera says a time that cannot be. Absent: false. */
  readonly isCameraTimeUnused?: boolean | undefined;
}

/** The result of one photo. No wound found is a result like any other, and says nothing of healing. */
export function assembleWoundResult(parts: ResultParts): WoundResult {
  const { wounds } = parts;
  return {
    schemaVersion: '1.0',
    woundDetected: wounds.length > 0,
    confidence: parts.confidence,
    quality: withCapture(judgeQuality(parts), parts),
    familiarity: parts.familiarity,
    scale: scaleUsed(parts),
    wounds,
    ...(parts.region === undefined ? {} : { region: outlineAt(wounds, parts.region, parts.photo) }),
    totals: {
      woundCount: wounds.length,
      areaPixels: sum(wounds.map((wound) => wound.area.pixels)),
      areaCm2: totalAreaCm2(wounds),
    },
    scores: parts.push === null ? null : { push: parts.push },
    followUp: null,
    artifacts: parts.artifacts,
    trace: parts.trace,
  };
}

function withCapture(quality: PhotoQuality, { isCaptureOfPhoto, isCameraTimeUnused }: ResultParts): PhotoQuality {
  if (isCaptureOfPhoto === true) return { ...quality, warnings: [...quality.warnings, 'captured_at_from_photo'] };
  return isCameraTimeUnused === true ? { ...quality, warnings: [...quality.warnings, 'camera_time_unused'] } : quality;
}

function scaleUsed({ photo, wounds, scale: { scale, marker } }: ResultParts): ScaleUsed {
  if (scale === null) return { source: 'none', mmPerPixel: null, uncertaintyPct: null, pixelToMm: null, marker };
  const box = wounds[0]?.boundingBox ?? { x: 0, y: 0, width: photo.widthPx, height: photo.heightPx };
  // A scale stated by the caller comes back as it was stated.
  const mmPerPixel =
    scale.source === 'client'
      ? scale.toMm[0]
      : significant(mmPerPixelAt(scale, [box.x + box.width / 2, box.y + box.height / 2]));
  return {
    source: scale.source,
    mmPerPixel,
    uncertaintyPct: significant(scale.uncertaintyPct),
    pixelToMm: scale.toMm.map(exactEnough),
    marker,
  };
}

/** null without a wound or a scale: no wound is not a wound of 0 cm². */
function totalAreaCm2(wounds: readonly WoundMeasurement[]): number | null {
  const areas = wounds.flatMap((wound) => (wound.area.cm2 === null ? [] : [wound.area.cm2.value]));
  return areas.length === 0 || areas.length < wounds.length ? null : sum(areas);
}

/** Of figures already rounded for display: keeps the sum free of binary residue. */
function sum(values: readonly number[]): number {
  return Math.round(values.reduce((total, value) => total + value, 0) * 100) / 100;
}

/** Ten digits place a corner of a 50-megapixel photo to far below a micrometre. */
function exactEnough(value: number): number {
  return Number(value.toPrecision(10));
}

/** Four digits, more than any scale is known to; null where the plane does not reach. */
function significant(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(4)) : null;
}
