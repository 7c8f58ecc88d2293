import type { PixelPoint } from '../../../core/measurement/wound-result.js';
import { MARKER_CELLS } from '../../../core/calibration/calibration-card.js';
import { signedRingArea } from '../../../core/measurement/polygon.js';
import type { PhotoRaster } from '../photo-raster.js';
import { fitLine, intersect, type Line } from './edge-line.js';
import { edgeOffset } from './edge-profile.js';
import type { Corners } from './marker-search.js';

/** A marker whose four edges were all found sharp, straight and whole. */
export interface RefinedMarker {
  readonly corners: Corners;
  /** Root mean square distance of the edges' points from their lines, in raster pixels. */
  readonly edgeErrorPx: number;
}

/** Part of each edge, at both ends, that is left out: blur rounds corners. */
const END_SHARE = 0.12;
const MOST_PROFILES = 48;
/** Reach of a profile on either side of the edge, in cells: inside lies one black cell, outside at least one white. */
const FIRST_REACH_CELLS = 0.8;
const SECOND_REACH_CELLS = 0.6;
const LEAST_REACH_PX = 2;
const MOST_REACH_PX = 12;
/** Share of the profiles that must show the edge; with fewer, something covers it. */
const LEAST_EDGE_SHARE = 0.7;
/** Largest distance of a straight edge's points from its line: noise, and a share of the marker's side for a bent card. */
const EDGE_NOISE_PX = 0.6;
const EDGE_BEND_SHARE = 0.012;

/** Why a marker whose code was read cannot be measured. */
export type MarkerFault = 'covered' | 'bent';

/** Places a marker's corners to a fraction of a pixel: where the lines through its four edges meet. */
export function refineCorners(raster: PhotoRaster, coarse: Corners): RefinedMarker | MarkerFault {
  const first = refineOnce(raster, coarse, FIRST_REACH_CELLS);
  const second = first === null ? null : refineOnce(raster, first.corners, SECOND_REACH_CELLS);
  if (second === null) return 'covered';
  return second.edgeErrorPx <= EDGE_NOISE_PX + EDGE_BEND_SHARE * sideOf(second.corners) ? second : 'bent';
}

/** Side of a square of the marker's area. */
export function sideOf(corners: readonly PixelPoint[]): number {
  return Math.sqrt(Math.abs(signedRingArea(corners)));
}

function refineOnce(raster: PhotoRaster, corners: Corners, reachCells: number): RefinedMarker | null {
  const lines: Line[] = [];
  for (let edge = 0; edge < 4; edge += 1) {
    const line = findEdge(
      raster,
      corners[edge]!,
      corners[(edge + 1) % 4]!,
      depthOf(corners, edge) * (reachCells / MARKER_CELLS),
    );
    if (line === null) return null;
    lines.push(line);
  }
  const refined: readonly (PixelPoint | null)[] = lines.map((line, edge) => intersect(lines[(edge + 3) % 4]!, line));
  if (refined.some((point) => point === null)) return null;
  const squared = lines.reduce((sum, line) => sum + line.errorPx ** 2, 0) / lines.length;
  return { corners: refined as Corners, edgeErrorPx: Math.sqrt(squared) };
}

/** Length of the two edges that meet this one: a cell is a sixth of it, also where the marker is seen from the side. */
function depthOf(corners: Corners, edge: number): number {
  const [a, b, c, d] = [0, 1, 2, 3].map((offset) => corners[(edge + offset) % 4]!) as [
    PixelPoint,
    PixelPoint,
    PixelPoint,
    PixelPoint,
  ];
  return Math.min(distance(b, c), distance(d, a));
}

function findEdge(raster: PhotoRaster, from: PixelPoint, to: PixelPoint, reach: number): Line | null {
  const length = distance(from, to);
  const along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length] as const;
  // Corners run clockwise on the screen: the outside lies to the left.
  const outward = [along[1], -along[0]] as const;
  const count = Math.max(8, Math.min(MOST_PROFILES, Math.round(length)));
  const reachPx = Math.min(MOST_REACH_PX, Math.max(LEAST_REACH_PX, reach));
  const points: PixelPoint[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = length * (END_SHARE + ((1 - 2 * END_SHARE) * index) / (count - 1));
    const foot: PixelPoint = [from[0] + along[0] * at, from[1] + along[1] * at];
    const offset = edgeOffset(raster, foot, outward, reachPx);
    if (offset !== null) points.push([foot[0] + outward[0] * offset, foot[1] + outward[1] * offset]);
  }
  return fitLine(points, Math.ceil(count * LEAST_EDGE_SHARE));
}

function distance(a: PixelPoint, b: PixelPoint): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
