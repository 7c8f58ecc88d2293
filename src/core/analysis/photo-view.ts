import { mmPerPixelAcross, planeScaleOf, type PlaneScale } from '../measurement/plane-scale.js';
import { ringBoundingBox } from '../measurement/polygon.js';
import type { PhotoSize } from '../measurement/probability-map.js';
import { scaleBarFor, type ScaleBar } from '../measurement/scale-bar.js';
import type {
  ArtifactInfo,
  BoundingBox,
  PixelLine,
  PixelPolygon,
  WoundFigures,
  WoundResult,
} from '../measurement/wound-result.js';

/** An outline as it is drawn. */
export interface DrawnOutline {
  readonly polygon: PixelPolygon;
  /** Stands beside it; null: nothing does. */
  readonly number: number | null;
  /** Of the wound that the picture is about: a full line. Other wounds have a dashed one. */
  readonly counted: boolean;
}

/** What a picture of a photo shows. Every place and length is in pixels of the oriented photo. */
export interface PhotoView {
  /** The part of the photo; what reaches beyond the photo is grey. */
  readonly frame: BoundingBox;
  /** The picture's own size. */
  readonly size: PhotoSize;
  readonly outlines: readonly DrawnOutline[];
  /** Lines that hide as little of the wound as can be. */
  readonly thin: boolean;
  /** Measured distances, from end to end. */
  readonly distances: readonly PixelLine[];
  /** null where the photo has no scale. */
  readonly scaleBar: ScaleBar | null;
  /** The stored tissue map, whose colours fill the outlines that count; null: the photo alone. */
  readonly tissueMap: Uint8Array | null;
}

/** A JPEG. */
export interface DrawnPicture extends PhotoSize {
  readonly bytes: Uint8Array;
}

const OVERLAY_SIDE_PX = 1600;

/** The size of a picture whose longer side has at most so many pixels. */
export function fittedSize({ widthPx, heightPx }: PhotoSize, mostSidePx: number, mostEnlarged = 1): PhotoSize {
  const scale = Math.min(mostEnlarged, mostSidePx / Math.max(widthPx, heightPx));
  return {
    widthPx: Math.max(1, Math.round(widthPx * scale)),
    heightPx: Math.max(1, Math.round(heightPx * scale)),
  };
}

/** Size and type of a job's overlay: they follow from the photo's size, before it is drawn. */
export function overlayInfo(photo: PhotoSize): ArtifactInfo {
  const { widthPx, heightPx } = fittedSize(photo, OVERLAY_SIDE_PX);
  return { contentType: 'image/jpeg', width: widthPx, height: heightPx };
}

/** A job's overlay: every outline of the photo with its number. The largest is that of the wound unless a review changed it. */
export function overlayView({ wounds, scale, artifacts }: WoundResult): PhotoView {
  const photo = { widthPx: artifacts.mask.width, heightPx: artifacts.mask.height };
  const outlines = wounds.map(({ contour, index }) => ({
    polygon: contour,
    number: index + 1,
    counted: index === 0,
  }));
  return wholeView(photo, OVERLAY_SIDE_PX, outlines, wounds[0] ?? null, planeScaleOf(scale));
}

/** The whole photo, with the lines of these figures and a scale bar that holds at the outlines that count. */
export function wholeView(
  photo: PhotoSize,
  mostSidePx: number,
  outlines: readonly DrawnOutline[],
  figures: WoundFigures | null,
  scale: PlaneScale | null,
): PhotoView {
  const frame = { x: 0, y: 0, width: photo.widthPx, height: photo.heightPx };
  const mmPerPixel = mmPerPixelIn(scale, countedBox(outlines) ?? frame);
  return {
    frame,
    size: fittedSize(photo, mostSidePx),
    outlines,
    thin: false,
    distances: figures === null ? [] : [figures.length.line, figures.width.line].filter((line) => line !== undefined),
    scaleBar: mmPerPixel === null ? null : scaleBarFor(mmPerPixel, frame.width),
    tissueMap: null,
  };
}

/** The smallest rectangle around the outlines that count; null without any. */
export function countedBox(outlines: readonly DrawnOutline[]): BoundingBox | null {
  const boxes = outlines
    .filter(({ counted }) => counted)
    .map(({ polygon }) => ringBoundingBox(polygon.coordinates[0]!));
  if (boxes.length === 0) return null;
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

/** Millimetres of a pixel from left to right in the middle of a rectangle: an oblique view has another scale at every point. */
export function mmPerPixelIn(scale: PlaneScale | null, { x, y, width, height }: BoundingBox): number | null {
  const mm = scale === null ? Number.NaN : mmPerPixelAcross(scale, [x + width / 2, y + height / 2]);
  return Number.isFinite(mm) && mm > 0 ? mm : null;
}
