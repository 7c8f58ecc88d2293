import type { MeasuredArea } from './wound-result.js';

/** Of a normal distribution, beyond which one in a hundred lies, to both sides together. */
const ONE_IN_A_HUNDRED = 2.576;

/**
 * From this share of the largest area on, a second outline is of like size: on another photo of the same two wounds the second would be found
 * the larger in one of a hundred cases or more, and a series that takes the largest would go over from one wound to the other.
 * @param repeatabilityPct variation of an area when only the photo changes: one standard deviation, in %
 */
export function likeSizeShare(repeatabilityPct: number): number {
  return Math.exp((-ONE_IN_A_HUNDRED * Math.SQRT2 * repeatabilityPct) / 100);
}

/** True where another outline is of like size as the largest; in pixels of one photo. `areas`: largest first. */
export function haveLikeSize(areas: readonly Pick<MeasuredArea, 'pixels'>[], repeatabilityPct: number): boolean {
  const [largest, second] = areas;
  if (largest === undefined || second === undefined) return false;
  return second.pixels >= likeSizeShare(repeatabilityPct) * largest.pixels;
}
