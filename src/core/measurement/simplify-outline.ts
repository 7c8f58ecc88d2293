import type { Outline } from './outline.js';
import type { Ring } from './polygon.js';
import { doRingsCross } from './ring-crossing.js';
import type { PixelPoint } from './wound-result.js';

/** In samples of the map: finer than what a sample says of where the border lies. */
const MOST_APART = 0.1;
/** Of the square root of the area: the area of a small wound stays within a quarter of a percent, too. */
const MOST_APART_SHARE = 0.001;

/**
 * The outline on its map with fewer points, for all who keep and read it: no point that is left out lies farther from the new border than a
 * tenth of a sample, or a thousandth of the square root of the area where that is less. What lies farthest left, right, up and down stays.
 * The outline itself where its borders would cross.
 */
export function simplifyOutline(outline: Outline): Outline {
  const most = Math.min(MOST_APART, MOST_APART_SHARE * Math.sqrt(outline.area));
  const [outer, ...holes] = [outline.outer, ...outline.holes].map((ring) => simplifyRing(ring, most));
  if (doRingsCross([outer!, ...holes].map((ring) => [...ring, ring[0]!]))) return outline;
  return { ...outline, outer: outer!, holes };
}

/** Douglas and Peucker 1973, between the ring's outermost points. */
function simplifyRing(ring: Ring, most: number): Ring {
  const kept = new Uint8Array(ring.length);
  const corners = outermost(ring);
  for (const corner of corners) kept[corner] = 1;
  const parts = corners.map((from, at): Part => ({ from, to: corners[at + 1] ?? corners[0]! + ring.length }));
  while (parts.length > 0) {
    const part = parts.pop()!;
    const { at, distance } = farthest(ring, part);
    if (distance <= most) continue;
    kept[at % ring.length] = 1;
    parts.push({ from: part.from, to: at }, { from: at, to: part.to });
  }
  const simplified = ring.filter((_, at) => kept[at] === 1);
  return simplified.length >= 3 ? simplified : ring;
}

/** Between two points of a ring; `to` counts on beyond its last one. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** Where it reaches farthest left, up, right and down, in the order of the ring. */
function outermost(ring: Ring): number[] {
  const most = (of: (point: PixelPoint) => number) =>
    ring.reduce((best, point, at) => (of(point) > of(ring[best]!) ? at : best), 0);
  const corners = [most(([x]) => -x), most(([, y]) => -y), most(([x]) => x), most(([, y]) => y)];
  return [...new Set(corners)].sort((a, b) => a - b);
}

/** The point of a part that lies farthest from the straight line between its ends. */
function farthest(ring: Ring, { from, to }: Part): { at: number; distance: number } {
  const [x1, y1] = ring[from % ring.length]!;
  const [x2, y2] = ring[to % ring.length]!;
  const [dx, dy] = [x2 - x1, y2 - y1];
  const squared = dx * dx + dy * dy;
  let found = { at: from, distance: 0 };
  for (let at = from + 1; at < to; at += 1) {
    const [x, y] = ring[at % ring.length]!;
    const along = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / squared));
    const distance = Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
    if (distance > found.distance) found = { at, distance };
  }
  return found;
}
