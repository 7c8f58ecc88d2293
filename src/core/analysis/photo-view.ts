import type { PhotoSize } from '../measurement/probability-map.js';
import type { ArtifactInfo, BoundingBox, PixelPoint, PixelPolygon, WoundResult } from '../measurement/wound-result.js';

/** An outline as it is drawn. */
export interface DrawnOutline {
  readonly polygon: PixelPolygon;
  /** Stands beside it; null: nothing does. */
  readonly number: number | null;
  /** Of the wound that the picture is about: a full line. Other wounds have a dashed one. */
  readonly counted: boolean;
}

/** A length that can be read off the picture. */
export interface ScaleBar {
  readonly mm: number;
  readonly lengthPx: number;
}

/** What a picture of a photo shows. Every place and length is in pixels of the oriented photo. */
export interface PhotoView {
  /** The part of the photo; null: all of it. */
  readonly frame: BoundingBox | null;
  /** The picture's longer side has no more pixels. */
  readonly mostSidePx: number;
  readonly outlines: readonly DrawnOutline[];
  /** Measured distances, from end to end. */
  readonly distances: readonly (readonly [PixelPoint, PixelPoint])[];
  /** null where the photo has no scale. */
  readonly scaleBar: ScaleBar | null;
  /** The stored tissue map, whose colours fill the outlines; null: the photo alone. */
  readonly tissueMap: Uint8Array | null;
}

/** A JPEG. */
export interface DrawnPicture {
  readonly bytes: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

const OVERLAY_SIDE_PX = 1600;

/** The size of a picture whose longer side has at most so many pixels; none is enlarged. */
export function fittedSize({ widthPx, heightPx }: PhotoSize, mostSidePx: number): PhotoSize {
  const scale = Math.min(1, mostSidePx / Math.max(widthPx, heightPx));
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

/** A job's overlay: every outline of the photo with its number. The largest is that of the wound, until a person says otherwise. */
export function overlayView({ wounds }: Pick<WoundResult, 'wounds'>): PhotoView {
  return {
    frame: null,
    mostSidePx: OVERLAY_SIDE_PX,
    outlines: wounds.map(({ contour, index }) => ({ polygon: contour, number: index + 1, counted: index === 0 })),
    distances: [],
    scaleBar: null,
    tissueMap: null,
  };
}
