import type { Point } from './types.js';

/** A closed ring with those points alone that lie further than `tolerancePx` from the line without them (Douglas and Peucker 1973). */
export function simplified(ring: readonly Point[], tolerancePx: number): readonly Point[] {
  const open = ring.slice(0, -1);
  if (open.length < 8) return ring;
  // A closed ring has no ends: it is cut at its first point and at the one furthest from it.
  const far = furthest(open, open[0]!);
  const kept = [
    ...thinned(open.slice(0, far + 1), tolerancePx),
    ...thinned([...open.slice(far), open[0]!], tolerancePx).slice(1),
  ];
  return kept.length < 5 ? ring : kept;
}

function furthest(points: readonly Point[], [x, y]: Point): number {
  let [most, found] = [-1, 0];
  points.forEach(([px, py], place) => {
    const apart = Math.hypot(px - x, py - y);
    if (apart > most) [most, found] = [apart, place];
  });
  return found;
}

function thinned(points: readonly Point[], tolerancePx: number): Point[] {
  const isKept = new Uint8Array(points.length);
  isKept[0] = isKept[points.length - 1] = 1;
  const open: (readonly [number, number])[] = [[0, points.length - 1]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [from, to] = part;
    const [most, place] = outermost(points, from, to);
    if (most <= tolerancePx) continue;
    isKept[place] = 1;
    open.push([from, place], [place, to]);
  }
  return points.filter((_, place) => isKept[place] === 1);
}

function outermost(points: readonly Point[], from: number, to: number): readonly [number, number] {
  const [[x1, y1], [x2, y2]] = [points[from]!, points[to]!];
  const length = Math.hypot(x2 - x1, y2 - y1);
  let [most, found] = [0, from];
  for (let place = from + 1; place < to; place += 1) {
    const [x, y] = points[place]!;
    const apart =
      length === 0 ? Math.hypot(x - x1, y - y1) : Math.abs((x2 - x1) * (y - y1) - (x - x1) * (y2 - y1)) / length;
    if (apart > most) [most, found] = [apart, place];
  }
  return [most, found];
}
