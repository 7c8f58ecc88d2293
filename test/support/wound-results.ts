import type { PixelPolygon, WoundResult } from '../../src/core/measurement/wound-result.js';
import type { AssessmentFindings } from '../../src/core/followup/assessment.js';
import { findingsOf } from '../../src/core/followup/assessment.js';
import { assembleWoundResult } from '../../src/core/measurement/assemble-result.js';
import { withPlausibleScale } from '../../src/core/measurement/implausible-scale.js';
import { measureOutline } from '../../src/core/measurement/measure-wounds.js';
import type { PhotoRegion } from '../../src/core/measurement/photo-region.js';
import { clientScale } from '../../src/core/measurement/plane-scale.js';

export const PHOTO = { widthPx: 640, heightPx: 480 };
const FIGURES = { sharpness: 0.5, exposure: 55, highlight: 80, darkShare: 0, clippedShare: 0, glareShare: 0 };
const PICTURE = { contentType: 'image/png', width: PHOTO.widthPx, height: PHOTO.heightPx };

export interface DrawnResult {
  /** Left, top, right, bottom of each outline, the largest first. */
  readonly boxes?: readonly (readonly [number, number, number, number])[];
  /** null: no scale. */
  readonly mmPerPixel?: number | null;
  readonly model?: string;
  readonly repeatabilityPct?: number | null;
  readonly blurred?: boolean;
  /** Where the wound of the subject lies, as its sender said. */
  readonly region?: PhotoRegion | undefined;
}

/** A rectangle as a closed ring, clockwise on the screen. */
export function rectangle(left: number, top: number, right: number, bottom: number): PixelPolygon {
  return {
    type: 'Polygon',
    coordinates: [
      [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
        [left, top],
      ],
    ],
  };
}

/** The result of a photo whose outlines are rectangles, measured by the service's own functions. */
export function drawResult({
  boxes = [[100, 100, 200, 200]],
  mmPerPixel = 0.2,
  model = '1.0.0',
  repeatabilityPct = 5,
  blurred = false,
  region,
}: DrawnResult = {}): WoundResult {
  const scale = mmPerPixel === null ? null : clientScale(mmPerPixel);
  const wounds = boxes.map(([left, top, right, bottom], index) => {
    const [ring] = rectangle(left, top, right, bottom).coordinates;
    const outline = { outer: ring!.slice(1), holes: [], area: (right - left) * (bottom - top) };
    return { index, confidence: 0.9, ...measureOutline(outline, { below: 0.1, above: 0.1 }, scale) };
  });
  return assembleWoundResult({
    photo: PHOTO,
    ...withPlausibleScale({ scale, marker: null, mismatch: false }, wounds),
    setAside: [],
    confidence: 0.9,
    figures: { ...FIGURES, sharpness: blurred ? 0.05 : FIGURES.sharpness },
    unfamiliar: false,
    familiarity: null,
    artifacts: { mask: PICTURE, overlay: PICTURE },
    push: null,
    region,
    trace: {
      models: [{ name: 'wound-segmentation', version: model, sha256: 'ab'.repeat(32), researchOnly: true }],
      executionProvider: 'cpu',
      preprocessing: { inputWidth: 512, inputHeight: 512, resize: 'letterbox', colorSpace: 'srgb', crop: null },
      thresholds: { probability: 0.5, minAreaShare: 0.0003, novelty: null },
      areaRepeatabilityPct: repeatabilityPct,
      cardBarMm: null,
      timingsMs: {},
    },
  });
}

export function drawFindings(drawn: DrawnResult = {}): AssessmentFindings {
  return findingsOf(drawResult(drawn));
}

/** A square of so many cm² at 0.2 mm a pixel. */
export function squareOf(areaCm2: number): DrawnResult {
  const side = Math.sqrt(areaCm2 * 100) / 0.2;
  return { boxes: [[100, 100, 100 + side, 100 + side]] };
}
