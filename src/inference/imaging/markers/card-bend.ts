import type { Matrix3 } from '../../../core/measurement/plane-scale.js';
import { invert, project, solve, stretchAt, type Point } from './homography.js';
import type { PatternPoint } from './pattern-edges.js';

/** What the pattern of a card says of its bend. Changes of an area are logarithms of measured by true. */
export interface CardBend {
  /** The greatest change of an area near the card, by the plane that was fitted, among the bends that the pattern leaves possible. */
  readonly mostAreaChange: number;
  /** The least one. */
  readonly leastAreaChange: number;
  /** Distance of the pattern from the best bend, root mean square in raster pixels. */
  readonly errorPx: number;
}

export interface BendQuestion {
  readonly edges: readonly PatternPoint[];
  /** The plane that is used: millimetres on the card to raster pixels, and back. */
  readonly fromMm: Matrix3;
  readonly toMm: Matrix3;
  readonly centreMm: Point;
  /** How far from the card's centre a wound is looked for. */
  readonly reachMm: number;
  readonly frame: { readonly width: number; readonly height: number };
}

/** Radii of limbs, an adult's trunk to a child's wrist. */
const RADII_MM = [400, 200, 120, 80, 56, 40, 30];
const LIMB_DIRECTIONS = [0, 30, 60, 90, 120, 150];
/** Focal length of a telephone's main camera, by the longer side of its picture. */
const FOCAL_SHARE = 0.8;
const ROUNDS = 3;
/** Along the limb from the middle of the card, as shares of the reach. */
const PLACES = [-1, -0.75, -0.5, 0, 0.5, 0.75, 1];
/** Least error of an edge: smaller ones come from one print, lens and compression, and are not independent. */
const LEAST_ERROR_PX = 0.15;
/** The places of one side of a cell err together. */
const EDGES_TOGETHER = 3;
/** A bend is possible whose misfit is greater than the best one's by no more than this, in squares of standard deviations. */
const MOST_MISFIT = 6;
/** Further off than by a factor of e nothing is known of an area; also where a place lies behind the limb. */
const MOST_AREA_CHANGE = 1;

interface Bend {
  readonly curvature: number;
  /** Across the limb, of length 1. */
  readonly across: Point;
}

interface BentCamera {
  readonly bend: Bend;
  /** Where the plane touches the limb: the middle of the pattern, so that it lies near the plane that is used. */
  readonly touchMm: Point;
  readonly fromMm: Matrix3;
  /** The way from the card into the limb, as the picture shows it. */
  readonly depth: readonly [number, number, number];
  readonly squaredPx: number;
}

/**
 * Tries limbs of several radii and directions under the card: each says where the edges of the pattern are seen, and how wrong areas by the flat
 * plane are. A bent card looks like a tilted one where a single marker, or a row of them, is all that is seen of it. Null without a pattern.
 */
export function cardBend(question: BendQuestion): CardBend | null {
  const { edges } = question;
  if (edges.length <= 9) return null;
  const tried = tryBends(question);
  const best = tried.reduce<BentCamera | null>(
    (least, one) => (least === null || one.squaredPx < least.squaredPx ? one : least),
    null,
  );
  if (best === null) return null;
  const errorPx = Math.sqrt(best.squaredPx / (edges.length - 9));
  const unit = EDGES_TOGETHER * Math.max(LEAST_ERROR_PX, errorPx) ** 2;
  const possible = tried.filter(({ squaredPx }) => (squaredPx - best.squaredPx) / unit <= MOST_MISFIT);
  const changes = possible.map((camera) =>
    Math.max(...placesOf(question, camera.bend).map((place) => areaChange(question, camera, place))),
  );
  return { mostAreaChange: Math.max(...changes), leastAreaChange: Math.min(...changes), errorPx };
}

const FLAT: Bend = { curvature: 0, across: [0, 1] };

/** The plane through every edge of the pattern, without the spread of the ink; null where none goes through them. */
export function planeOfPattern(
  question: Omit<BendQuestion, 'toMm' | 'reachMm'>,
): Pick<BendQuestion, 'fromMm' | 'toMm'> | null {
  const fromMm = question.edges.length <= 9 ? undefined : fitBent(question, FLAT)?.fromMm;
  const toMm = fromMm === undefined ? null : invert(fromMm);
  return fromMm === undefined || toMm === null ? null : { fromMm, toMm };
}

/** Each limb begins where the next wider one in its direction ended: a narrow one is too far from flat. */
function tryBends(question: BendQuestion): BentCamera[] {
  const flat = fitBent(question, FLAT);
  if (flat === null) return [];
  return [flat, ...LIMB_DIRECTIONS.flatMap((degrees) => tryRadii(question, degrees, flat))];
}

function tryRadii(question: BendQuestion, degrees: number, flat: BentCamera): BentCamera[] {
  const angle = (degrees * Math.PI) / 180;
  const across: Point = [-Math.sin(angle), Math.cos(angle)];
  const tried: BentCamera[] = [];
  let wider = flat;
  for (const radiusMm of RADII_MM) {
    const fitted = fitBent({ ...question, fromMm: wider.fromMm }, { curvature: 1 / radiusMm, across });
    if (fitted === null) break;
    tried.push(fitted);
    wider = fitted;
  }
  return tried;
}

/** The middle of the card, and beside it along the limb. */
function placesOf({ centreMm: [x, y], reachMm, fromMm, frame }: BendQuestion, { across }: Bend): Point[] {
  const places = PLACES.map((share): Point => [x + share * reachMm * across[1], y - share * reachMm * across[0]]);
  const inFrame = places.filter((place) => {
    const [u, v] = project(fromMm, place);
    return u >= 0 && v >= 0 && u <= frame.width && v <= frame.height;
  });
  return inFrame.length === 0 ? [[x, y]] : inFrame;
}

/** Gauss and Newton's steps for the eight numbers of the plane that touches the limb, and the spread of the ink. */
function fitBent(question: Omit<BendQuestion, 'toMm' | 'reachMm'>, bend: Bend): BentCamera | null {
  const { edges, frame } = question;
  const touchMm = middleOf(edges);
  const onLimb = edges.map(({ onCard }) => layOn(bend, touchMm, onCard));
  let m: readonly number[] = question.fromMm.map((cell) => cell / question.fromMm[8]);
  let squaredPx = 0;
  let depth: BentCamera['depth'] = [0, 0, 0];
  let spread = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    depth = depthOf(m as Matrix3, touchMm, frame);
    const rows = Array.from({ length: 9 }, () => new Array<number>(10).fill(0));
    squaredPx = 0;
    for (let index = 0; index < edges.length; index += 1) {
      const { seen, toWhite } = edges[index]!;
      const [x, y, z] = onLimb[index]!;
      const w = m[6]! * x + m[7]! * y + m[8]! + depth[2] * z;
      const u = (m[0]! * x + m[1]! * y + m[2]! + depth[0] * z) / w;
      const v = (m[3]! * x + m[4]! * y + m[5]! + depth[1] * z) / w;
      const [nu, nv] = toWhite;
      const left = nu * (seen[0] - u) + nv * (seen[1] - v) - spread;
      squaredPx += left ** 2;
      const along = -(nu * u + nv * v) / w;
      const row = [(nu * x) / w, (nu * y) / w, nu / w, (nv * x) / w, (nv * y) / w, nv / w, along * x, along * y, 1];
      for (let i = 0; i < 9; i += 1) {
        for (let j = i; j < 9; j += 1) rows[i]![j]! += row[i]! * row[j]!;
        rows[i]![9]! += row[i]! * left;
      }
    }
    if (round === ROUNDS) break;
    const step = solveScaled(rows);
    if (step === null) return null;
    m = m.map((cell, index) => (index < 8 ? cell + step[index]! : cell));
    spread += step[8]!;
  }
  return Number.isFinite(squaredPx) ? { bend, touchMm, fromMm: m as Matrix3, depth, squaredPx } : null;
}

function middleOf(edges: readonly PatternPoint[]): Point {
  const mean = (axis: 0 | 1) => edges.reduce((sum, { onCard }) => sum + onCard[axis], 0) / edges.length;
  return [mean(0), mean(1)];
}

/** Where a place of the card lies once it is laid on the limb. */
function layOn(
  { curvature, across: [ax, ay] }: Bend,
  [cx, cy]: Point,
  [x, y]: Point,
): readonly [number, number, number] {
  if (curvature === 0) return [x, y, 0];
  const round = (x - cx) * ax + (y - cy) * ay;
  const moved = Math.sin(curvature * round) / curvature - round;
  return [x + moved * ax, y + moved * ay, (1 - Math.cos(curvature * round)) / curvature];
}

/** The third axis of the camera's matrix from the first two, for a camera of usual focal length. */
function depthOf(m: Matrix3, [x, y]: Point, { width, height }: BendQuestion['frame']): BentCamera['depth'] {
  const focal = FOCAL_SHARE * Math.max(width, height);
  const [middleX, middleY] = [width / 2, height / 2];
  const ray = (column: number) => {
    const last = m[6 + column]!;
    return [(m[column]! - middleX * last) / focal, (m[3 + column]! - middleY * last) / focal, last] as const;
  };
  const [a, b] = [ray(0), ray(1)];
  const size = (Math.hypot(...a) + Math.hypot(...b)) / 2;
  const isBehind = m[6] * x + m[7] * y + m[8] < 0 ? -1 : 1;
  const [nx, ny, nz] = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]].map(
    (cell) => (isBehind * cell) / size,
  ) as [number, number, number];
  return [focal * nx + middleX * nz, focal * ny + middleY * nz, nz];
}

function areaChange({ toMm }: BendQuestion, { bend, touchMm, fromMm: m, depth }: BentCamera, place: Point): number {
  const seen = (at: Point): Point => {
    const [x, y, z] = layOn(bend, touchMm, at);
    const w = m[6] * x + m[7] * y + m[8] + depth[2] * z;
    return [(m[0] * x + m[1] * y + m[2] + depth[0] * z) / w, (m[3] * x + m[4] * y + m[5] + depth[1] * z) / w];
  };
  const [pixel, right, down] = [place, [place[0] + 0.5, place[1]] as const, [place[0], place[1] + 0.5] as const].map(
    seen,
  ) as [Point, Point, Point];
  const pixels =
    Math.abs((right[0] - pixel[0]) * (down[1] - pixel[1]) - (right[1] - pixel[1]) * (down[0] - pixel[0])) / 0.25;
  const { most, least } = stretchAt(toMm, pixel);
  const change = Math.abs(Math.log(most * least * pixels));
  return change <= MOST_AREA_CHANGE ? change : MOST_AREA_CHANGE;
}

/** Symmetric rows of which the upper half is filled, and whose numbers differ by many powers of ten. */
function solveScaled(rows: number[][]): number[] | null {
  const scales = rows.map((row, index) => 1 / Math.sqrt(row[index]!));
  const scaled = rows.map((row, i) =>
    row.map((_, j) => (j === 9 ? row[9]! * scales[i]! : (i <= j ? row[j]! : rows[j]![i]!) * scales[i]! * scales[j]!)),
  );
  return solve(scaled)?.map((value, index) => value * scales[index]!) ?? null;
}
