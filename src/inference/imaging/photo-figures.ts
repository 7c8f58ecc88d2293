import type { PhotoFigures } from '../../core/measurement/photo-quality.js';

/** An 8-bit RGB picture, row by row. */
export interface FiguresRaster {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const RGB = 3;
/** About as many samples suffice for shares to a thousandth. */
const MOST_SAMPLES = 262_144;

/** Sharpness, exposure and glare of a photo, from its pixels. */
export function assessPhoto({ pixels, width, height }: FiguresRaster): PhotoFigures {
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / MOST_SAMPLES)));
  let [count, lightness, dark, clipped, contrast] = [0, 0, 0, 0, 0];
  for (let row = 1; row + 1 < height; row += step) {
    for (let column = 1; column + 1 < width; column += step) {
      const offset = (row * width + column) * RGB;
      const level = luma(pixels, offset);
      if (level < 2) continue;
      count += 1;
      lightness += level / 2.55;
      if (level < 16) dark += 1;
      if (level > 250) clipped += 1;
      const around = luma(pixels, offset - RGB) + luma(pixels, offset + RGB) + luma(pixels, offset - RGB * width) + luma(pixels, offset + RGB * width);
      contrast += Math.abs(4 * level - around);
    }
  }
  const share = (value: number) => (count === 0 ? 0 : Math.round((value / count) * 1000) / 1000);
  return { sharpness: Math.min(1, share(contrast) / 20), exposure: share(lightness), darkShare: share(dark), clippedShare: share(clipped), glareShare: share(clipped) };
}

function luma(pixels: Uint8Array, offset: number): number {
  return (77 * pixels[offset]! + 150 * pixels[offset + 1]! + 29 * pixels[offset + 2]!) / 256;
}
