import sharp from 'sharp';
import { fittedSize, type DrawnPicture, type PhotoView } from '../../core/analysis/photo-view.js';
import { PictureRenderer } from '../../core/analysis/picture-renderer.js';
import type { ConcurrencyLimit } from '../../platform/concurrency-limit.js';
import { paintOutlines } from './outline-painter.js';

const JPEG_QUALITY = 85;
const RGB = 3;

/** Draws views of the oriented photo as JPEG without any metadata. */
export class SharpPictureRenderer extends PictureRenderer {
  /** @param maxPixels largest photo, in pixels */
  constructor(
    private readonly maxPixels: number,
    private readonly decoding: ConcurrencyLimit,
  ) {
    super();
  }

  override draw(photo: Uint8Array, views: readonly PhotoView[]): Promise<DrawnPicture[]> {
    return this.decoding.run(() => Promise.all(views.map((view) => this.drawView(photo, view))));
  }

  // The lines are painted into the pixels: an SVG layer would need the SVG decoder, which stays shut in this process.
  private async drawView(photo: Uint8Array, { outlines, mostSidePx }: PhotoView): Promise<DrawnPicture> {
    const options = { failOn: 'error', limitInputPixels: this.maxPixels } as const;
    const { autoOrient } = await sharp(photo, options).metadata();
    const size = fittedSize({ widthPx: autoOrient.width, heightPx: autoOrient.height }, mostSidePx);
    const { widthPx: width, heightPx: height } = size;
    const pixels = await sharp(photo, options)
      .autoOrient()
      .resize(width, height, { fit: 'fill' })
      .toColourspace('srgb')
      .flatten({ background: '#000000' })
      .raw()
      .toBuffer();
    const polygons = outlines.map(({ polygon }) => polygon);
    paintOutlines({ width, height, pixels }, polygons, width / autoOrient.width, height / autoOrient.height);
    const bytes = await sharp(pixels, { raw: { width, height, channels: RGB } })
      .jpeg({ quality: JPEG_QUALITY })
      .toBuffer();
    return { bytes, ...size };
  }
}
