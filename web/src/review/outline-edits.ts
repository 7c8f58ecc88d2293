import { cornersOf, withCorners } from './outline-history.js';
import type { Point, Polygon } from './types.js';

const LEAST_CORNERS = 3;

/**
 * An outline as it is with one corner moved. `every`: each so-manieth corner has a handle, so those between it and its
 * neighbours go along, the less the further away they are: no spike, and no other handle moves.
 */
export function withMovedCorner(polygon: Polygon, corner: number, [toX, toY]: Point, every: number): Polygon {
  const corners = cornersOf(polygon);
  const [fromX, fromY] = corners[corner]!;
  const moved = corners.map(([x, y], place): Point => {
    if (place === corner) return [toX, toY];
    const share = Math.max(0, 1 - distanceOnRing(place, corner, corners.length) / every);
    return [x + (toX - fromX) * share, y + (toY - fromY) * share];
  });
  return withCorners(polygon, moved);
}

/** With a corner more, half way to the next one. */
export function withNewCorner(polygon: Polygon, corner: number): Polygon {
  const corners = cornersOf(polygon);
  const [x, y] = corners[corner]!;
  const [nextX, nextY] = corners[(corner + 1) % corners.length]!;
  return withCorners(polygon, corners.toSpliced(corner + 1, 0, [(x + nextX) / 2, (y + nextY) / 2]));
}

/** Without a corner and those that go along with it; the same outline where too few would be left. */
export function withoutCorner(polygon: Polygon, corner: number, every: number): Polygon {
  const corners = cornersOf(polygon);
  const kept = corners.filter((_, place) => distanceOnRing(place, corner, corners.length) >= every);
  return kept.length < LEAST_CORNERS ? polygon : withCorners(polygon, kept);
}

function distanceOnRing(one: number, other: number, count: number): number {
  const apart = Math.abs(one - other);
  return Math.min(apart, count - apart);
}
