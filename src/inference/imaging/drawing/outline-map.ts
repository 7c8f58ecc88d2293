import { ringBoundingBox, type Ring } from '../../../core/measurement/polygon.js';
import type { BoundingBox, PixelPoint } from '../../../core/measurement/wound-result.js';

/** Pixels by which boxes are widened, so that rounding never leaves out what the exact distance would count. */
const SLACK_PX = 1;

interface Edge {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/**
 * Whether a disc meets an outline. The edges are sorted once into level strips as high as the disc's radius, so that a place is compared
 * with those near its height alone.
 */
export class OutlineMap {
  private readonly box: BoundingBox;
  private readonly reach: number;
  private readonly strips: Edge[][] = [];

  constructor(
    readonly ring: Ring,
    private readonly radius: number,
  ) {
    this.box = ringBoundingBox(ring);
    this.reach = radius + SLACK_PX;
    ring.forEach((from, index) => this.sort(edgeOf(from, ring[(index + 1) % ring.length]!)));
  }

  /** True where the disc's middle lies inside the outline (even-odd rule), or its rim crosses an edge. */
  isUnder(at: PixelPoint): boolean {
    if (isBeyond(at, this.box, this.reach)) return false;
    const { reach } = this;
    const [x, y] = at;
    let inside = false;
    for (const edge of this.strips[this.stripAt(y)] ?? []) {
      const { x1, y1, x2, y2 } = edge;
      // As `ringContains` has it, so that a place on the border falls on the same side.
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
      if ((x1 > x + reach && x2 > x + reach) || (x1 < x - reach && x2 < x - reach)) continue;
      if (distanceTo(edge, x, y) < this.radius) return true;
    }
    return inside;
  }

  private sort(edge: Edge): void {
    const { y1, y2 } = edge;
    const last = this.stripAt((y1 < y2 ? y2 : y1) + this.reach);
    for (let strip = this.stripAt((y1 < y2 ? y1 : y2) - this.reach); strip <= last; strip += 1)
      (this.strips[strip] ??= []).push(edge);
  }

  private stripAt(y: number): number {
    const strip = (y - this.box.y + this.reach) / this.reach;
    return strip < 1 ? 0 : Math.floor(strip);
  }
}

/** Lines, each with its box. */
export class LineMap {
  private readonly boxed: readonly { readonly box: BoundingBox; readonly edge: Edge }[];

  constructor(
    lines: readonly (readonly [PixelPoint, PixelPoint])[],
    private readonly radius: number,
  ) {
    this.boxed = lines.map((line) => ({ box: ringBoundingBox(line), edge: edgeOf(...line) }));
  }

  /** True where the disc about the place crosses one of the lines. */
  isUnder(at: PixelPoint): boolean {
    return this.boxed.some(
      ({ box, edge }) => !isBeyond(at, box, this.radius + SLACK_PX) && distanceTo(edge, ...at) < this.radius,
    );
  }
}

function isBeyond([x, y]: PixelPoint, box: BoundingBox, reach: number): boolean {
  return x < box.x - reach || y < box.y - reach || x > box.x + box.width + reach || y > box.y + box.height + reach;
}

function edgeOf([x1, y1]: PixelPoint, [x2, y2]: PixelPoint): Edge {
  return { x1, y1, x2, y2 };
}

function distanceTo({ x1, y1, x2, y2 }: Edge, x: number, y: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const share = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1);
  const along = share < 0 ? 0 : share > 1 ? 1 : share;
  const [awayX, awayY] = [x - x1 - along * dx, y - y1 - along * dy];
  return Math.sqrt(awayX * awayX + awayY * awayY);
}
