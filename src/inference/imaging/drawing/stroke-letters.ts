import type { PixelPoint } from '../../../core/measurement/wound-result.js';
import type { Stroke } from './paint-strokes.js';

/**
 * The signs that stand in pictures, as lines in a box as high as a digit: no font has to be there, and the decoder of text and SVG
 * stays shut. Widths are shares of that height.
 */
interface Letter {
  readonly width: number;
  readonly strokes: readonly Stroke[];
}

const GAP = 0.2;
const DEGREES_PER_STEP = 15;
const SIX: Letter = {
  width: 0.6,
  strokes: [[...arc(0.56, 0.64, 0.53, 0.64, 272, 180), ...arc(0.3, 0.68, 0.27, 0.32, 180, 540)]],
};

const LETTERS: Readonly<Record<string, Letter>> = {
  0: { width: 0.6, strokes: [arc(0.3, 0.5, 0.28, 0.5, 0, 360)] },
  1: { width: 0.45, strokes: [line([0.06, 0.24], [0.32, 0], [0.32, 1])] },
  2: { width: 0.6, strokes: [[...arc(0.3, 0.28, 0.27, 0.28, 190, 395), ...line([0.03, 1], [0.59, 1])]] },
  3: { width: 0.6, strokes: [[...arc(0.28, 0.25, 0.25, 0.25, 200, 450), ...arc(0.28, 0.74, 0.29, 0.26, 272, 520)]] },
  4: { width: 0.62, strokes: [line([0.44, 1], [0.44, 0], [0.02, 0.7], [0.61, 0.7])] },
  5: { width: 0.6, strokes: [[...line([0.54, 0], [0.12, 0], [0.07, 0.45]), ...arc(0.28, 0.68, 0.29, 0.32, 226, 495)]] },
  6: SIX,
  7: { width: 0.58, strokes: [line([0.02, 0], [0.56, 0], [0.2, 1])] },
  8: { width: 0.6, strokes: [arc(0.3, 0.25, 0.24, 0.25, 0, 360), arc(0.3, 0.74, 0.28, 0.26, 0, 360)] },
  9: { width: 0.6, strokes: SIX.strokes.map((stroke) => stroke.map(([x, y]) => [0.6 - x, 1 - y] as const)) },
  c: { width: 0.52, strokes: [arc(0.28, 0.69, 0.26, 0.31, 315, 45)] },
  m: {
    width: 0.86,
    strokes: [
      line([0.03, 0.38], [0.03, 1]),
      [...arc(0.23, 0.59, 0.2, 0.21, 180, 360), [0.43, 1]],
      [...arc(0.63, 0.59, 0.2, 0.21, 180, 360), [0.83, 1]],
    ],
  },
  ' ': { width: 0.2, strokes: [] },
};

/** The signs that can be written. */
export const WRITABLE = Object.keys(LETTERS).join('');

/** How wide a text is whose digits are so high. */
export function textWidth(text: string, height: number): number {
  const letters = lettersOf(text);
  return height * (letters.reduce((sum, { width }) => sum + width, 0) + GAP * Math.max(0, letters.length - 1));
}

/** The lines of a text whose upper left corner is at `x`, `y`. */
export function writeText(text: string, height: number, [x, y]: PixelPoint): Stroke[] {
  let left = x;
  return lettersOf(text).flatMap(({ width, strokes }) => {
    const at = left;
    left += (width + GAP) * height;
    return strokes.map((stroke) => stroke.map(([sx, sy]) => [at + sx * height, y + sy * height] as const));
  });
}

function lettersOf(text: string): Letter[] {
  return [...text].map((sign) => {
    const letter = LETTERS[sign];
    if (letter === undefined) throw new Error(`"${sign}" cannot be written into a picture.`);
    return letter;
  });
}

/** Part of an ellipse, from one angle to another; 0° is on the right, 90° below. */
function arc(x: number, y: number, radiusX: number, radiusY: number, from: number, to: number): PixelPoint[] {
  const steps = Math.ceil(Math.abs(to - from) / DEGREES_PER_STEP);
  return Array.from({ length: steps + 1 }, (_, step): PixelPoint => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
    return [x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle)];
  });
}

function line(...points: readonly PixelPoint[]): PixelPoint[] {
  return [...points];
}
