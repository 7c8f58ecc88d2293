import type { PhotoSize } from './probability-map.js';
import { ringBoundingBox, ringContains, signedRingArea, type Ring } from './polygon.js';
import type { PixelPoint, RegionChoice, WoundMeasurement } from './wound-result.js';

/** Where in a photo the wound of a subject lies: a point of it, or a box around it with its upper left corner at `x`, `y`. Pixels of the oriented photo. */
export interface PhotoRegion {
  readonly x: number;
  readonly y: number;
  /** Absent, like `height`: a point. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

type Outlined = Pick<WoundMeasurement, 'contour' | 'area'>;

/** A finger on a screen misses by about so much of the photo's longer side. */
const NEAR_SHARE = 0.03;
/** A box means an outline of which so much lies in it, or which fills so much of it. */
const INSIDE_SHARE = 0.5;

/** Why a region cannot be one of a photo; null: it can. */
export function regionFault({ x, y, width, height }: PhotoRegion, { widthPx, heightPx }: PhotoSize): string | null {
  if ((width === undefined) !== (height === undefined)) return 'a box has a width and a height; a point has neither';
  const ends = [x, y, x + (width ?? 0), y + (height ?? 0)];
  const isWithin = ends.every((end) => Number.isFinite(end) && end >= 0) && ends[2]! <= widthPx && ends[3]! <= heightPx;
  if (!isWithin || width === 0 || height === 0 || (width ?? 0) < 0 || (height ?? 0) < 0)
    return `the photo as it is shown upright has ${widthPx} × ${heightPx} pixels; the region has to lie within`;
  return null;
}

/**
 * The outline that a region means: of a point the one around it, else the nearest whose border is not further away than a finger misses;
 * of a box the one with most of its area in it, of those that lie in it by half or fill half of it.
 */
export function outlineAt(wounds: readonly Outlined[], region: PhotoRegion, photo: PhotoSize): RegionChoice {
  const rings = wounds.map(ringOf);
  const index = isBox(region) ? mostInside(rings, region) : around(rings, [region.x, region.y], photo);
  return { outline: index < 0 ? null : index };
}

interface Box extends PhotoRegion {
  readonly width: number;
  readonly height: number;
}

function isBox(region: PhotoRegion): region is Box {
  return region.width !== undefined && region.height !== undefined;
}

function ringOf({ contour }: Outlined): Ring {
  return contour.coordinates[0]!.slice(1);
}

function around(rings: readonly Ring[], point: PixelPoint, { widthPx, heightPx }: PhotoSize): number {
  const near = NEAR_SHARE * Math.max(widthPx, heightPx);
  const distances = rings.map((ring) => (ringContains(ring, point) ? 0 : distanceTo(ring, point)));
  const least = Math.min(...distances);
  return least <= near ? distances.indexOf(least) : -1;
}

function distanceTo(ring: Ring, [x, y]: PixelPoint): number {
  return ring.reduce((least, [x1, y1], index) => {
    const [x2, y2] = ring[(index + 1) % ring.length]!;
    const squared = (x2 - x1) ** 2 + (y2 - y1) ** 2;
    const along = squared === 0 ? 0 : ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / squared;
    const t = Math.min(1, Math.max(0, along));
    return Math.min(least, Math.hypot(x - (x1 + t * (x2 - x1)), y - (y1 + t * (y2 - y1))));
  }, Infinity);
}

function mostInside(rings: readonly Ring[], box: Box): number {
  const inside = rings.map((ring) => Math.abs(signedRingArea(clipped(ring, box))));
  const belongs = rings.map(
    (ring, index) =>
      inside[index]! >= INSIDE_SHARE * Math.abs(signedRingArea(ring)) ||
      inside[index]! >= INSIDE_SHARE * box.width * box.height,
  );
  const most = Math.max(0, ...inside.filter((_area, index) => belongs[index]));
  return most === 0 ? -1 : inside.findIndex((area, index) => area === most && belongs[index]);
}

/** The part of a ring in a box, cut at one side after the other (Sutherland and Hodgman 1974). */
function clipped(ring: Ring, { x, y, width, height }: Box): Ring {
  const { x: left, y: top, width: wide, height: high } = ringBoundingBox(ring);
  if (left > x + width || left + wide < x || top > y + height || top + high < y) return [];
  const sides: readonly (readonly [axis: 0 | 1, at: number, sign: 1 | -1])[] = [
    [0, x, 1],
    [0, x + width, -1],
    [1, y, 1],
    [1, y + height, -1],
  ];
  return sides.reduce<Ring>((kept, [axis, at, sign]) => cutAt(kept, axis, at, sign), ring);
}

function cutAt(ring: Ring, axis: 0 | 1, at: number, sign: 1 | -1): Ring {
  const isIn = (point: PixelPoint) => sign * (point[axis] - at) >= 0;
  return ring.flatMap((point, index) => {
    const before = ring[(index + ring.length - 1) % ring.length]!;
    if (isIn(before) === isIn(point)) return isIn(point) ? [point] : [];
    const t = (at - before[axis]) / (point[axis] - before[axis]);
    const crossing: PixelPoint = [before[0] + t * (point[0] - before[0]), before[1] + t * (point[1] - before[1])];
    return isIn(point) ? [crossing, point] : [crossing];
  });
}
