import type { BoundingBox, PixelLine, PixelPoint } from './wound-result.js';

/** A ring without its closing point: the last point joins the first. */
export type Ring = readonly PixelPoint[];

/** Signed area in pixels² (shoelace formula); positive when the ring turns clockwise on the screen, where y points down. */
export function signedRingArea(ring: Ring): number {
  let doubled = 0;
  eachEdge(ring, ([x1, y1], [x2, y2]) => {
    doubled += x1 * y2 - x2 * y1;
  });
  return doubled / 2;
}

/** Length of the closed ring in pixels. */
export function ringPerimeter(ring: Ring): number {
  let length = 0;
  eachEdge(ring, ([x1, y1], [x2, y2]) => {
    length += Math.hypot(x2 - x1, y2 - y1);
  });
  return length;
}

export function ringBoundingBox(ring: Ring): BoundingBox {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** True for a point inside the ring (even-odd rule). */
export function ringContains(ring: Ring, [x, y]: PixelPoint): boolean {
  let inside = false;
  eachEdge(ring, ([x1, y1], [x2, y2]) => {
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  });
  return inside;
}

export interface Extent {
  /** Greatest distance between two points of the ring, in pixels. */
  readonly length: number;
  /** Extent of the ring perpendicular to that, in pixels. */
  readonly width: number;
  readonly lengthLine: PixelLine;
  /** As long as the width, half way between the two points that it reaches to. */
  readonly widthLine: PixelLine;
}

/** Length and perpendicular width of an outline. */
export function ringExtent(ring: Ring): Extent {
  const hull = convexHull(ring);
  const lengthLine = longestLine(hull);
  const [[x1, y1], [x2, y2]] = lengthLine;
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0) return { length: 0, width: 0, lengthLine, widthLine: lengthLine };
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const across = ([x, y]: PixelPoint) => y * dx - x * dy;
  const [least, most] = [hull.reduce(byMost((point) => -across(point))), hull.reduce(byMost(across))];
  const along = [least, most].reduce((sum, [x, y]) => sum + x * dx + y * dy, 0) / 2;
  const at = (side: number): PixelPoint => [along * dx - side * dy, along * dy + side * dx];
  return {
    length,
    width: across(most) - across(least),
    lengthLine,
    widthLine: [at(across(least)), at(across(most))],
  };
}

function longestLine(hull: Ring): PixelLine {
  // Plain numbers in one piece: a hull of three hundred points has forty-five thousand pairs.
  const xs = Float64Array.from(hull, ([x]) => x);
  const ys = Float64Array.from(hull, ([, y]) => y);
  const runs = runsOf(hull);
  let [from, to, longest] = [0, 0, 0];
  for (let first = 0; first < xs.length; first += 1) {
    for (let run = Math.floor((first + 1) / RUN_POINTS); run < runs.length; run += 1) {
      if (mostSquared(runs[run]!, xs[first]!, ys[first]!) <= longest) continue;
      const end = Math.min(xs.length, (run + 1) * RUN_POINTS);
      for (let second = Math.max(first + 1, run * RUN_POINTS); second < end; second += 1) {
        const dx = xs[second]! - xs[first]!;
        const dy = ys[second]! - ys[first]!;
        const squared = dx * dx + dy * dy;
        if (squared <= longest) continue;
        [from, to, longest] = [first, second, squared];
      }
    }
  }
  return [hull[from] ?? [0, 0], hull[to] ?? [0, 0]];
}

/** Points of a hull that are left out together where none of them can be the furthest. */
const RUN_POINTS = 32;

interface Run {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function runsOf(hull: Ring): Run[] {
  return Array.from({ length: Math.ceil(hull.length / RUN_POINTS) }, (_, run) => {
    const points = hull.slice(run * RUN_POINTS, (run + 1) * RUN_POINTS);
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
  });
}

/** No point of the run is further away; rounding keeps the order of both. */
function mostSquared({ left, top, right, bottom }: Run, x: number, y: number): number {
  const dx = right - x > x - left ? right - x : x - left;
  const dy = bottom - y > y - top ? bottom - y : y - top;
  return dx * dx + dy * dy;
}

function byMost(valueOf: (point: PixelPoint) => number) {
  return (one: PixelPoint, two: PixelPoint): PixelPoint => (valueOf(two) > valueOf(one) ? two : one);
}

/** Andrew's monotone chain (Inf. Process. Lett. 9(5), 1979). */
export function convexHull(points: Ring): PixelPoint[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const lower = chain(sorted);
  const upper = chain(sorted.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function chain(points: readonly PixelPoint[]): PixelPoint[] {
  const hull: PixelPoint[] = [];
  for (const point of points) {
    while (hull.length >= 2 && turn(hull[hull.length - 2]!, hull[hull.length - 1]!, point) <= 0) hull.pop();
    hull.push(point);
  }
  return hull;
}

function turn(a: PixelPoint, b: PixelPoint, c: PixelPoint): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

function eachEdge(ring: Ring, visit: (from: PixelPoint, to: PixelPoint) => void): void {
  let from = ring[ring.length - 1];
  for (const to of ring) {
    if (from !== undefined) visit(from, to);
    from = to;
  }
}
