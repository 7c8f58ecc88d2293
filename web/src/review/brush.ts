import { contourFault } from '../../../src/core/measurement/contour-check.js';
import { traceIsoContours } from '../../../src/core/measurement/iso-contour.js';
import { eachSpanInside, markInside } from '../../../src/core/measurement/outline-mask.js';
import { mapOutline, toOutlines, toPolygon } from '../../../src/core/measurement/outline.js';
import { convexHull, ringBoundingBox, signedRingArea } from '../../../src/core/measurement/polygon.js';
import type { PixelPolygon } from '../../../src/core/measurement/wound-result.js';
import { simplified } from './simplify.js';
import type { Point, Polygon } from './types.js';

/** A line that a person painted, in pixels of the photo. */
export interface Stroke {
  readonly path: readonly Point[];
  readonly radiusPx: number;
  /** erase: what lies under it is no wound any more. */
  readonly kind: 'add' | 'erase';
}

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}
interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Cells of the longer side of what is traced anew, and how many times finer its border is sampled each way. */
const CELLS = 640;
const FINER = 3;
/** Of a cell: half of its samples inside. Never one of the values that a cell can have. */
const LEVEL = 0.5;
const ROUND = 24;
/** Room for other outlines below the limit of points that the server takes. */
const MOST_POINTS = 1500;
/** Cells; smaller is a crumb of the brush. */
const LEAST_CELLS = 6;

/**
 * The outlines after a stroke: painted into a picture of those that it touches, whose border is traced by the code that traces the model's.
 * Outlines that it does not touch stay exactly as they are.
 */
export function withStroke(outlines: readonly Polygon[], stroke: Stroke, photo: Size): readonly Polygon[] {
  const painted = clipped(boxOfStroke(stroke), photo);
  if (painted === null) return outlines;
  const touched = outlines.filter((outline) => meet(boxOf(outline), painted));
  if (stroke.kind === 'erase' && touched.length === 0) return outlines;
  const kept = outlines.filter((outline) => !touched.includes(outline));
  return [...kept, ...traced(touched, stroke, clipped(around([painted, ...touched.map(boxOf)]), photo)!, photo)];
}

function traced(touched: readonly Polygon[], stroke: Stroke, frame: Frame, photo: Size): Polygon[] {
  const cellPx = Math.max(1, Math.max(frame.width, frame.height) / CELLS);
  const [columns, rows] = [Math.ceil(frame.width / cellPx), Math.ceil(frame.height / cellPx)];
  const grid = { ...frame, width: columns * cellPx, height: rows * cellPx };
  const marks = new Uint8Array(columns * FINER * rows * FINER);
  for (const outline of touched) {
    const inside = markInside(outline as PixelPolygon, grid, columns * FINER, rows * FINER);
    for (let place = 0; place < inside.length; place += 1) if (inside[place] === 1) marks[place] = 1;
  }
  paint(marks, stroke, grid, columns * FINER, rows * FINER);
  const values = sharesOf(marks, columns, rows);
  const found = toOutlines(traceIsoContours({ width: columns, height: rows, values }, LEVEL))
    .filter(({ area }) => area >= LEAST_CELLS)
    .map((outline) => ({ ...outline, holes: outline.holes.filter((hole) => -signedRingArea(hole) >= LEAST_CELLS) }));
  const place = ([x, y]: Point): Point => [
    Math.min(photo.widthPx, Math.max(0, frame.x + x * cellPx)),
    Math.min(photo.heightPx, Math.max(0, frame.y + y * cellPx)),
  ];
  return found.map((outline) => lighter(toPolygon(mapOutline(outline, place)) as Polygon, cellPx, photo));
}

/** With fewer points: as few as the limit asks for, and none so few that a ring would cross another. */
function lighter(polygon: Polygon, cellPx: number, photo: Size): Polygon {
  for (let tolerancePx = cellPx / 4; tolerancePx < 64 * cellPx; tolerancePx *= 2) {
    const coordinates = polygon.coordinates.map((ring) => simplified(ring, tolerancePx));
    const fewer: Polygon = { type: 'Polygon', coordinates };
    if (coordinates.reduce((sum, ring) => sum + ring.length, 0) > MOST_POINTS) continue;
    if (contourFault([fewer as PixelPolygon], photo) === null) return fewer;
    const finer = polygon.coordinates.map((ring) => simplified(ring, tolerancePx / 4));
    return { type: 'Polygon', coordinates: finer };
  }
  return polygon;
}

function paint(marks: Uint8Array, { path, radiusPx, kind }: Stroke, frame: Frame, columns: number, rows: number): void {
  const mark = kind === 'add' ? 1 : 0;
  const scale = columns / frame.width;
  const at = ([x, y]: Point): Point => [(x - frame.x) * scale, (y - frame.y) * scale];
  path.forEach((to, index) => {
    const hull = convexHull([
      ...disc(at(path[Math.max(0, index - 1)]!), radiusPx * scale),
      ...disc(at(to), radiusPx * scale),
    ]);
    eachSpanInside([hull], columns, rows, (row, from, upTo) =>
      marks.fill(mark, row * columns + from, row * columns + upTo),
    );
  });
}

function disc([x, y]: Point, radius: number): Point[] {
  return Array.from({ length: ROUND }, (_, place): Point => {
    const turn = (2 * Math.PI * place) / ROUND;
    return [x + radius * Math.cos(turn), y + radius * Math.sin(turn)];
  });
}

/** How much of each cell is inside. */
function sharesOf(marks: Uint8Array, columns: number, rows: number): Float32Array {
  const shares = new Float32Array(columns * rows);
  const width = columns * FINER;
  for (let y = 0; y < rows * FINER; y += 1) {
    const cells = ((y / FINER) | 0) * columns;
    for (let x = 0; x < width; x += 1) if (marks[y * width + x] === 1) shares[cells + ((x / FINER) | 0)]! += 1;
  }
  for (let cell = 0; cell < shares.length; cell += 1) shares[cell]! /= FINER ** 2;
  return shares;
}

function boxOf({ coordinates }: Polygon): Frame {
  return ringBoundingBox(coordinates[0]!);
}

/** With a margin, so that the border of what was painted lies inside. */
function boxOfStroke({ path, radiusPx }: Stroke): Frame {
  const { x, y, width, height } = ringBoundingBox(path);
  const more = radiusPx + 2;
  return { x: x - more, y: y - more, width: width + 2 * more, height: height + 2 * more };
}

function around(boxes: readonly Frame[]): Frame {
  return ringBoundingBox(
    boxes.flatMap(({ x, y, width, height }): Point[] => [
      [x - 2, y - 2],
      [x + width + 2, y + height + 2],
    ]),
  );
}

/** The part of a box that lies in the photo; null: none does. */
function clipped({ x, y, width, height }: Frame, { widthPx, heightPx }: Size): Frame | null {
  const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))];
  const [right, bottom] = [Math.min(widthPx, Math.ceil(x + width)), Math.min(heightPx, Math.ceil(y + height))];
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

function meet(one: Frame, other: Frame): boolean {
  return (
    one.x <= other.x + other.width &&
    other.x <= one.x + one.width &&
    one.y <= other.y + other.height &&
    other.y <= one.y + one.height
  );
}
