import sharp from 'sharp';
import type { PhotoSize } from '../../core/measurement/probability-map.js';

/** Longer side of the largest raster, in pixels. */
export const RASTER_MAX_SIDE = 2048;
/**
 * A shrink by 2, 4 or 8 costs JPEG and WebP decoders a fraction of a whole decoding, so it is preferred where it leaves at
 * least three quarters of the largest side: a 12-megapixel photo of 4,032 pixels becomes 2,016.
 */
const LEAST_CHEAP_SIDE = 1536;

/** A photo, decoded once. */
export interface PhotoRaster {
  /** RGB, row by row. */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The oriented photo's own size, of which the raster may be a smaller copy. */
  readonly photo: PhotoSize;
}

/** A rectangle of whole raster pixels. */
export interface RasterRegion {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes a photo, turns it by its EXIF orientation, brings it to 8-bit sRGB on black, and shrinks it where its longer side is
 * over RASTER_MAX_SIDE. Throws where the bytes cannot be decoded whole or have more than `maxPixels`.
 */
export async function readPhotoRaster(bytes: Uint8Array, maxPixels: number): Promise<PhotoRaster> {
  const options = { failOn: 'error', limitInputPixels: maxPixels } as const;
  const { autoOrient } = await sharp(bytes, options).metadata();
  const photo = { widthPx: autoOrient.width, heightPx: autoOrient.height };
  const { width, height } = rasterSize(photo);
  const oriented = sharp(bytes, options).autoOrient();
  // The linear kernel averages when shrinking, as the pictures the models were trained on were made; sharper kernels ring at wound borders.
  const fitted =
    width === photo.widthPx && height === photo.heightPx
      ? oriented
      : oriented.resize(width, height, { fit: 'fill', kernel: 'linear' });
  const pixels = await fitted.toColourspace('srgb').flatten({ background: '#000000' }).raw().toBuffer();
  return { pixels, width, height, photo };
}

/** The raster's size for a photo: its own, or the largest that is cheap to make. */
export function rasterSize({ widthPx, heightPx }: PhotoSize): { readonly width: number; readonly height: number } {
  const longer = Math.max(widthPx, heightPx);
  if (longer <= RASTER_MAX_SIDE) return { width: widthPx, height: heightPx };
  let shrunk = longer;
  while (shrunk > RASTER_MAX_SIDE) shrunk /= 2;
  const scale = (shrunk >= LEAST_CHEAP_SIDE ? shrunk : RASTER_MAX_SIDE) / longer;
  const fitted = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: fitted(widthPx), height: fitted(heightPx) };
}
