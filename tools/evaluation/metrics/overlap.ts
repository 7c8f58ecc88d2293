import type { BinaryMask } from './binary-mask.js';

/** The overlap of a found region and a labelled one, in pixels. */
export interface Overlap {
  readonly labelledPx: number;
  readonly foundPx: number;
  readonly sharedPx: number;
}

/** Both masks are of one size. */
export function overlapOf(label: BinaryMask, found: BinaryMask): Overlap {
  let [labelledPx, foundPx, sharedPx] = [0, 0, 0];
  for (let pixel = 0; pixel < label.pixels.length; pixel += 1) {
    const [isLabelled, isFound] = [label.pixels[pixel]!, found.pixels[pixel]!];
    labelledPx += isLabelled;
    foundPx += isFound;
    sharedPx += isLabelled & isFound;
  }
  return { labelledPx, foundPx, sharedPx };
}

/** All pictures as one large picture: figures of the sum are figures "of the data set". */
export function pooled(overlaps: readonly Overlap[]): Overlap {
  const sum = (read: (overlap: Overlap) => number) => overlaps.reduce((total, overlap) => total + read(overlap), 0);
  return {
    labelledPx: sum(({ labelledPx }) => labelledPx),
    foundPx: sum(({ foundPx }) => foundPx),
    sharedPx: sum(({ sharedPx }) => sharedPx),
  };
}

/** Twice the shared area over the sum of both (Dice 1945). null where both are empty: there is nothing to agree on. */
export function dice({ labelledPx, foundPx, sharedPx }: Overlap): number | null {
  return ratio(2 * sharedPx, labelledPx + foundPx);
}

/** Shared area over the area of either (Jaccard). null where both are empty. */
export function intersectionOverUnion({ labelledPx, foundPx, sharedPx }: Overlap): number | null {
  return ratio(sharedPx, labelledPx + foundPx - sharedPx);
}

/** Share of the found area that is labelled. null where nothing was found. */
export function precision({ foundPx, sharedPx }: Overlap): number | null {
  return ratio(sharedPx, foundPx);
}

/** Share of the labelled area that was found. null where nothing is labelled. */
export function recall({ labelledPx, sharedPx }: Overlap): number | null {
  return ratio(sharedPx, labelledPx);
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
