import type { PixelPoint, PixelPolygon } from '../../core/measurement/wound-result.js';

/** An 8-bit RGB picture, row by row. */
interface RgbPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

type Colour = readonly [red: number, green: number, blue: number];

const RGB = 3;
// A white line in a dark one: one of the two stands out on every skin and in every light.
const DARK: Colour = [16, 24, 48];
const BRIGHT: Colour = [255, 255, 255];
/** Half widths in pixels at the reference size; thinner pictures get thinner lines. */
const DARK_HALF_WIDTH = 3;
const BRIGHT_HALF_WIDTH = 1.25;
const REFERENCE_SIDE_PX = 1600;
const LEAST_SCALE = 0.7;

/** Draws the rings into the picture as anti-aliased double lines. Coordinates are the picture's own pixels times `scale`. */
export function paintOutlines(
  picture: RgbPicture,
  outlines: readonly PixelPolygon[],
  scaleX: number,
  scaleY: number,
): void {
  const size = Math.max(LEAST_SCALE, Math.max(picture.width, picture.height) / REFERENCE_SIDE_PX);
  const distances = new Float32Array(picture.width * picture.height).fill(Infinity);
  const reach = DARK_HALF_WIDTH * size + 1;
  for (const { coordinates } of outlines) {
    for (const ring of coordinates) {
      for (let index = 0; index + 1 < ring.length; index += 1) {
        const [from, to] = [ring[index]!, ring[index + 1]!];
        measureSegment(
          distances,
          picture,
          [from[0] * scaleX, from[1] * scaleY],
          [to[0] * scaleX, to[1] * scaleY],
          reach,
        );
      }
    }
  }
  for (let pixel = 0; pixel < distances.length; pixel += 1) {
    const distance = distances[pixel]!;
    if (distance >= reach) continue;
    blend(picture.pixels, pixel * RGB, DARK, DARK_HALF_WIDTH * size + 0.5 - distance);
    blend(picture.pixels, pixel * RGB, BRIGHT, BRIGHT_HALF_WIDTH * size + 0.5 - distance);
  }
}

/** Keeps for each pixel near the segment its distance from the nearest line so far. */
function measureSegment(
  distances: Float32Array,
  { width, height }: RgbPicture,
  [x1, y1]: PixelPoint,
  [x2, y2]: PixelPoint,
  reach: number,
): void {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const squared = dx * dx + dy * dy;
  const right = Math.min(width - 1, Math.ceil(Math.max(x1, x2) + reach));
  const bottom = Math.min(height - 1, Math.ceil(Math.max(y1, y2) + reach));
  for (let row = Math.max(0, Math.floor(Math.min(y1, y2) - reach)); row <= bottom; row += 1) {
    for (let column = Math.max(0, Math.floor(Math.min(x1, x2) - reach)); column <= right; column += 1) {
      const [px, py] = [column + 0.5 - x1, row + 0.5 - y1];
      const along = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / squared));
      const distance = Math.hypot(px - along * dx, py - along * dy);
      const index = row * width + column;
      if (distance < distances[index]!) distances[index] = distance;
    }
  }
}

function blend(pixels: Uint8Array, offset: number, colour: Colour, coverage: number): void {
  const share = Math.min(1, Math.max(0, coverage));
  for (let channel = 0; channel < RGB; channel += 1) {
    const before = pixels[offset + channel]!;
    pixels[offset + channel] = Math.round(before + (colour[channel]! - before) * share);
  }
}
