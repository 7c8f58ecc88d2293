import type { BinaryMask } from './binary-mask.js';
import { divideIntoRegions } from './labelled-regions.js';
import { findNearestMarks } from './nearest-mark.js';

/** From this overlap on (intersection over union) an outline is the wound that the expert drew. */
const SAME_WOUND_IOU = 0.5;

/** The expert's judgement of one outline. */
interface OutlineTruth {
  /** True where an expert drew this wound. */
  readonly isWound: boolean;
  /** Labelled pixels nearer to this outline than to any other. */
  readonly labelledPx: number;
}

interface JudgedOutlines {
  readonly outlines: readonly OutlineTruth[];
  /** Separate labelled regions (of pixels that touch, corners included) that lie with no outline, or mostly with one that is not a wound. */
  readonly missedWounds: number;
}

/** `outlineOfPixel` holds the number of the outline that a pixel lies in, from 1 on, and 0 where none is; `count` outlines in all. */
export function judgeOutlines(label: BinaryMask, outlineOfPixel: Int32Array, count: number): JudgedOutlines {
  const territories =
    count > 1
      ? findNearestMarks(outlineOfPixel, label.width, label.height).marks
      : new Int32Array(outlineOfPixel.length).fill(count);
  const [outlinePx, labelledPx, sharedPx] = [0, 1, 2].map(() => new Array<number>(count + 1).fill(0)) as [
    number[],
    number[],
    number[],
  ];
  for (let pixel = 0; pixel < outlineOfPixel.length; pixel += 1) {
    const [outline, isLabelled] = [outlineOfPixel[pixel]!, label.pixels[pixel]!];
    outlinePx[outline]! += 1;
    labelledPx[territories[pixel]!]! += isLabelled;
    sharedPx[outline]! += isLabelled;
  }
  const outlines = Array.from({ length: count }, (_, index): OutlineTruth => {
    const [own, drawn, shared] = [outlinePx[index + 1]!, labelledPx[index + 1]!, sharedPx[index + 1]!];
    return { isWound: shared > 0 && shared >= SAME_WOUND_IOU * (own + drawn - shared), labelledPx: drawn };
  });
  return { outlines, missedWounds: countMissed(label, territories, outlines) };
}

function countMissed(label: BinaryMask, territories: Int32Array, outlines: readonly OutlineTruth[]): number {
  const { regionOfPixel, areasPx } = divideIntoRegions(label);
  const foundPx = new Array<number>(areasPx.length).fill(0);
  for (let pixel = 0; pixel < regionOfPixel.length; pixel += 1) {
    if (outlines[territories[pixel]! - 1]?.isWound === true) foundPx[regionOfPixel[pixel]!]! += 1;
  }
  return areasPx.filter((areaPx, region) => region > 0 && foundPx[region]! * 2 < areaPx).length;
}
