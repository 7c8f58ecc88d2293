import type { TissuePattern } from '../../core/tissue/tissues.js';

type Point = readonly [x: number, y: number];

/** What is drawn over a colour: lines from end to end, and dots. */
export interface PatternMarks {
  readonly lines: readonly (readonly [Point, Point])[];
  readonly dots: readonly Point[];
}

/** A pattern over a rectangle, the same as in the tissue map; marks reach to its edges and not beyond. */
export function patternMarks(pattern: TissuePattern, width: number, height: number, period: number): PatternMarks {
  const every = (length: number, from: number) =>
    Array.from({ length: Math.max(0, Math.ceil((length - from) / period)) }, (_, index) => from + index * period);
  if (pattern === 'stripes')
    return {
      dots: [],
      lines: every(width + height, period / 2).map((sum) => [
        [Math.max(0, sum - height), Math.min(height, sum)],
        [Math.min(width, sum), Math.max(0, sum - width)],
      ]),
    };
  if (pattern === 'lines')
    return {
      dots: [],
      lines: every(height, period / 2).map((y) => [
        [0, y],
        [width, y],
      ]),
    };
  if (pattern !== 'dots') return { dots: [], lines: [] };
  return {
    lines: [],
    dots: every(height, period / 2).flatMap((y) => every(width, period / 2).map((x): Point => [x, y])),
  };
}

/** White on dark colours, dark on light ones. */
export function patternInk(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  // ITU-R BT.709 luma.
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 128 ? '#101830' : '#ffffff';
}
