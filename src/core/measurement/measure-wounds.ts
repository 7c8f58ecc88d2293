import type { MeasuredLength, PixelPoint, PixelPolygon, WoundMeasurement } from '../analysis/wound-result.js';
import { traceIsoContours } from './iso-contour.js';
import { ringBoundingBox, ringContains, ringExtent, ringPerimeter, signedRingArea, type Ring } from './polygon.js';
import type { PhotoSize, ProbabilityMap } from './probability-map.js';

export interface OutlineRules {
  /** Probability from which a pixel belongs to the wound. */
  readonly threshold: number;
  /** Outlines smaller than this share of the photo are specks, and left out. */
  readonly minAreaShare: number;
}

interface Outline {
  readonly outer: Ring;
  readonly holes: Ring[];
  areaPx: number;
}

const MM_PER_CM = 10;

/**
 * Outlines and measures every wound of a probability map, largest first, in pixels of the oriented photo and,
 * where the scale is known, in centimetres. Area leaves out holes; perimeter, length and width are the outer ring's.
 */
export function measureWounds(map: ProbabilityMap, photo: PhotoSize, rules: OutlineRules, mmPerPixel: number | null): WoundMeasurement[] {
  const rings = traceIsoContours(map, rules.threshold).map((ring) => toPhotoPixels(ring, map, photo));
  const minAreaPx = rules.minAreaShare * photo.widthPx * photo.heightPx;
  return toOutlines(rings)
    .filter((outline) => outline.areaPx >= Math.max(minAreaPx, 1))
    .sort((a, b) => b.areaPx - a.areaPx)
    .map((outline, index) => measure(outline, index, mmPerPixel));
}

/** Rounds for display and storage: areas and pixel lengths to a tenth, centimetres to a hundredth. */
function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}

function toPhotoPixels(ring: Ring, map: ProbabilityMap, photo: PhotoSize): Ring {
  const scaleX = photo.widthPx / map.content.width;
  const scaleY = photo.heightPx / map.content.height;
  const limit = (value: number, most: number) => Math.min(most, Math.max(0, value));
  return ring.map(([x, y]): PixelPoint => [limit((x - map.content.x) * scaleX, photo.widthPx), limit((y - map.content.y) * scaleY, photo.heightPx)]);
}

/** Gives each hole to the smallest outer ring around it. */
function toOutlines(rings: readonly Ring[]): Outline[] {
  const measured = rings.map((ring) => ({ ring, areaPx: signedRingArea(ring) }));
  const outlines: Outline[] = measured.filter(({ areaPx }) => areaPx > 0).map(({ ring, areaPx }) => ({ outer: ring, holes: [], areaPx }));
  const bySize = [...outlines].sort((a, b) => a.areaPx - b.areaPx);
  for (const { ring, areaPx } of measured) {
    if (areaPx >= 0) continue;
    const around = bySize.find((outline) => ringContains(outline.outer, ring[0]!));
    if (around === undefined) continue;
    around.holes.push(ring);
    around.areaPx += areaPx;
  }
  return outlines;
}

function measure(outline: Outline, index: number, mmPerPixel: number | null): WoundMeasurement {
  const cmPerPixel = mmPerPixel === null ? null : mmPerPixel / MM_PER_CM;
  const inCm = (pixels: number): MeasuredLength => ({
    pixels: round(pixels, 1),
    cm: cmPerPixel === null ? null : { value: round(pixels * cmPerPixel, 2) },
  });
  const extent = ringExtent(outline.outer);
  const box = ringBoundingBox(outline.outer);
  return {
    index,
    boundingBox: { x: round(box.x, 1), y: round(box.y, 1), width: round(box.width, 1), height: round(box.height, 1) },
    contour: toPolygon(outline),
    area: {
      pixels: round(outline.areaPx, 1),
      cm2: cmPerPixel === null ? null : { value: round(outline.areaPx * cmPerPixel ** 2, 2) },
    },
    length: inCm(extent.length),
    width: inCm(extent.width),
    perimeter: inCm(ringPerimeter(outline.outer)),
  };
}

/** RFC 7946 3.1.6: closed rings. Coordinates to a tenth of a pixel, points that fall together left out. */
function toPolygon(outline: Outline): PixelPolygon {
  return { type: 'Polygon', coordinates: [outline.outer, ...outline.holes].map(closeRing) };
}

function closeRing(ring: Ring): PixelPoint[] {
  const rounded = ring.map(([x, y]): PixelPoint => [round(x, 1), round(y, 1)]);
  const distinct = rounded.filter((point, position) => {
    const before = rounded[(position + rounded.length - 1) % rounded.length]!;
    return point[0] !== before[0] || point[1] !== before[1];
  });
  const points = distinct.length >= 3 ? distinct : rounded;
  return [...points, points[0]!];
}
