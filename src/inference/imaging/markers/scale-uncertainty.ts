import type { Matrix3 } from '../../../core/measurement/plane-scale.js';
import type { CardFit } from './card-fit.js';
import { sideOf } from './corner-refinement.js';
import { fitHomography, project, stretchAt, type Point, type PointPair } from './homography.js';

/** Standard deviations of a length, in %. A printer at "100 %" is seldom off by more than 2 %; a ruler shows 0.3 mm of 100. */
const PRINT_PCT = 1;
const CORRECTED_PRINT_PCT = 0.3;
/** Paper that is not quite flat, a card not quite in the skin's plane, and the lens, which is not modelled. */
const SURFACE_AND_LENS_PCT = 0.5;
/** Common outward shift of all edges of a lone marker; with two markers it is measured and removed. */
const LONE_GROWTH_PX = 0.5;

interface UncertaintyPlace {
  readonly centreMm: Point;
  /** Greatest distance of the wound from the centre. */
  readonly reachMm: number;
  /** The card's print was measured. */
  readonly corrected: boolean;
  readonly frame: { readonly width: number; readonly height: number };
}

/**
 * One standard deviation of a length near the card, in %: what the corners' noise does to the scale at the card and around it,
 * wherever that lies in the photo and is worst; the print; the surface and the lens.
 */
export function scaleUncertaintyPct({ fromMm, pairs, noisePx }: CardFit, place: UncertaintyPlace): number {
  const points = placesAround(place).filter(
    (point) => isInside(project(fromMm, point), place.frame) && depthAt(fromMm, point) > 0,
  );
  const cornersPct = Math.max(...[place.centreMm, ...points].map((point) => cornerPart(pairs, fromMm, point, noisePx)));
  const lone = pairs.length === 4;
  const growthPct = lone ? (100 * 2 * LONE_GROWTH_PX) / sideOf(pairs.map(({ to }) => to)) : 0;
  return Math.hypot(cornersPct, growthPct, place.corrected ? CORRECTED_PRINT_PCT : PRINT_PCT, SURFACE_AND_LENS_PCT);
}

/** Moves every coordinate of every corner by its noise, and adds up the changes at the point. */
function cornerPart(pairs: readonly PointPair[], fromMm: Matrix3, point: Point, noisePx: number): number {
  const before = Math.log(meanStretch(fromMm, point));
  let squared = 0;
  for (let index = 0; index < pairs.length; index += 1) {
    for (const [dx, dy] of [
      [noisePx, 0],
      [0, noisePx],
    ] as const) {
      const moved = pairs.map((pair, at): PointPair =>
        at === index ? { from: pair.from, to: [pair.to[0] + dx, pair.to[1] + dy] } : pair,
      );
      const fitted = fitHomography(moved);
      if (fitted === null) return Infinity;
      squared += (Math.log(meanStretch(fitted, point)) - before) ** 2;
    }
  }
  return 100 * Math.sqrt(squared);
}

function meanStretch(fromMm: Matrix3, point: Point): number {
  const { most, least } = stretchAt(fromMm, point);
  return Math.sqrt(most * least);
}

function placesAround({ centreMm: [x, y], reachMm }: UncertaintyPlace): Point[] {
  return [
    [x - reachMm, y],
    [x + reachMm, y],
    [x, y - reachMm],
    [x, y + reachMm],
  ];
}

/** Positive in front of the camera; the centre of the card, where the last row is about 1, is. */
function depthAt(m: Matrix3, [x, y]: Point): number {
  return m[6] * x + m[7] * y + m[8];
}

function isInside([x, y]: Point, { width, height }: UncertaintyPlace['frame']): boolean {
  return x >= 0 && y >= 0 && x <= width && y <= height;
}
