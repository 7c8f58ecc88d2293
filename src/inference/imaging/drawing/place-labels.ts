import { ringBoundingBox, type Ring } from '../../../core/measurement/polygon.js';
import type { BoundingBox, PixelPoint } from '../../../core/measurement/wound-result.js';
import { LineMap, OutlineMap } from './outline-map.js';

/** Where labels may stand, in pixels of the picture. */
export interface LabelSpace {
  readonly width: number;
  readonly height: number;
  /** Of a label's disc. */
  readonly radius: number;
  /** Where no label may stand. */
  readonly taken: readonly BoundingBox[];
  /** What a label had better not cover. */
  readonly lines: readonly (readonly [PixelPoint, PixelPoint])[];
}

interface Place {
  readonly at: PixelPoint;
  readonly cost: number;
}

/** Upwards to the right first, as one writes a note beside something. */
const DIRECTIONS = [-45, -20, -70, 0, -90, 20, -110, 45, -135, 90, 135, 180, 160, -160, 70, 110];
const ORDER_COST = 0.08;
/** Steps away from the outline, in radii. */
const DISTANCES = [0.5, 1, 2.2, 4];
const COST_INSIDE_OWN = 6;
const COST_INSIDE_OTHER = 9;
const COST_ON_LINE = 4;
/** Columns and rows that are tried where nothing is free beside the outline. */
const GRID = 24;

/**
 * A place for the label of each outline: outside it where there is room, off other outlines and lines, and never over another label.
 * null: the picture has no room left.
 */
export function placeLabels(outlines: readonly Ring[], space: LabelSpace): (PixelPoint | null)[] {
  const placed: PixelPoint[] = [];
  const covers = outlines.map((ring) => new OutlineMap(ring, space.radius));
  const lines = new LineMap(space.lines, space.radius);
  const isAllowed = ({ at }: Place) => isFree(at, space, placed);
  return outlines.map((ring) => {
    const costBelow = (place: Place, most: number) => costOf(place, most, ring, covers, lines);
    const best =
      cheapest(placesBeside(ring, space), isAllowed, costBelow) ??
      cheapest(placesOnGrid(ring, space), isAllowed, costBelow);
    if (best === null) return null;
    placed.push(best.at);
    return best.at;
  });
}

/**
 * The first of the allowed places that cost the least. Places are looked at from the cheapest on, and those left when even their bare
 * cost is too much are never compared with the outlines.
 */
function cheapest(
  places: readonly Place[],
  isAllowed: (place: Place) => boolean,
  costBelow: (place: Place, most: number) => number,
): Place | null {
  const byBareCost = places
    .map((place, order) => ({ place, order }))
    .sort((one, two) => one.place.cost - two.place.cost);
  let best: { readonly place: Place; readonly order: number; readonly cost: number } | null = null;
  for (const { place, order } of byBareCost) {
    const most: number = best?.cost ?? Infinity;
    if (place.cost > most) break;
    if (!isAllowed(place)) continue;
    const cost = costBelow(place, most);
    if (best === null || cost < most || (cost === most && order < best.order)) best = { place, order, cost };
  }
  return best?.place ?? null;
}

/** What a label costs there; where that is more than `most`, something above `most`. */
function costOf({ at, cost }: Place, most: number, own: Ring, covers: readonly OutlineMap[], lines: LineMap): number {
  let [ofOwn, ofOthers] = [0, 0];
  const sum = (ofLines: number) => cost + (ofOwn + ofOthers + ofLines);
  for (const cover of covers) {
    if (!cover.isUnder(at)) continue;
    if (cover.ring === own) ofOwn = COST_INSIDE_OWN;
    else ofOthers += COST_INSIDE_OTHER;
    if (sum(0) > most) return sum(0);
  }
  return sum(lines.isUnder(at) ? COST_ON_LINE : 0);
}

function placesBeside(ring: Ring, { radius }: LabelSpace): Place[] {
  return DIRECTIONS.flatMap((degrees, order) => {
    const [dx, dy] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const furthest = furthestAlong(ring, dx, dy);
    const outside = DISTANCES.map((steps) => ({ away: radius * (1 + steps), cost: steps + order * ORDER_COST }));
    const inside = { away: -1.8 * radius, cost: order * ORDER_COST };
    return [...outside, inside].map(({ away, cost }) => ({
      at: [furthest[0] + dx * away, furthest[1] + dy * away] as const,
      cost,
    }));
  });
}

function furthestAlong(ring: Ring, dx: number, dy: number): PixelPoint {
  let [furthest, most] = [ring[0]!, -Infinity];
  for (const point of ring) {
    const along = point[0] * dx + point[1] * dy;
    if (along > most) [furthest, most] = [point, along];
  }
  return furthest;
}

function placesOnGrid(ring: Ring, { width, height }: LabelSpace): Place[] {
  const [x, y] = middleOf(ring);
  return Array.from({ length: GRID * GRID }, (_, index) => {
    const at = [((index % GRID) + 0.5) * (width / GRID), (Math.floor(index / GRID) + 0.5) * (height / GRID)] as const;
    return { at, cost: Math.hypot(at[0] - x, at[1] - y) };
  });
}

function isFree(
  [x, y]: PixelPoint,
  { width, height, radius, taken }: LabelSpace,
  placed: readonly PixelPoint[],
): boolean {
  const margin = radius + 1;
  if (x < margin || y < margin || x > width - margin || y > height - margin) return false;
  const apart = 2.2 * radius;
  const meets = ([px, py]: PixelPoint) =>
    Math.abs(px - x) <= apart && Math.abs(py - y) <= apart && Math.hypot(px - x, py - y) < apart;
  if (placed.some(meets)) return false;
  return taken.every(
    (box) =>
      x + radius < box.x || y + radius < box.y || x - radius > box.x + box.width || y - radius > box.y + box.height,
  );
}

function middleOf(ring: Ring): PixelPoint {
  const { x, y, width, height } = ringBoundingBox(ring);
  return [x + width / 2, y + height / 2];
}
