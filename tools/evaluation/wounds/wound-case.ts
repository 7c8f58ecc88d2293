import type { WoundMeasurement } from '../../../src/core/measurement/wound-result.js';
import { eachSpanInside } from '../../../src/core/measurement/outline-mask.js';
import type { PhotoSize } from '../../../src/core/measurement/probability-map.js';
import type { BinaryMask } from '../metrics/binary-mask.js';
import type { Statement } from '../metrics/calibration.js';
import { hausdorff95Px } from '../metrics/hausdorff.js';
import { judgeOutlines } from '../metrics/outline-truth.js';
import { overlapOf, type Overlap } from '../metrics/overlap.js';

/** The judged part of an analysis. */
export interface JudgedAnalysis {
  readonly photo: PhotoSize;
  readonly wounds: readonly Pick<WoundMeasurement, 'confidence' | 'contour' | 'area'>[];
  /** Confidence in the statement that there is a wound, or none. */
  readonly confidence: number;
}

/** The bounds of an outline's area beside the expert's. */
export interface JudgedBounds {
  readonly labelledPx: number;
  /** The expert's area lies within them. */
  readonly hold: boolean;
  /** Half of what lies between them, as a share of the outline's area. */
  readonly halfWidth: number;
}

/** An outline of the result. */
interface JudgedOutline extends Statement {
  /** null where no expert drew this wound. */
  readonly bounds: JudgedBounds | null;
}

/** The comparison of one photo's analysis with its label. */
export interface WoundComparison {
  readonly photo: PhotoSize;
  readonly overlap: Overlap;
  /** null where the label or the analysis has no wound. */
  readonly hausdorff95Px: number | null;
  /** As the result states it, all outlines together. */
  readonly measuredAreaPx: number;
  readonly outlines: readonly JudgedOutline[];
  /** Labelled wounds without an outline. */
  readonly missedWounds: number;
  /** True where the analysis is right about there being a wound at all. */
  readonly detection: Statement;
}

/** For each pixel the number of the outline it lies in, from 1 on; 0 where there is none. The pixels of the result's mask. */
export function numberOutlines({ photo, wounds }: JudgedAnalysis): Int32Array {
  const outlineOfPixel = new Int32Array(photo.widthPx * photo.heightPx);
  wounds.forEach(({ contour }, index) => {
    eachSpanInside(contour.coordinates, photo.widthPx, photo.heightPx, (row, from, to) => {
      outlineOfPixel.fill(index + 1, row * photo.widthPx + from, row * photo.widthPx + to);
    });
  });
  return outlineOfPixel;
}

export function outlinesAsMask({ photo }: JudgedAnalysis, outlineOfPixel: Int32Array): BinaryMask {
  return {
    width: photo.widthPx,
    height: photo.heightPx,
    pixels: Uint8Array.from(outlineOfPixel, (outline) => (outline === 0 ? 0 : 1)),
  };
}

/** `label` is of the photo's size. */
export function compareWithLabel(
  analysis: JudgedAnalysis,
  label: BinaryMask,
  outlineOfPixel: Int32Array,
): WoundComparison {
  const { photo, wounds, confidence } = analysis;
  const found = outlinesAsMask(analysis, outlineOfPixel);
  const overlap = overlapOf(label, found);
  const truth = judgeOutlines(label, outlineOfPixel, wounds.length);
  return {
    photo,
    overlap,
    hausdorff95Px: hausdorff95Px(label, found),
    measuredAreaPx: wounds.reduce((total, { area }) => total + area.pixels, 0),
    outlines: wounds.map((wound, index): JudgedOutline => {
      const { isWound, labelledPx } = truth.outlines[index]!;
      const { lower, upper } = wound.area.pixelBounds;
      return {
        confidence: wound.confidence,
        isTrue: isWound,
        bounds: isWound
          ? {
              labelledPx,
              hold: lower <= labelledPx && labelledPx <= upper,
              halfWidth: (upper - lower) / (2 * wound.area.pixels),
            }
          : null,
      };
    }),
    missedWounds: truth.missedWounds,
    detection: { confidence, isTrue: wounds.length > 0 === overlap.labelledPx > 0 },
  };
}
