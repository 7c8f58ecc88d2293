import type { PixelPoint, PixelPolygon } from '../analysis/wound-result.js';
import type { PhotoSize } from './probability-map.js';
import { ringContains, signedRingArea } from './polygon.js';

/** Over all rings. More than any hand draws, and few enough to compare every edge with every other. */
export const MAX_CONTOUR_POINTS = 4000;
/** Smaller is a slip of the hand. */
const LEAST_AREA_PX = 4;

/** What is wrong with a contour that a person drew on the oriented photo, in words for the one who sent it; null: nothing. */
export function contourFault(polygons: readonly PixelPolygon[], photo: PhotoSize): string | null {
  const rings = polygons.flatMap(({ coordinates }) => coordinates);
  const points = rings.reduce((sum, ring) => sum + ring.length, 0);
  if (polygons.length === 0 || rings.length === 0) return 'at least one polygon is needed';
  if (points > MAX_CONTOUR_POINTS) return `at most ${MAX_CONTOUR_POINTS} points`;
  if (rings.some((ring) => ring.length < 4 || !samePoint(ring[0]!, ring.at(-1)!))) return 'each ring needs four positions or more, the last like the first (RFC 7946 3.1.6)';
  if (rings.some((ring) => ring.some(([x, y]) => x < 0 || y < 0 || x > photo.widthPx || y > photo.heightPx))) {
    return `positions must lie within the oriented photo, ${photo.widthPx} × ${photo.heightPx} pixels`;
  }
  if (rings.some((ring) => Math.abs(signedRingArea(ring.slice(1))) < LEAST_AREA_PX)) return 'a ring encloses no area';
  if (crosses(rings)) return 'rings must not cross themselves or each other';
  if (polygons.some(({ coordinates: [outer, ...holes] }) => holes.some((hole) => !ringContains(outer!.slice(1), hole[0]!)))) return 'holes must lie inside their outer ring';
  const outers = polygons.map(({ coordinates }) => coordinates[0]!.slice(1));
  if (outers.some((outer, index) => outers.some((other, otherIndex) => index !== otherIndex && ringContains(other, outer[0]!)))) return 'polygons must not lie inside each other';
  return null;
}

interface Edge {
  readonly from: PixelPoint;
  readonly to: PixelPoint;
  readonly ring: number;
  readonly position: number;
}

/** True where two edges that are no neighbours share a point. */
function crosses(rings: readonly (readonly PixelPoint[])[]): boolean {
  const edges = rings.flatMap((ring, number) =>
    ring.slice(1).flatMap((to, position): Edge[] => (samePoint(ring[position]!, to) ? [] : [{ from: ring[position]!, to, ring: number, position }])),
  );
  const counts = rings.map((_, number) => edges.filter(({ ring }) => ring === number).length);
  const byLeft = [...edges].sort((a, b) => leftOf(a) - leftOf(b));
  for (const [index, edge] of byLeft.entries()) {
    const right = Math.max(edge.from[0], edge.to[0]);
    for (let next = index + 1; next < byLeft.length && leftOf(byLeft[next]!) <= right; next += 1) {
      const other = byLeft[next]!;
      if (!areNeighbours(edge, other, counts) && meet(edge, other)) return true;
    }
  }
  return false;
}

function leftOf({ from, to }: Edge): number {
  return Math.min(from[0], to[0]);
}

function areNeighbours(a: Edge, b: Edge, counts: readonly number[]): boolean {
  if (a.ring !== b.ring) return false;
  return samePoint(a.to, b.from) || samePoint(b.to, a.from) || counts[a.ring]! < 3;
}

function meet(a: Edge, b: Edge): boolean {
  const [a1, a2] = [side(a, b.from), side(a, b.to)];
  const [b1, b2] = [side(b, a.from), side(b, a.to)];
  if (a1 === 0 && a2 === 0) return overlaps(a, b);
  return a1 * a2 <= 0 && b1 * b2 <= 0;
}

/** Of two edges on one line. */
function overlaps(a: Edge, b: Edge): boolean {
  return [0, 1].every((axis) => {
    const [a1, a2, b1, b2] = [a.from[axis]!, a.to[axis]!, b.from[axis]!, b.to[axis]!];
    return Math.max(Math.min(a1, a2), Math.min(b1, b2)) <= Math.min(Math.max(a1, a2), Math.max(b1, b2));
  });
}

function side({ from, to }: Edge, [x, y]: PixelPoint): number {
  return Math.sign((to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]));
}

function samePoint(a: PixelPoint, b: PixelPoint): boolean {
  return a[0] === b[0] && a[1] === b[1];
}
