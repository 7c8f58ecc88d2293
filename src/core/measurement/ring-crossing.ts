import type { PixelPoint } from './wound-result.js';

/**
 * The edges of closed rings, sorted by their left ends. Every edge may lie beside every other one, and a caller chooses how: eight million
 * pairs at the limit of points, which plain numbers in one piece are compared in within a tenth of a second.
 */
class Edges {
  readonly count: number;
  readonly ring: Int32Array;
  /** Edges of each ring. */
  readonly sizes: Int32Array;
  readonly fromX: Float64Array;
  readonly fromY: Float64Array;
  readonly toX: Float64Array;
  readonly toY: Float64Array;
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly top: Float64Array;
  readonly bottom: Float64Array;

  constructor(rings: readonly (readonly PixelPoint[])[]) {
    const edges = rings.flatMap((ring, number) =>
      ring
        .slice(1)
        .flatMap((to, position) => (isSamePoint(ring[position]!, to) ? [] : [{ from: ring[position]!, to, number }])),
    );
    edges.sort((a, b) => Math.min(a.from[0], a.to[0]) - Math.min(b.from[0], b.to[0]));
    this.count = edges.length;
    this.ring = Int32Array.from(edges, ({ number }) => number);
    this.fromX = Float64Array.from(edges, ({ from }) => from[0]);
    this.fromY = Float64Array.from(edges, ({ from }) => from[1]);
    this.toX = Float64Array.from(edges, ({ to }) => to[0]);
    this.toY = Float64Array.from(edges, ({ to }) => to[1]);
    this.left = Float64Array.from(edges, ({ from, to }) => Math.min(from[0], to[0]));
    this.right = Float64Array.from(edges, ({ from, to }) => Math.max(from[0], to[0]));
    this.top = Float64Array.from(edges, ({ from, to }) => Math.min(from[1], to[1]));
    this.bottom = Float64Array.from(edges, ({ from, to }) => Math.max(from[1], to[1]));
    this.sizes = new Int32Array(rings.length);
    for (const { number } of edges) this.sizes[number]! += 1;
  }
}

/** True where two edges that are no neighbours share a point. Each ring ends with the point that it began with. */
export function doRingsCross(rings: readonly (readonly PixelPoint[])[]): boolean {
  const edges = new Edges(rings);
  const { count, left, right, top, bottom } = edges;
  for (let a = 0; a < count; a += 1) {
    const rightOfA = right[a]!;
    const topOfA = top[a]!;
    const bottomOfA = bottom[a]!;
    for (let b = a + 1; b < count && left[b]! <= rightOfA; b += 1) {
      if (top[b]! <= bottomOfA && bottom[b]! >= topOfA && meet(edges, a, b) && !areNeighbours(edges, a, b)) return true;
    }
  }
  return false;
}

/** Of two edges whose bounding boxes overlap. Numbers one by one: lists of them, made for each pair, would take ten times as long. */
function meet({ fromX, fromY, toX, toY }: Edges, a: number, b: number): boolean {
  const ax = fromX[a]!;
  const ay = fromY[a]!;
  const bx = fromX[b]!;
  const by = fromY[b]!;
  const adx = toX[a]! - ax;
  const ady = toY[a]! - ay;
  const beginning = adx * (by - ay) - ady * (bx - ax);
  const end = adx * (toY[b]! - ay) - ady * (toX[b]! - ax);
  if ((beginning > 0 && end > 0) || (beginning < 0 && end < 0)) return false;
  // On one line, where boxes that overlap are edges that do.
  if (beginning === 0 && end === 0) return true;
  const bdx = toX[b]! - bx;
  const bdy = toY[b]! - by;
  const beginningOfA = bdx * (ay - by) - bdy * (ax - bx);
  const endOfA = bdx * (toY[a]! - by) - bdy * (toX[a]! - bx);
  return !((beginningOfA > 0 && endOfA > 0) || (beginningOfA < 0 && endOfA < 0));
}

function areNeighbours({ ring, sizes, fromX, fromY, toX, toY }: Edges, a: number, b: number): boolean {
  if (ring[a] !== ring[b]) return false;
  return (
    (toX[a] === fromX[b] && toY[a] === fromY[b]) || (toX[b] === fromX[a] && toY[b] === fromY[a]) || sizes[ring[a]!]! < 3
  );
}

export function isSamePoint(a: PixelPoint, b: PixelPoint): boolean {
  return a[0] === b[0] && a[1] === b[1];
}
