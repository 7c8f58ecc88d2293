import type { PixelPoint } from '../../../core/measurement/wound-result.js';

/** All points p with normal·p = offset; the normal has length 1. */
export interface Line {
  readonly normal: readonly [number, number];
  readonly offset: number;
  /** Root mean square distance of the points it was fitted to. */
  readonly errorPx: number;
}

/** Points further from the line than this many median distances are left out of the second fit. */
const OUTLIER_MEDIANS = 3;
const LEAST_OUTLIER_PX = 0.3;

/** The line with the least squared distances, without stray points. null where fewer than `least` points (at least 2) lie on it. */
export function fitLine(points: readonly PixelPoint[], least: number): Line | null {
  let kept = points;
  for (let round = 0; round < 2; round += 1) {
    if (kept.length < Math.max(2, least)) return null;
    const line = leastSquares(kept);
    const distances = kept.map((point) => distanceTo(line, point));
    const median = [...distances].sort((a, b) => a - b)[distances.length >> 1]!;
    const limit = Math.max(LEAST_OUTLIER_PX, OUTLIER_MEDIANS * median);
    kept = kept.filter((_, index) => distances[index]! <= limit);
  }
  return kept.length < Math.max(2, least) ? null : leastSquares(kept);
}

/** The line through two points; its normal points to the left of the way from the first to the second, as seen on the screen. */
export function lineThrough(from: PixelPoint, to: PixelPoint): Line {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const normal = [(to[1] - from[1]) / length, (from[0] - to[0]) / length] as const;
  return { normal, offset: normal[0] * from[0] + normal[1] * from[1], errorPx: 0 };
}

/** The intersection of two lines; null where they are parallel. */
export function intersect(a: Line, b: Line): PixelPoint | null {
  const determinant = a.normal[0] * b.normal[1] - a.normal[1] * b.normal[0];
  if (Math.abs(determinant) < 1e-6) return null;
  return [
    (a.offset * b.normal[1] - b.offset * a.normal[1]) / determinant,
    (a.normal[0] * b.offset - b.normal[0] * a.offset) / determinant,
  ];
}

function leastSquares(points: readonly PixelPoint[]): Line {
  const [meanX, meanY] = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis]!, 0) / points.length) as [
    number,
    number,
  ];
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of points) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * (y - meanY);
    yy += (y - meanY) ** 2;
  }
  // The normal is the direction of least spread.
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy) + Math.PI / 2;
  const normal = [Math.cos(angle), Math.sin(angle)] as const;
  const line = { normal, offset: normal[0] * meanX + normal[1] * meanY, errorPx: 0 };
  const squared = points.reduce((sum, point) => sum + distanceTo(line, point) ** 2, 0);
  return { ...line, errorPx: Math.sqrt(squared / points.length) };
}

function distanceTo({ normal, offset }: Line, [x, y]: PixelPoint): number {
  return Math.abs(normal[0] * x + normal[1] * y - offset);
}
