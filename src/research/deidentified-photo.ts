import sharp from 'sharp';
import { eachSpanInside } from '../core/measurement/outline-mask.js';
import type { PhotoSize } from '../core/measurement/probability-map.js';
import type { PixelPolygon } from '../core/measurement/wound-result.js';

const QUALITY = 95;
const WOUND = 255;

/** The oriented photo as a new JPEG of its pixels alone: no EXIF, XMP, IPTC, comment, thumbnail or colour profile. */
export async function withoutMetadata(
  photo: Uint8Array,
): Promise<{ readonly bytes: Buffer; readonly size: PhotoSize }> {
  const { data, info } = await sharp(photo, { limitInputPixels: false })
    .rotate()
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, size: { widthPx: info.width, heightPx: info.height } };
}

/** A mask of the photo's size as a new grey PNG: 255 in the wound. */
export function maskOf(outlines: readonly PixelPolygon[], { widthPx, heightPx }: PhotoSize): Promise<Buffer> {
  const pixels = Buffer.alloc(widthPx * heightPx);
  for (const { coordinates } of outlines)
    eachSpanInside(coordinates, widthPx, heightPx, (row, from, to) =>
      pixels.fill(WOUND, row * widthPx + from, row * widthPx + to),
    );
  return sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 1 }, limitInputPixels: false })
    .toColourspace('b-w')
    .png()
    .toBuffer();
}
