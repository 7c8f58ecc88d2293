import type { PixelPoint } from './wound-result.js';
import type { Ring } from './polygon.js';

/** A grid of samples, row by row; each sample lies at the centre of its pixel. */
export interface SampleGrid {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/**
 * Outlines of the region above `level`, by marching squares with linear interpolation (Lorensen and Cline 1987, in 2-D).
 * Coordinates are in pixels of the grid, 0 at the left or upper edge of the first pixel. Outside the grid counts as 0, so
 * every outline is closed. The region lies to the right of each edge on the screen: outer rings run clockwise, holes against it.
 */
export function traceIsoContours(grid: SampleGrid, level: number): Ring[] {
  const next = new Map<number, Segment>();
  const { marks: inside, left, top, right, bottom } = markInside(grid, level);
  const stride = grid.width + 2;
  for (let row = top - 1; row <= bottom; row += 1) {
    let node = (row + 1) * stride + left;
    for (let column = left - 1; column <= right; column += 1, node += 1) {
      const bits =
        inside[node]! | (inside[node + 1]! << 1) | (inside[node + stride + 1]! << 2) | (inside[node + stride]! << 3);
      // Nearly every cell lies wholly inside or outside.
      if (bits !== 0 && bits !== 15) collectCell(grid, level, { column, row, bits }, next);
    }
  }
  return joinRings(next);
}

/** 1 where a sample is above the level, with a border of 0 around the grid, and the box of samples that are: no ring lies beyond it. */
function markInside({ width, height, values }: SampleGrid, level: number) {
  const marks = new Uint8Array((width + 2) * (height + 2));
  let left = width;
  let right = -1;
  let top = height;
  let bottom = -1;
  for (let row = 0, source = 0; row < height; row += 1) {
    const target = (row + 1) * (width + 2) + 1;
    for (let column = 0; column < width; column += 1, source += 1) {
      if (!(values[source]! > level)) continue;
      marks[target + column] = 1;
      if (column < left) left = column;
      if (column > right) right = column;
      if (row < top) top = row;
      bottom = row;
    }
  }
  return { marks, left, top, right, bottom };
}

/** Four neighbouring samples, named by the upper left one; `bits` says which are above the level. */
interface Cell {
  readonly column: number;
  readonly row: number;
  readonly bits: number;
}

/** One crossing to the next; a crossing is named by the grid edge it lies on. */
interface Segment {
  readonly to: number;
  readonly point: PixelPoint;
}

type Side = 'top' | 'right' | 'bottom' | 'left';

// Corners as bits: 1 upper left, 2 upper right, 4 lower right, 8 lower left. Each pair enters and leaves the cell with the region on its right.
const CELL_SEGMENTS: readonly (readonly (readonly [Side, Side])[])[] = [
  [],
  [['top', 'left']],
  [['right', 'top']],
  [['right', 'left']],
  [['bottom', 'right']],
  [
    ['top', 'left'],
    ['bottom', 'right'],
  ],
  [['bottom', 'top']],
  [['bottom', 'left']],
  [['left', 'bottom']],
  [['top', 'bottom']],
  [
    ['right', 'top'],
    ['left', 'bottom'],
  ],
  [['right', 'bottom']],
  [['left', 'right']],
  [['top', 'right']],
  [['left', 'top']],
  [],
];

// The two saddles when the middle of the cell belongs to the region: the corners are joined instead of cut off.
const JOINED_SADDLES: Readonly<Record<number, readonly (readonly [Side, Side])[]>> = {
  5: [
    ['bottom', 'left'],
    ['top', 'right'],
  ],
  10: [
    ['left', 'top'],
    ['right', 'bottom'],
  ],
};

function collectCell(grid: SampleGrid, level: number, { column, row, bits }: Cell, next: Map<number, Segment>): void {
  const upperLeft = sample(grid, column, row);
  const upperRight = sample(grid, column + 1, row);
  const lowerRight = sample(grid, column + 1, row + 1);
  const lowerLeft = sample(grid, column, row + 1);
  const saddle = bits === 5 || bits === 10;
  const joined = saddle && (upperLeft + upperRight + lowerRight + lowerLeft) / 4 > level;
  const segments = joined ? JOINED_SADDLES[bits]! : CELL_SEGMENTS[bits]!;
  // Samples lie at pixel centres, hence the half.
  const [x, y] = [column + 0.5, row + 0.5];
  const crossing: Record<Side, PixelPoint> = {
    top: [x + ratio(upperLeft, upperRight, level), y],
    right: [x + 1, y + ratio(upperRight, lowerRight, level)],
    bottom: [x + ratio(lowerLeft, lowerRight, level), y + 1],
    left: [x, y + ratio(upperLeft, lowerLeft, level)],
  };
  for (const [from, to] of segments) {
    next.set(edgeId(grid, column, row, from), { to: edgeId(grid, column, row, to), point: crossing[from] });
  }
}

function sample(grid: SampleGrid, column: number, row: number): number {
  if (column < 0 || row < 0 || column >= grid.width || row >= grid.height) return 0;
  return grid.values[row * grid.width + column]!;
}

function ratio(from: number, to: number, level: number): number {
  return from === to ? 0.5 : (level - from) / (to - from);
}

/** Even numbers for edges between horizontal neighbours, odd for vertical ones. */
function edgeId(grid: SampleGrid, column: number, row: number, side: Side): number {
  const node = (c: number, r: number) => 2 * ((r + 1) * (grid.width + 2) + c + 1);
  switch (side) {
    case 'top':
      return node(column, row);
    case 'bottom':
      return node(column, row + 1);
    case 'left':
      return node(column, row) + 1;
    case 'right':
      return node(column + 1, row) + 1;
  }
}

function joinRings(next: Map<number, Segment>): Ring[] {
  const rings: Ring[] = [];
  for (const start of next.keys()) {
    const ring: PixelPoint[] = [];
    let segment = next.get(start);
    let edge = start;
    while (segment !== undefined) {
      next.delete(edge);
      ring.push(segment.point);
      edge = segment.to;
      segment = next.get(edge);
    }
    if (ring.length >= 3) rings.push(ring);
  }
  return rings;
}
