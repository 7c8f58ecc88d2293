import type { PixelPoint } from '../../../core/measurement/wound-result.js';

/** An 8-bit RGB picture, row by row. */
export interface RgbPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export type Colour = readonly [red: number, green: number, blue: number];

/** A line through these points, in pixels of the picture. */
export type Stroke = readonly PixelPoint[];

/** A line within a wider one; half widths in pixels. */
export interface Pen {
  readonly edge: Colour;
  readonly edgeHalfWidth: number;
  readonly core: Colour;
  readonly coreHalfWidth: number;
}

// A white line in a dark one: one of the two stands out on every skin, in every light and to every eye.
export const DARK: Colour = [16, 24, 48];
export const BRIGHT: Colour = [255, 255, 255];
const RGB = 3;
const LONGEST_PIECE_PX = 24;

/** The double line that all drawings have. */
export function doubleLine(coreHalfWidth: number, edgeHalfWidth: number): Pen {
  return { edge: DARK, edgeHalfWidth, core: BRIGHT, coreHalfWidth };
}

/** Draws anti-aliased lines with round ends. Where strokes of one call meet, none covers the other. */
export function paintStrokes(picture: RgbPicture, strokes: readonly Stroke[], pen: Pen): void {
  const reach = Math.max(pen.edgeHalfWidth, pen.coreHalfWidth) + 1;
  const field = fieldAround(picture, strokes, reach);
  if (field === null) return;
  for (const stroke of strokes)
    for (let index = 0; index + 1 < stroke.length; index += 1)
      measureLine(field, stroke[index]!, stroke[index + 1]!, reach);
  for (let row = 0, at = 0; row < field.height; row += 1) {
    let offset = ((field.top + row) * picture.width + field.left) * RGB;
    for (let column = 0; column < field.width; column += 1, at += 1, offset += RGB) {
      const distance = field.distances[at]!;
      if (distance >= reach) continue;
      blend(picture.pixels, offset, pen.edge, pen.edgeHalfWidth + 0.5 - distance);
      blend(picture.pixels, offset, pen.core, pen.coreHalfWidth + 0.5 - distance);
    }
  }
}

/** A filled disc with a ring around it. */
export function paintDisc(picture: RgbPicture, centre: PixelPoint, radius: number, fill: Colour, ring: Colour): void {
  const ringWidth = Math.max(1.2, radius * 0.14);
  const pen = { edge: ring, edgeHalfWidth: radius, core: fill, coreHalfWidth: radius - ringWidth };
  paintStrokes(picture, [[centre, centre]], pen);
}

/** Parts of a line with gaps between them. */
export function dashed(line: Stroke, dashPx: number, gapPx: number): Stroke[] {
  const dashes: PixelPoint[][] = [];
  let [left, isDash]: [number, boolean] = [dashPx, true];
  let dash: PixelPoint[] = line[0] === undefined ? [] : [line[0]];
  for (let index = 0; index + 1 < line.length; index += 1) {
    let [x, y] = line[index]!;
    const [endX, endY] = line[index + 1]!;
    let rest = Math.hypot(endX - x, endY - y);
    while (rest > left) {
      [x, y] = [x + ((endX - x) * left) / rest, y + ((endY - y) * left) / rest];
      rest -= left;
      if (isDash) dashes.push([...dash, [x, y]]);
      isDash = !isDash;
      left = isDash ? dashPx : gapPx;
      dash = [[x, y]];
    }
    left -= rest;
    if (isDash) dash.push([endX, endY]);
  }
  return isDash && dash.length > 1 ? [...dashes, dash] : dashes;
}

/** The distance from the nearest stroke so far, of every pixel that one can reach. */
interface DistanceField {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly distances: Float32Array;
}

function fieldAround(picture: RgbPicture, strokes: readonly Stroke[], reach: number): DistanceField | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const stroke of strokes)
    for (const [x, y] of stroke) {
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
    }
  left = Math.max(0, Math.floor(left - reach));
  top = Math.max(0, Math.floor(top - reach));
  const width = Math.min(picture.width, Math.ceil(right + reach)) - left;
  const height = Math.min(picture.height, Math.ceil(bottom + reach)) - top;
  if (!(width > 0 && height > 0)) return null;
  return { left, top, width, height, distances: new Float32Array(width * height).fill(Infinity) };
}

/** In short pieces: only the pixels around a piece are looked at. */
function measureLine(field: DistanceField, from: PixelPoint, to: PixelPoint, reach: number): void {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const pieces = Math.max(1, Math.ceil(Math.sqrt(dx * dx + dy * dy) / LONGEST_PIECE_PX));
  const at = (piece: number): PixelPoint => [from[0] + (dx * piece) / pieces, from[1] + (dy * piece) / pieces];
  for (let piece = 0; piece < pieces; piece += 1) measureSegment(field, at(piece), at(piece + 1), reach);
}

function measureSegment(field: DistanceField, from: PixelPoint, to: PixelPoint, reach: number): void {
  const { width, height, distances } = field;
  const [x1, y1, x2, y2] = [from[0] - field.left, from[1] - field.top, to[0] - field.left, to[1] - field.top];
  const [dx, dy] = [x2 - x1, y2 - y1];
  const squared = dx * dx + dy * dy;
  const right = Math.min(width - 1, Math.ceil(Math.max(x1, x2) + reach));
  const bottom = Math.min(height - 1, Math.ceil(Math.max(y1, y2) + reach));
  for (let row = Math.max(0, Math.floor(Math.min(y1, y2) - reach)); row <= bottom; row += 1) {
    for (let column = Math.max(0, Math.floor(Math.min(x1, x2) - reach)); column <= right; column += 1) {
      const [px, py] = [column + 0.5 - x1, row + 0.5 - y1];
      const along = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / squared));
      const [awayX, awayY] = [px - along * dx, py - along * dy];
      const distance = Math.sqrt(awayX * awayX + awayY * awayY);
      const index = row * width + column;
      if (distance < distances[index]!) distances[index] = distance;
    }
  }
}

/** Mixes a colour into a pixel; `coverage` below 0 is none, above 1 is all. */
export function blend(pixels: Uint8Array, offset: number, colour: Colour, coverage: number): void {
  if (coverage <= 0) return;
  const share = Math.min(1, coverage);
  for (let channel = 0; channel < RGB; channel += 1) {
    const before = pixels[offset + channel]!;
    pixels[offset + channel] = Math.round(before + (colour[channel]! - before) * share);
  }
}
