/** A picture of yes and no, row by row: 1 is wound, 0 is not. */
export interface BinaryMask {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export function countPixels({ pixels }: BinaryMask): number {
  let count = 0;
  for (const pixel of pixels) count += pixel;
  return count;
}
