import { eachSpanInside } from '../../../core/measurement/outline-mask.js';
import type { Ring } from '../../../core/measurement/polygon.js';
import { TISSUE_TABLE, TISSUES, type TissuePattern } from '../../../core/tissue/tissues.js';
import { blend, BRIGHT, DARK, type Colour, type RgbPicture } from './paint-strokes.js';

/** The number of the tissue at a pixel of the picture; 0 where none is known. */
export type TissueAt = (x: number, y: number) => number;

/** The photo shines through a little: a reader finds the place again. */
const OPACITY = 0.8;
const RGB = 3;
/** Of the patterns, at the reference size. */
const PERIOD_PX = 10;
const REFERENCE_SIDE_PX = 640;

interface Fill {
  readonly colour: Colour;
  readonly pattern: TissuePattern;
  /** Of the pattern. */
  readonly ink: Colour;
}

const FILLS = new Map(TISSUES.map((tissue) => [TISSUE_TABLE[tissue].number, fillOf(TISSUE_TABLE[tissue])]));

/** Fills the rings with the colour and pattern of each tissue, with a dark line where two meet. */
export function paintTissue(picture: RgbPicture, rings: readonly Ring[], tissueAt: TissueAt): void {
  const { width, height, pixels } = picture;
  const period = Math.max(6, Math.round((PERIOD_PX * Math.max(width, height)) / REFERENCE_SIDE_PX));
  eachSpanInside(rings, width, height, (y, from, to) => {
    for (let x = from; x < to; x += 1) {
      const number = tissueAt(x, y);
      const fill = FILLS.get(number);
      if (fill === undefined) continue;
      const offset = (y * width + x) * RGB;
      blend(pixels, offset, fill.colour, OPACITY);
      const borders = [tissueAt(x + 1, y), tissueAt(x, y + 1)].some((other) => other !== number && other !== 0);
      if (borders) blend(pixels, offset, DARK, OPACITY);
      else if (isInked(fill.pattern, x, y, period)) blend(pixels, offset, fill.ink, OPACITY);
    }
  });
}

function isInked(pattern: TissuePattern, x: number, y: number, period: number): boolean {
  const line = Math.max(1, period * 0.16);
  const [column, row] = [x % period, y % period];
  if (pattern === 'stripes') return (x + y) % period < line;
  if (pattern === 'lines') return row < line;
  if (pattern !== 'dots') return false;
  return Math.hypot(column - period / 2, row - period / 2) < period * 0.18;
}

function fillOf({ colour, pattern }: { readonly colour: string; readonly pattern: TissuePattern }): Fill {
  const channel = (at: number): number => Number.parseInt(colour.slice(at, at + 2), 16);
  const parts: Colour = [channel(1), channel(3), channel(5)];
  // ITU-R BT.709 luma.
  const luma = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  return { colour: parts, pattern, ink: luma > 128 ? DARK : BRIGHT };
}
