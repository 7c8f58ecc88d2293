import { ringBoundingBox, ringContains, type Ring } from '../../src/core/measurement/polygon.js';
import type { PixelPoint } from '../../src/core/measurement/wound-result.js';
import type { LabelSpace } from '../../src/inference/imaging/drawing/place-labels.js';

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

/** What `placeLabels` does, written plainly: every place of every label is compared with every edge of every outline. */
export function plainLabelPlaces(outlines: readonly Ring[], space: LabelSpace): (PixelPoint | null)[] {
  const placed: PixelPoint[] = [];
  return outlines.map((ring) => {
    const others = outlines.filter((other) => other !== ring);
    const free = (places: readonly Place[]) =>
      places
        .filter(({ at }) => isFree(at, space, placed))
        .map(({ at, cost }) => ({ at, cost: cost + coverCost(at, ring, others, space) }));
    const beside = free(placesBeside(ring, space));
    const [best] = (beside.length > 0 ? beside : free(placesOnGrid(ring, space))).sort(
      (one, two) => one.cost - two.cost,
    );
    if (best === undefined) return null;
    placed.push(best.at);
    return best.at;
  });
}

function placesBeside(ring: Ring, { radius }: LabelSpace): Place[] {
  return DIRECTIONS.flatMap((degrees, order) => {
    const [dx, dy] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const along = ([x, y]: PixelPoint) => x * dx + y * dy;
    const furthest = ring.reduce((best, point) => (along(point) > along(best) ? point : best));
    const outside = DISTANCES.map((steps) => ({ away: radius * (1 + steps), cost: steps + order * ORDER_COST }));
    const inside = { away: -1.8 * radius, cost: order * ORDER_COST };
    return [...outside, inside].map(({ away, cost }) => ({
      at: [furthest[0] + dx * away, furthest[1] + dy * away] as const,
      cost,
    }));
  });
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
  if (placed.some(([px, py]) => Math.hypot(px - x, py - y) < 2.2 * radius)) return false;
  return taken.every(
    (box) =>
      x + radius < box.x || y + radius < box.y || x - radius > box.x + box.width || y - radius > box.y + box.height,
  );
}

function coverCost(at: PixelPoint, own: Ring, others: readonly Ring[], { radius, lines }: LabelSpace): number {
  const meets = (ring: Ring) =>
    ring.some((point, index) => distanceToLine(at, point, ring[(index + 1) % ring.length]!) < radius);
  const covers = (ring: Ring) => ringContains(ring, at) || meets(ring);
  const onLine = lines.some(([from, to]) => distanceToLine(at, from, to) < radius);
  return (
    (covers(own) ? COST_INSIDE_OWN : 0) + COST_INSIDE_OTHER * others.filter(covers).length + (onLine ? COST_ON_LINE : 0)
  );
}

function distanceToLine([x, y]: PixelPoint, [x1, y1]: PixelPoint, [x2, y2]: PixelPoint): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  const [awayX, awayY] = [x - x1 - along * dx, y - y1 - along * dy];
  return Math.sqrt(awayX * awayX + awayY * awayY);
}

function middleOf(ring: Ring): PixelPoint {
  const { x, y, width, height } = ringBoundingBox(ring);
  return [x + width / 2, y + height / 2];
}
