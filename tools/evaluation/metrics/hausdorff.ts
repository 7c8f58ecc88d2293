import type { BinaryMask } from './binary-mask.js';
import { findNearestMarks } from './nearest-mark.js';
import { quantile } from './order-statistics.js';

const SHARE = 0.95;

/**
 * 95th percentile Hausdorff distance between the borders of two regions, in pixels: how far 95 % of either border lies from the other at most,
 * the larger of the two directions. The border is made of the region's pixels with a neighbour (left, right, above, below) outside of it; the picture's
 * own edge counts as outside. null where a region is empty: there is no distance to nothing.
 */
export function hausdorff95Px(one: BinaryMask, other: BinaryMask): number | null {
  const frame = frameAround(one, other);
  if (frame === null) return null;
  const [oneBorder, otherBorder] = [borderWithin(one, frame), borderWithin(other, frame)];
  const there = directed(oneBorder, otherBorder, frame);
  const back = directed(otherBorder, oneBorder, frame);
  return there === null || back === null ? null : Math.max(there, back);
}

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest frame around both regions: every border pixel lies in it, so that nothing outside needs a distance. */
function frameAround(...masks: readonly BinaryMask[]): Frame | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
  for (const { width, pixels } of masks) {
    for (let pixel = pixels.indexOf(1); pixel >= 0; pixel = pixels.indexOf(1, pixel + 1)) {
      const [column, row] = [pixel % width, Math.floor(pixel / width)];
      left = Math.min(left, column);
      right = Math.max(right, column);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row);
    }
  }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

function borderWithin(mask: BinaryMask, { left, top, width, height }: Frame): Uint8Array {
  const border = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      if (isBorder(mask, left + column, top + row)) border[row * width + column] = 1;
    }
  }
  return border;
}

function isBorder({ width, height, pixels }: BinaryMask, column: number, row: number): boolean {
  const at = row * width + column;
  if (pixels[at] === 0) return false;
  if (column === 0 || row === 0 || column === width - 1 || row === height - 1) return true;
  return pixels[at - 1] === 0 || pixels[at + 1] === 0 || pixels[at - width] === 0 || pixels[at + width] === 0;
}

function directed(from: Uint8Array, to: Uint8Array, { width, height }: Frame): number | null {
  const { squaredPx } = findNearestMarks(to, width, height);
  const distances: number[] = [];
  for (let pixel = 0; pixel < from.length; pixel += 1) {
    if (from[pixel] === 1) distances.push(Math.sqrt(squaredPx[pixel]!));
  }
  const share = quantile(distances, SHARE);
  return share === null || !Number.isFinite(share) ? null : share;
}
