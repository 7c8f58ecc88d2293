import type { Bounds, MeasuredLength, PixelLine, PixelPoint, WoundMeasurement } from './wound-result.js';
import { defaultBounds, marginOfArea, type BoundsRules } from './area-bounds.js';
import { atLeast, boundsAround, combineMargins, NINETY_PERCENT, type Margin } from './interval.js';
import { familiarityScore, leastAreaMargin, outlineAgreement, type FamiliarityRules } from './familiarity.js';
import { traceIsoContours } from './iso-contour.js';
import { outlineBands } from './outline-band.js';
import { MEASURE_TABLE, perLength, type Measure } from './measures.js';
import { mapOutline, toOutlines, toPolygon, type Outline } from './outline.js';
import { toMillimetres, toPixel, unseenTiltShare, type PlaneScale } from './plane-scale.js';
import { ringBoundingBox, ringExtent, ringPerimeter } from './polygon.js';
import type { PhotoSize, ProbabilityMap } from './probability-map.js';
import { meanInside, woundConfidence, type ConfidenceRules } from './wound-confidence.js';
import { rounded } from './rounded.js';
import { simplifyOutline } from './simplify-outline.js';

export interface OutlineRules {
  /** Probability from which a pixel belongs to the wound. */
  readonly threshold: number;
  /** Outlines smaller than this share of the photo are specks, and left out. */
  readonly minAreaShare: number;
  readonly bounds?: BoundsRules | undefined;
  readonly confidence?: ConfidenceRules | undefined;
  readonly familiarity?: FamiliarityRules | undefined;
  /** The model knows nothing like this photo, and its confidence, fitted on photos that it does know, is capped by the score. */
  readonly unfamiliar?: boolean;
}

const MM_PER_CM = 10;
/** Of areas and lengths in the photo. */
export const PIXEL_DIGITS = 1;
/** Longer side of the view that an outline's size is stated for. */
const VIEW_SIDE_PX = 512;

/**
 * Outlines and measures every wound of a probability map, largest first, in pixels of the oriented photo and,
 * where the scale is known, in centimetres on the skin's plane. Area leaves out holes; perimeter, length and width are the outer ring's.
 */
export function measureWounds(
  map: ProbabilityMap,
  photo: PhotoSize,
  rules: OutlineRules,
  scale: PlaneScale | null,
): WoundMeasurement[] {
  const photoPx = photo.widthPx * photo.heightPx;
  const doubt = doubtOf(map, rules);
  const inPhotoOf = (onMap: Outline) => mapOutline(onMap, (point) => toPhotoPixels(point, map, photo));
  const found = toOutlines(traceIsoContours(map, rules.threshold))
    .map((onMap) => ({ onMap, inPhoto: inPhotoOf(onMap) }))
    .filter(({ inPhoto }) => inPhoto.area >= Math.max(1, rules.minAreaShare * photoPx))
    .map((outline) => ({
      ...outline,
      confidence: Math.min(
        woundConfidence(meanInside(map, outline.onMap), outline.inPhoto.area / photoPx, rules.confidence),
        doubt.mostConfidence,
      ),
    }))
    .filter(({ confidence }) => confidence >= (rules.confidence?.reportFrom ?? 0))
    .sort((a, b) => b.inPhoto.area - a.inPhoto.area);
  const bounds = rules.bounds ?? defaultBounds(rules.threshold);
  const bands = outlineBands(
    map,
    found.map(({ onMap }) => onMap),
    {
      least: Math.min(bounds.lowerThreshold, bounds.upperThreshold),
      most: Math.max(bounds.lowerThreshold, bounds.upperThreshold),
    },
  );
  const seen = (VIEW_SIDE_PX / Math.max(map.width, map.height)) ** 2;
  return found.map(({ onMap, inPhoto, confidence }, index) => {
    const margin = atLeast(marginOfArea(bands[index]!, onMap.area * seen, bounds), doubt.leastMargin);
    const measures = measureOutline(inPhoto, margin, scale, inPhotoOf(simplifyOutline(onMap)));
    return { index, confidence: rounded(confidence, 3), ...measures };
  });
}

/** What a map's own doubt of its outlines does to their figures; nothing where the model states no calibration of it. */
function doubtOf(map: ProbabilityMap, { threshold, familiarity, unfamiliar = false }: OutlineRules) {
  const agreement = familiarity === undefined ? null : outlineAgreement(map, threshold);
  if (familiarity === undefined || agreement === null) return { mostConfidence: 1, leastMargin: 0 };
  return {
    mostConfidence: unfamiliar ? familiarityScore(agreement, familiarity) : 1,
    leastMargin: leastAreaMargin(agreement, familiarity),
  };
}

/** The measures of one outline. */
export type Measures = Omit<WoundMeasurement, 'index' | 'confidence'>;

/**
 * Measures one outline in pixels of the oriented photo and, where the scale is known, on the skin's plane. `kept` stands for it in what is answered
 * and kept.
 */
export function measureOutline(
  outline: Outline,
  areaMargin: Margin,
  scale: PlaneScale | null,
  kept: Outline = outline,
): Measures {
  const inPhoto = figuresOf(outline, areaMargin);
  const onSkin =
    scale === null || !liesBeforeHorizon(outline, scale)
      ? null
      : figuresOf(
          mapOutline(outline, (point) => toMillimetres(scale, point)),
          areaMargin,
        );
  const uncertainty = (NINETY_PERCENT * (scale?.uncertaintyPct ?? 0)) / 100;
  const unseenTilt = scale === null ? 0 : unseenTiltShare(scale);
  const box = ringBoundingBox(outline.outer);
  const onSkinOf = (measure: Measure) =>
    onSkin === null ? null : withBounds(onSkin[measure], { uncertainty, unseenTilt }, measure);
  return {
    boundingBox: {
      x: rounded(box.x, 1),
      y: rounded(box.y, 1),
      width: rounded(box.width, 1),
      height: rounded(box.height, 1),
    },
    contour: toPolygon(kept),
    area: {
      pixels: rounded(inPhoto.area.value, PIXEL_DIGITS),
      pixelBounds: roundBounds(boundsAround(inPhoto.area.value, inPhoto.area.margin), PIXEL_DIGITS),
      cm2: onSkinOf('area'),
    },
    ...perLength((measure) => ({
      pixels: rounded(inPhoto[measure].value, PIXEL_DIGITS),
      cm: onSkinOf(measure),
      ...lineOf(measure, inPhoto, onSkin, scale),
    })),
    tissue: null,
  };
}

/** The line that the printed figure is the length of, on the photo. */
function lineOf(
  measure: Measure,
  inPhoto: Figures,
  onSkin: Figures | null,
  scale: PlaneScale | null,
): Pick<MeasuredLength, 'line'> {
  const line = (onSkin ?? inPhoto)[measure].line;
  if (line === undefined) return {};
  const place = (end: PixelPoint): PixelPoint => {
    const [x, y] = onSkin === null || scale === null ? end : toPixel(scale, end);
    return [rounded(x, PIXEL_DIGITS), rounded(y, PIXEL_DIGITS)];
  };
  const [one, two] = [place(line[0]), place(line[1])];
  // From left to right, whichever way it was found.
  return { line: one[0] < two[0] || (one[0] === two[0] && one[1] <= two[1]) ? [one, two] : [two, one] };
}

/** A plane has no millimetres on and behind its horizon, where a homography would still give some. */
function liesBeforeHorizon({ outer }: Outline, { toMm: m }: PlaneScale): boolean {
  const depths = outer.map(([x, y]) => m[6] * x + m[7] * y + m[8]);
  return depths.every((depth) => depth > 0) || depths.every((depth) => depth < 0);
}

interface Figure {
  readonly value: number;
  readonly margin: Margin;
  readonly line?: PixelLine;
}

type Figures = Readonly<Record<Measure, Figure>>;

/**
 * The area's margin taken as a border that lies further in or out everywhere by the same distance: margin × area ÷ border.
 * A length between two borders then changes by twice that, and the border of any convex shape by 2π times (Steiner's formula).
 */
function figuresOf(outline: Outline, areaMargin: Margin): Figures {
  const extent = ringExtent(outline.outer);
  const perimeter = ringPerimeter(outline.outer);
  const border = outline.holes.reduce((total, hole) => total + ringPerimeter(hole), perimeter);
  const shifted = (value: number, times: number): Figure => {
    const share = (times * outline.area) / (border * value);
    return { value, margin: { below: areaMargin.below * share, above: areaMargin.above * share } };
  };
  return {
    area: { value: outline.area, margin: areaMargin },
    length: { ...shifted(extent.length, 2), line: extent.lengthLine },
    width: { ...shifted(extent.width, 2), line: extent.widthLine },
    perimeter: shifted(perimeter, 2 * Math.PI),
  };
}

/** Shares of a length. */
interface ScaleMargin {
  readonly uncertainty: number;
  /** Upwards alone; of an area it is the same, as an angle shortens one direction. */
  readonly unseenTilt: number;
}

/** In centimetres. An area has the scale's uncertainty in both directions. */
function withBounds(
  { value, margin }: Figure,
  { uncertainty, unseenTilt }: ScaleMargin,
  measure: Measure,
): Bounds & { value: number } {
  const { unit, digits } = MEASURE_TABLE[measure];
  const power = unit === 'cm2' ? 2 : 1;
  const inUnit = value / MM_PER_CM ** power;
  const ofScale = power * uncertainty;
  const bounds = boundsAround(
    inUnit,
    combineMargins(margin, { below: ofScale, above: Math.hypot(ofScale, unseenTilt) }),
  );
  return { value: rounded(inUnit, digits), ...roundBounds(bounds, digits) };
}

function roundBounds({ lower, upper }: Bounds, digits: number): Bounds {
  return { lower: rounded(lower, digits), upper: rounded(upper, digits) };
}

function toPhotoPixels([x, y]: PixelPoint, { content }: ProbabilityMap, photo: PhotoSize): PixelPoint {
  const limit = (value: number, most: number) => Math.min(most, Math.max(0, value));
  return [
    limit(((x - content.x) * photo.widthPx) / content.width, photo.widthPx),
    limit(((y - content.y) * photo.heightPx) / content.height, photo.heightPx),
  ];
}
