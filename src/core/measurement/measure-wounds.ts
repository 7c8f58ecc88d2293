import type { Bounds, MeasuredArea, MeasuredLength, PixelPoint, WoundMeasurement } from '../analysis/wound-result.js';
import { boundsAround, combineMargins, NINETY_PERCENT, type Margin } from './interval.js';
import { traceIsoContours } from './iso-contour.js';
import { mapOutline, toOutlines, toPolygon, type Outline } from './outline.js';
import { toMillimetres, type PlaneScale } from './plane-scale.js';
import { ringBoundingBox, ringExtent, ringPerimeter } from './polygon.js';
import type { PhotoSize, ProbabilityMap } from './probability-map.js';
import { meanInside, woundConfidence, type ConfidenceRules } from './wound-confidence.js';

/** Between which probabilities the border of a wound may lie; from the model's manifest, checked on labels it never saw. */
export interface BoundsRules {
  /** The region above it is the largest that the wound may be. */
  readonly lowerThreshold: number;
  /** The region above it is the least that the wound is. */
  readonly upperThreshold: number;
  /** Least half-width of an area's interval, in %: experts differ by it too. */
  readonly floorPct: number;
}

export interface OutlineRules {
  /** Probability from which a pixel belongs to the wound. */
  readonly threshold: number;
  /** Outlines smaller than this share of the photo are specks, and left out. */
  readonly minAreaShare: number;
  readonly bounds?: BoundsRules | undefined;
  readonly confidence?: ConfidenceRules | undefined;
}

const MM_PER_CM = 10;
const MM2_PER_CM2 = 100;
/** Where a manifest states no bounds. */
const DEFAULT_FLOOR_PCT = 15;

/**
 * Outlines and measures every wound of a probability map, largest first, in pixels of the oriented photo and,
 * where the scale is known, in centimetres on the skin's plane. Area leaves out holes; perimeter, length and width are the outer ring's.
 */
export function measureWounds(map: ProbabilityMap, photo: PhotoSize, rules: OutlineRules, scale: PlaneScale | null): WoundMeasurement[] {
  const minAreaPx = Math.max(1, rules.minAreaShare * photo.widthPx * photo.heightPx);
  const perMapPixel = (photo.widthPx / map.content.width) * (photo.heightPx / map.content.height);
  return toOutlines(traceIsoContours(map, rules.threshold))
    .map((onMap) => ({ onMap, inPhoto: mapOutline(onMap, (point) => toPhotoPixels(point, map, photo)) }))
    .filter(({ inPhoto }) => inPhoto.area >= minAreaPx)
    .sort((a, b) => b.inPhoto.area - a.inPhoto.area)
    .map(({ onMap, inPhoto }, index) => {
      const confidence = woundConfidence(meanInside(map, onMap), (onMap.area * perMapPixel) / (photo.widthPx * photo.heightPx), rules.confidence);
      const floor = (rules.bounds?.floorPct ?? DEFAULT_FLOOR_PCT) / 100;
      return { index, confidence: round(confidence, 3), ...measure(inPhoto, { below: floor, above: floor }, scale) };
    });
}

type Measures = Omit<WoundMeasurement, 'index' | 'confidence'>;

function measure(outline: Outline, areaMargin: Margin, scale: PlaneScale | null): Measures {
  const inPhoto = figuresOf(outline, areaMargin);
  const onSkin = scale === null ? null : figuresOf(mapOutline(outline, (point) => toMillimetres(scale, point)), areaMargin);
  const uncertainty = (NINETY_PERCENT * (scale?.uncertaintyPct ?? 0)) / 100;
  const box = ringBoundingBox(outline.outer);
  const lengthOf = (name: 'length' | 'width' | 'perimeter'): MeasuredLength => ({
    pixels: round(inPhoto[name].value, 1),
    cm: onSkin === null ? null : withBounds(onSkin[name], uncertainty, MM_PER_CM),
  });
  const area: MeasuredArea = {
    pixels: round(inPhoto.area.value, 1),
    pixelBounds: roundBounds(boundsAround(inPhoto.area.value, inPhoto.area.margin), 1),
    cm2: onSkin === null ? null : withBounds(onSkin.area, 2 * uncertainty, MM2_PER_CM2),
  };
  return {
    boundingBox: { x: round(box.x, 1), y: round(box.y, 1), width: round(box.width, 1), height: round(box.height, 1) },
    contour: toPolygon(outline),
    area,
    length: lengthOf('length'),
    width: lengthOf('width'),
    perimeter: lengthOf('perimeter'),
    tissue: null,
  };
}

interface Figure {
  readonly value: number;
  readonly margin: Margin;
}

type Figures = Readonly<Record<'area' | 'length' | 'width' | 'perimeter', Figure>>;

function figuresOf(outline: Outline, areaMargin: Margin): Figures {
  const extent = ringExtent(outline.outer);
  const half = { below: areaMargin.below / 2, above: areaMargin.above / 2 };
  return {
    area: { value: outline.area, margin: areaMargin },
    length: { value: extent.length, margin: half },
    width: { value: extent.width, margin: half },
    perimeter: { value: ringPerimeter(outline.outer), margin: half },
  };
}

function withBounds({ value, margin }: Figure, uncertainty: number, unit: number): Bounds & { value: number } {
  const bounds = boundsAround(value / unit, combineMargins(margin, { below: uncertainty, above: uncertainty }));
  return { value: round(value / unit, 2), ...roundBounds(bounds, 2) };
}

function roundBounds({ lower, upper }: Bounds, digits: number): Bounds {
  return { lower: round(lower, digits), upper: round(upper, digits) };
}

/** Rounds for display and storage: areas and pixel lengths to a tenth, centimetres to a hundredth. */
function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}

function toPhotoPixels([x, y]: PixelPoint, { content }: ProbabilityMap, photo: PhotoSize): PixelPoint {
  const limit = (value: number, most: number) => Math.min(most, Math.max(0, value));
  return [
    limit(((x - content.x) * photo.widthPx) / content.width, photo.widthPx),
    limit(((y - content.y) * photo.heightPx) / content.height, photo.heightPx),
  ];
}
