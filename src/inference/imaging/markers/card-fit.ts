import type { PixelPoint } from '../../../core/measurement/wound-result.js';
import type { Matrix3 } from '../../../core/measurement/plane-scale.js';
import { sideOf } from './corner-refinement.js';
import { lineThrough, intersect } from './edge-line.js';
import { fitHomography, invert, project, type Point, type PointPair } from './homography.js';
import type { Corners } from './marker-search.js';

/** The plane through a card's corners. */
export interface CardFit {
  /** Millimetres on the card to raster pixels, and back. */
  readonly fromMm: Matrix3;
  readonly toMm: Matrix3;
  /** Every corner on the card and in the picture. */
  readonly pairs: readonly PointPair[];
  /** Standard deviation of one coordinate of a corner, by the residuals of the fit. */
  readonly noisePx: number;
}

interface MarkerToFit {
  /** In millimetres, clockwise from the upper left. */
  readonly onCard: readonly Point[];
  readonly corners: Corners;
}

/** Least standard deviation of a corner, whatever the fit says. */
const LEAST_NOISE_PX = 0.15;
/** Standard deviation where only four corners are known, which leave no residual. */
const LONE_NOISE_PX = 0.2;
const GROWTH_STEP_PX = 0.5;
/** Blur moves an edge by up to half its sigma; more is not a shift but another marker. */
const MOST_GROWTH_PX = 0.5;
const MOST_GROWTH_SHARE = 0.04;

/**
 * Fits the plane to one or two markers; null where no plane goes through them.
 *
 * Spreading ink, blooming white and the averaging of 8-bit values move all edges of all markers outwards or inwards
 * alike, and leave the markers' centres in place. With two markers, the common shift is therefore the one that fits their size to their
 * distance, and it is removed.
 */
export function fitCard(markers: readonly MarkerToFit[]): CardFit | null {
  const plain = fitShrunk(markers, 0);
  if (plain === null || markers.length < 2) return plain;
  const [inner, outer] = [fitShrunk(markers, GROWTH_STEP_PX), fitShrunk(markers, -GROWTH_STEP_PX)];
  if (inner === null || outer === null) return plain;
  // The squared error is a parabola of the shift; this is its vertex.
  const bend = inner.squaredPx + outer.squaredPx - 2 * plain.squaredPx;
  const growth = (GROWTH_STEP_PX * (outer.squaredPx - inner.squaredPx)) / (2 * bend);
  const side = Math.min(...markers.map(({ corners }) => sideOf(corners)));
  if (!(bend > 0) || Math.abs(growth) > MOST_GROWTH_PX + MOST_GROWTH_SHARE * side) return plain;
  return fitShrunk(markers, growth) ?? plain;
}

function fitShrunk(
  markers: readonly MarkerToFit[],
  shrinkPx: number,
): (CardFit & { readonly squaredPx: number }) | null {
  const pairs = markers.flatMap(({ onCard, corners }): PointPair[] => {
    const shrunk = shrink(corners, shrinkPx);
    return onCard.map((from, index) => ({ from, to: shrunk[index]! }));
  });
  const fromMm = fitHomography(pairs);
  const toMm = fromMm === null ? null : invert(fromMm);
  if (fromMm === null || toMm === null) return null;
  const squaredPx = pairs.reduce((sum, { from, to }) => {
    const [x, y] = project(fromMm, from);
    return sum + (x - to[0]) ** 2 + (y - to[1]) ** 2;
  }, 0);
  const spare = 2 * pairs.length - 9;
  const noisePx = spare > 0 ? Math.max(LEAST_NOISE_PX, Math.sqrt(squaredPx / spare)) : LONE_NOISE_PX;
  return { fromMm, toMm, pairs, noisePx, squaredPx };
}

/** Moves all four edges inwards. */
function shrink(corners: Corners, byPx: number): readonly PixelPoint[] {
  if (byPx === 0) return corners;
  // Corners run clockwise on the screen: a line's normal, as made here, points outwards.
  const edges = corners.map((from, index) => {
    const line = lineThrough(from, corners[(index + 1) % 4]!);
    return { ...line, offset: line.offset - byPx };
  });
  return corners.map((corner, index) => intersect(edges[(index + 3) % 4]!, edges[index]!) ?? corner);
}
