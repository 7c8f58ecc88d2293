import type { PixelPoint, PixelPolygon } from './wound-result.js';
import { ringContains, signedRingArea, type Ring } from './polygon.js';

/** One region: its outer ring and the rings of its holes. */
export interface Outline {
  readonly outer: Ring;
  readonly holes: readonly Ring[];
  /** Holes left out. */
  readonly area: number;
}

/** Sorts rings into outlines: each hole belongs to the smallest outer ring around it. */
export function toOutlines(rings: readonly Ring[]): Outline[] {
  const measured = rings.map((ring) => ({ ring, area: signedRingArea(ring) }));
  const outlines = measured
    .filter(({ area }) => area > 0)
    .map(({ ring, area }) => ({ outer: ring, holes: [] as Ring[], area }));
  const bySize = [...outlines].sort((a, b) => a.area - b.area);
  for (const { ring, area } of measured) {
    if (area >= 0) continue;
    const around = bySize.find((outline) => ringContains(outline.outer, ring[0]!));
    if (around === undefined) continue;
    around.holes.push(ring);
    around.area += area;
  }
  return outlines;
}

/** The outline with every point moved; the map must not mirror. */
export function mapOutline({ outer, holes }: Outline, move: (point: PixelPoint) => readonly [number, number]): Outline {
  const rings = [outer, ...holes].map((ring) => ring.map(move));
  const area = rings.reduce((total, ring, index) => total + (index === 0 ? 1 : -1) * Math.abs(signedRingArea(ring)), 0);
  return { outer: rings[0]!, holes: rings.slice(1), area };
}

/** RFC 7946 3.1.6: closed rings. Coordinates to a tenth of a pixel, points that fall together left out. */
export function toPolygon(outline: Outline): PixelPolygon {
  return { type: 'Polygon', coordinates: [outline.outer, ...outline.holes].map(closeRing) };
}

function closeRing(ring: Ring): PixelPoint[] {
  const rounded = ring.map(([x, y]): PixelPoint => [tenth(x), tenth(y)]);
  const distinct = rounded.filter((point, position) => {
    const before = rounded[(position + rounded.length - 1) % rounded.length]!;
    return point[0] !== before[0] || point[1] !== before[1];
  });
  const points = distinct.length >= 3 ? distinct : rounded;
  return [...points, points[0]!];
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
