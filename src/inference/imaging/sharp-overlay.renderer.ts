import sharp from 'sharp';
import type { ArtifactInfo, PixelPolygon } from '../../core/measurement/wound-result.js';
import { OverlayRenderer } from '../../core/analysis/overlay-renderer.js';
import type { ConcurrencyLimit } from '../../platform/concurrency-limit.js';
import { paintOutlines } from './outline-painter.js';

const MAX_SIDE_PX = 1600;
const JPEG_QUALITY = 85;
const RGB = 3;

/** The oriented photo, at most 1,600 pixels on its longer side, with the outlines drawn over it; a JPEG without any metadata. */
export class SharpOverlayRenderer extends OverlayRenderer {
  /** @param maxPixels largest photo, in pixels */
  constructor(
    private readonly maxPixels: number,
    private readonly decoding: ConcurrencyLimit,
  ) {
    super();
  }

  override describe(widthPx: number, heightPx: number): ArtifactInfo {
    const scale = Math.min(1, MAX_SIDE_PX / Math.max(widthPx, heightPx));
    return {
      contentType: 'image/jpeg',
      width: Math.max(1, Math.round(widthPx * scale)),
      height: Math.max(1, Math.round(heightPx * scale)),
    };
  }

  override render(photo: Uint8Array, outlines: readonly PixelPolygon[]): Promise<Uint8Array> {
    return this.decoding.run(() => this.draw(photo, outlines));
  }

  // The lines are painted into the pixels: an SVG layer would need the SVG decoder, which stays shut in this process.
  private async draw(photo: Uint8Array, outlines: readonly PixelPolygon[]): Promise<Uint8Array> {
    const options = { failOn: 'error', limitInputPixels: this.maxPixels } as const;
    const { autoOrient } = await sharp(photo, options).metadata();
    const { width, height } = this.describe(autoOrient.width, autoOrient.height);
    const pixels = await sharp(photo, options)
      .autoOrient()
      .resize(width, height, { fit: 'fill' })
      .toColourspace('srgb')
      .flatten({ background: '#000000' })
      .raw()
      .toBuffer();
    paintOutlines({ width, height, pixels }, outlines, width / autoOrient.width, height / autoOrient.height);
    return sharp(pixels, { raw: { width, height, channels: RGB } })
      .jpeg({ quality: JPEG_QUALITY })
      .toBuffer();
  }
}
