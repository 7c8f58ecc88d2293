import sharp from 'sharp';
import type { PixelPolygon } from '../../core/measurement/wound-result.js';
import { eachSpanInside } from '../../core/measurement/outline-mask.js';
import type { PhotoSize } from '../../core/measurement/probability-map.js';

export const MASK_CONTENT_TYPE = 'image/png';

const WOUND = 255;
/** Masks are flat: the least effort already compresses them a hundredfold. */
const COMPRESSION_LEVEL = 1;

/**
 * An 8-bit grey PNG of the oriented photo's size: 255 inside the outlines, 0 elsewhere and in holes.
 * Drawn from the outlines of the result, so that mask, contour and area always agree.
 */
export function drawMaskPicture(outlines: readonly PixelPolygon[], { widthPx, heightPx }: PhotoSize): Promise<Buffer> {
  const pixels = Buffer.alloc(widthPx * heightPx);
  for (const { coordinates } of outlines) {
    eachSpanInside(coordinates, widthPx, heightPx, (row, from, to) =>
      pixels.fill(WOUND, row * widthPx + from, row * widthPx + to),
    );
  }
  return sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 1 }, limitInputPixels: false })
    .toColourspace('b-w')
    .png({ compressionLevel: COMPRESSION_LEVEL, adaptiveFiltering: false })
    .toBuffer();
}
