import type { PixelPolygon } from './wound-result.js';
import type { Ring } from './polygon.js';
import type { ContentRegion } from './probability-map.js';

/**
 * Visits the stretches of pixels whose centres lie inside the rings (even-odd rule: inner rings are holes), each from `from` up to
 * but without `to`. Coordinates are pixels of a grid of `width` × `height`; what lies outside it is left out.
 */
export function eachSpanInside(
  rings: readonly Ring[],
  width: number,
  height: number,
  visit: (row: number, from: number, to: number) => void,
): void {
  const firstPixel = (x: number) => Math.min(width, Math.max(0, Math.ceil(x - 0.5)));
  for (const [row, crossings] of crossingsByRow(rings, height)) {
    crossings.sort((a, b) => a - b);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      const [from, to] = [firstPixel(crossings[pair]!), firstPixel(crossings[pair + 1]!)];
      if (to > from) visit(row, from, to);
    }
  }
}

/** 1 inside a contour, 0 elsewhere and in its holes, on a grid of `columns` × `rows` that covers `frame`, a rectangle of the photo. */
export function markInside(contour: PixelPolygon, frame: ContentRegion, columns: number, rows: number): Uint8Array {
  const [scaleX, scaleY] = [columns / frame.width, rows / frame.height];
  const rings = contour.coordinates.map((ring) =>
    ring.map(([x, y]) => [(x - frame.x) * scaleX, (y - frame.y) * scaleY] as const),
  );
  const marks = new Uint8Array(columns * rows);
  eachSpanInside(rings, columns, rows, (row, from, to) => marks.fill(1, row * columns + from, row * columns + to));
  return marks;
}

/** For each row of pixels the places where the rings cross the line through its centres. */
function crossingsByRow(rings: readonly Ring[], height: number): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  for (const ring of rings) {
    let [x1, y1] = ring[ring.length - 1]!;
    for (const [x2, y2] of ring) {
      const end = Math.min(height, Math.ceil(Math.max(y1, y2) - 0.5));
      for (let row = Math.max(0, Math.ceil(Math.min(y1, y2) - 0.5)); row < end; row += 1) {
        const x = x1 + ((row + 0.5 - y1) * (x2 - x1)) / (y2 - y1);
        const crossings = rows.get(row);
        if (crossings === undefined) rows.set(row, [x]);
        else crossings.push(x);
      }
      [x1, y1] = [x2, y2];
    }
  }
  return rows;
}
