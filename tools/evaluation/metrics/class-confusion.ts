import type { Overlap } from './overlap.js';

/** Pixel counts by labelled class (row) and found class (column), row by row. */
export interface ClassConfusion {
  readonly classes: number;
  readonly counts: readonly number[];
}

/** Both maps hold a class number below `classes` for each pixel of one picture. */
export function classConfusion(label: Uint8Array, found: Uint8Array, classes: number): ClassConfusion {
  const counts = new Array<number>(classes * classes).fill(0);
  for (let pixel = 0; pixel < label.length; pixel += 1) counts[label[pixel]! * classes + found[pixel]!]! += 1;
  return { classes, counts };
}

export function pooledConfusion(confusions: readonly ClassConfusion[], classes: number): ClassConfusion {
  const counts = new Array<number>(classes * classes).fill(0);
  for (const confusion of confusions) confusion.counts.forEach((count, cell) => (counts[cell]! += count));
  return { classes, counts };
}

/** The overlap of one class, as if it alone had been labelled. */
export function overlapOfClass({ classes, counts }: ClassConfusion, index: number): Overlap {
  let [labelledPx, foundPx] = [0, 0];
  for (let other = 0; other < classes; other += 1) {
    labelledPx += counts[index * classes + other]!;
    foundPx += counts[other * classes + index]!;
  }
  return { labelledPx, foundPx, sharedPx: counts[index * classes + index]! };
}
