import type { BinaryMask } from '../../tools/evaluation/metrics/binary-mask.js';

/** A mask from rows of text: `#` is wound. */
export function maskOf(...rows: readonly string[]): BinaryMask {
  return {
    width: rows[0]!.length,
    height: rows.length,
    pixels: Uint8Array.from(rows.join(''), (letter) => (letter === '#' ? 1 : 0)),
  };
}

/** A mask with one rectangle of wound. */
export function rectangleMask(
  width: number,
  height: number,
  box: { x: number; y: number; width: number; height: number },
): BinaryMask {
  const pixels = new Uint8Array(width * height);
  for (let row = box.y; row < box.y + box.height; row += 1)
    pixels.fill(1, row * width + box.x, row * width + box.x + box.width);
  return { width, height, pixels };
}
