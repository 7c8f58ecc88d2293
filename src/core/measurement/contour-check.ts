import type { BoundingBox, PixelPoint, PixelPolygon } from './wound-result.js';
import type { PhotoSize } from './probability-map.js';
import { ringBoundingBox, ringContains, signedRingArea, type Ring } from './polygon.js';
import { doRingsCross, isSamePoint } from './ring-crossing.js';

/** Over all rings. More than any hand draws, and few enough to compare every edge with every other while somebody else waits. */
export const MAX_CONTOUR_POINTS = 2000;
/** Pieces of one wound, holes included; each has figures of its own in every version of the report. */
export const MAX_CONTOUR_RINGS = 100;
/** Smaller is a slip of the hand. */
const LEAST_AREA_PX = 4;

/** The fault of a contour that a person drew on the oriented photo, in words for its sender; null: none. */
export function contourFault(polygons: readonly PixelPolygon[], photo: PhotoSize): string | null {
  const rings = polygons.flatMap(({ coordinates }) => coordinates);
  const points = rings.reduce((sum, ring) => sum + ring.length, 0);
  if (polygons.length === 0 || rings.length === 0) return 'at least one polygon is needed';
  if (rings.length > MAX_CONTOUR_RINGS) return `at most ${MAX_CONTOUR_RINGS} rings`;
  if (points > MAX_CONTOUR_POINTS) return `at most ${MAX_CONTOUR_POINTS} points`;
  if (rings.some((ring) => ring.length < 4 || !isSamePoint(ring[0]!, ring.at(-1)!)))
    return 'each ring needs four positions or more, the last like the first (RFC 7946 3.1.6)';
  if (rings.some((ring) => ring.some(([x, y]) => x < 0 || y < 0 || x > photo.widthPx || y > photo.heightPx))) {
    return `positions must lie within the oriented photo, ${photo.widthPx} × ${photo.heightPx} pixels`;
  }
  if (rings.some((ring) => Math.abs(signedRingArea(ring.slice(1))) < LEAST_AREA_PX)) return 'a ring encloses no area';
  if (doRingsCross(rings)) return 'rings must not cross themselves or each other';
  if (
    polygons.some(({ coordinates: [outer, ...holes] }) =>
      holes.some((hole) => !ringContains(outer!.slice(1), hole[0]!)),
    )
  )
    return 'holes must lie inside their outer ring';
  if (lieInside(polygons.map(({ coordinates }) => coordinates.map((ring) => ring.slice(1)))))
    return 'polygons must not lie inside each other';
  return null;
}

/** True where a point of one lies inside another one. In a hole of it there is room for a further wound. */
function lieInside(polygons: readonly (readonly Ring[])[]): boolean {
  const boxes = polygons.map(([outer]) => ringBoundingBox(outer!));
  return polygons.some(([outer], index) =>
    polygons.some(
      (other, otherIndex) =>
        index !== otherIndex && boxHolds(boxes[otherIndex]!, outer![0]!) && holds(other, outer![0]!),
    ),
  );
}

function holds([outer, ...holes]: readonly Ring[], point: PixelPoint): boolean {
  return ringContains(outer!, point) && !holes.some((hole) => ringContains(hole, point));
}

function boxHolds({ x, y, width, height }: BoundingBox, [pointX, pointY]: PixelPoint): boolean {
  return pointX >= x && pointX <= x + width && pointY >= y && pointY <= y + height;
}
