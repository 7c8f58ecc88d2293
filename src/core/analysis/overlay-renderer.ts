import type { ArtifactInfo, PixelPolygon } from '../measurement/wound-result.js';

/** Draws outlines over the photo, without any metadata of the original. */
export abstract class OverlayRenderer {
  /** Size and type of the overlay that `render` makes for an oriented photo of this size. */
  abstract describe(widthPx: number, heightPx: number): ArtifactInfo;
  abstract render(photo: Uint8Array, outlines: readonly PixelPolygon[]): Promise<Uint8Array>;
}
