import type { PhotoRaster } from '../photo-raster.js';

/** 8-bit brightness (ITU-R BT.601 weights), row by row. `step` raster pixels became one on each side. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly values: Uint8Array;
  readonly step: number;
}

/** A raster with a longer side is searched at half its size: markers large enough to measure are still found, in a quarter of the time. */
const LONGEST_WHOLE_SIDE = 1280;
const RGB = 3;

/** A brightness picture of the raster for the search. Corners are then placed on the raster itself. */
export function toSearchPicture(raster: PhotoRaster): GreyPicture {
  return Math.max(raster.width, raster.height) > LONGEST_WHOLE_SIDE ? halve(raster) : whole(raster);
}

function whole({ pixels, width, height }: PhotoRaster): GreyPicture {
  const values = new Uint8Array(width * height);
  for (let at = 0, target = 0; target < values.length; at += RGB, target += 1) {
    values[target] = (pixels[at]! * 77 + pixels[at + 1]! * 150 + pixels[at + 2]! * 29) >> 8;
  }
  return { width, height, values, step: 1 };
}

function halve({ pixels, width: rasterWidth, height: rasterHeight }: PhotoRaster): GreyPicture {
  const [width, height] = [rasterWidth >> 1, rasterHeight >> 1];
  const values = new Uint8Array(width * height);
  const stride = rasterWidth * RGB;
  for (let row = 0, target = 0; row < height; row += 1) {
    let at = row * 2 * stride;
    for (let column = 0; column < width; column += 1, at += 2 * RGB, target += 1) {
      const below = at + stride;
      const red = pixels[at]! + pixels[at + 3]! + pixels[below]! + pixels[below + 3]!;
      const green = pixels[at + 1]! + pixels[at + 4]! + pixels[below + 1]! + pixels[below + 4]!;
      const blue = pixels[at + 2]! + pixels[at + 5]! + pixels[below + 2]! + pixels[below + 5]!;
      values[target] = (red * 77 + green * 150 + blue * 29) >> 10;
    }
  }
  return { width, height, values, step: 2 };
}

/** Linear light at any place of the raster, 0 to 1: only in linear light does blur leave the middle of an edge in place. */
export function lightAt({ pixels, width, height }: PhotoRaster, x: number, y: number): number | null {
  // The centre of pixel 0 lies at 0.5.
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return null;
  const [across, down] = [x - 0.5 - left, y - 0.5 - top];
  const at = (top * width + left) * RGB;
  const below = at + width * RGB;
  const upper = pixelLight(pixels, at) * (1 - across) + pixelLight(pixels, at + RGB) * across;
  const lower = pixelLight(pixels, below) * (1 - across) + pixelLight(pixels, below + RGB) * across;
  return upper * (1 - down) + lower * down;
}

/** IEC 61966-2-1, for every 8-bit value. */
const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

function pixelLight(pixels: Uint8Array, at: number): number {
  return 0.2126 * LINEAR[pixels[at]!]! + 0.7152 * LINEAR[pixels[at + 1]!]! + 0.0722 * LINEAR[pixels[at + 2]!]!;
}
