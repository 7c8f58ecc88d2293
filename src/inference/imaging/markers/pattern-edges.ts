import { MARKER_CELLS, type CardMarker } from '../../../core/calibration/calibration-card.js';
import type { PhotoRaster } from '../photo-raster.js';
import { edgeOffset } from './edge-profile.js';
import { fitHomography, project, type Point } from './homography.js';
import type { Corners } from './marker-search.js';

/** A place where black and white meet on a marker, and the edge as it was seen near it. */
export interface PatternPoint {
  readonly onCard: Point;
  /** In raster pixels. */
  readonly seen: Point;
  /** Across the edge towards the white, of length 1, in raster pixels. */
  readonly toWhite: Point;
}

/** Along the side of a cell, from one end to the other. */
const PLACES = [0.25, 0.5, 0.75];
/** Reach of a profile on either side, in cells: no other edge lies within a whole cell. */
const REACH_CELLS = 0.45;
const LEAST_REACH_PX = 1.5;

/** Looks for every edge between a black and a white cell where the marker's corners say that it lies. */
export function patternEdges(
  raster: PhotoRaster,
  { code }: CardMarker,
  onCard: readonly Point[],
  corners: Corners,
): PatternPoint[] {
  const inCells = CELL_CORNERS.map((from, index) => ({ from, to: corners[index]! }));
  const [toPixels, toCard] = [
    fitHomography(inCells),
    fitHomography(CELL_CORNERS.map((from, index) => ({ from, to: onCard[index]! }))),
  ];
  if (toPixels === null || toCard === null) return [];
  return transitionsOf(code).flatMap(({ at, white }): PatternPoint[] => {
    const foot = project(toPixels, at);
    const ahead = project(toPixels, [at[0] + white[0] / 2, at[1] + white[1] / 2]);
    const along = project(toPixels, [at[0] + white[1] / 2, at[1] + white[0] / 2]);
    const toWhite = perpendicular(foot, along, ahead);
    const cellPx = 2 * ((ahead[0] - foot[0]) * toWhite[0] + (ahead[1] - foot[1]) * toWhite[1]);
    const offsetPx = edgeOffset(raster, foot, toWhite, Math.max(LEAST_REACH_PX, cellPx * REACH_CELLS));
    if (offsetPx === null) return [];
    const seen: Point = [foot[0] + toWhite[0] * offsetPx, foot[1] + toWhite[1] * offsetPx];
    return [{ onCard: project(toCard, at), seen, toWhite }];
  });
}

/** At how many places an edge is looked for. */
export function patternPlaces({ code }: CardMarker): number {
  return transitionsOf(code).length;
}

/** Clockwise from the upper left. */
const CELL_CORNERS: readonly Point[] = [
  [0, 0],
  [MARKER_CELLS, 0],
  [MARKER_CELLS, MARKER_CELLS],
  [0, MARKER_CELLS],
];

/** Perpendicular to the edge in the picture, on the side of `ahead`. */
function perpendicular(foot: Point, along: Point, ahead: Point): Point {
  const [x, y] = [along[0] - foot[0], along[1] - foot[1]];
  const length = Math.hypot(x, y);
  const side = Math.sign((ahead[0] - foot[0]) * -y + (ahead[1] - foot[1]) * x);
  return [(side * -y) / length, (side * x) / length];
}

interface Transition {
  /** In cells from the marker's upper left corner. */
  readonly at: Point;
  /** Towards the white cell, of length 1. */
  readonly white: Point;
}

function transitionsOf(code: readonly string[]): Transition[] {
  const isOutside = (cell: number) => cell < 0 || cell >= MARKER_CELLS;
  const isWhite = (column: number, row: number) =>
    isOutside(column) || isOutside(row) || code[row - 1]?.[column - 1] === '1';
  return Array.from({ length: MARKER_CELLS }, (_, line) =>
    Array.from({ length: MARKER_CELLS + 1 }, (__, edge) => [
      ...between(isWhite(edge - 1, line), isWhite(edge, line), (place) => [edge, line + place], [1, 0]),
      ...between(isWhite(line, edge - 1), isWhite(line, edge), (place) => [line + place, edge], [0, 1]),
    ]),
  ).flat(2);
}

function between(before: boolean, after: boolean, at: (place: number) => Point, ahead: Point): Transition[] {
  if (before === after) return [];
  const white: Point = after ? ahead : [-ahead[0], -ahead[1]];
  return PLACES.map((place) => ({ at: at(place), white }));
}
