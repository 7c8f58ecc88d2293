import sharp from 'sharp';
import type { ContentRegion, PhotoSize } from '../../core/measurement/probability-map.js';
import { fitLetterbox } from './letterbox.js';
import type { PhotoRaster, RasterRegion } from './photo-raster.js';
import { resizeRegion } from './triangle-resize.js';

const RGB = 3;
const MAX_VALUE = 255;
/**
 * From this ratio on libvips shrinks, ten times as fast as we do, and within two steps of an 8-bit colour of what the training code
 * makes. It is not used below, for it enlarges half a pixel beside the place (both held to it by golden-pictures.spec.ts).
 */
const MUCH_SMALLER = 2;

/** A model's demands on a picture, from its manifest. */
interface TensorShape {
  readonly width: number;
  readonly height: number;
  /** Per channel, of values 0..1. */
  readonly mean: readonly number[];
  readonly std: readonly number[];
}

export interface PhotoTensor {
  /** One picture, channels first (CHW), (value / 255 - mean) / std. */
  readonly values: Float32Array;
  /** The region as it was fitted: RGB, row by row, without the black around it. */
  readonly pixels: Uint8Array;
  /** The place of the region in the frame. */
  readonly region: ContentRegion;
  /** The place of the whole photo in pixels of the frame; beyond its edges where the region is only a part. */
  readonly content: ContentRegion;
}

/** Fits the whole raster, or one region of it, into a model's frame with black around it. */
export async function toPhotoTensor(
  raster: PhotoRaster,
  shape: TensorShape,
  region: RasterRegion = wholeOf(raster),
): Promise<PhotoTensor> {
  const place = fitLetterbox(sizeOf(region), shape.width, shape.height);
  const pixels = await fitPixels(raster, region, place);
  return {
    values: toTensor(pixels, place, shape),
    pixels,
    region: place,
    content: placeOfPhoto(raster, region, place),
  };
}

/** The region that is the whole raster. */
export function wholeOf({ width, height }: PhotoRaster): RasterRegion {
  return { x: 0, y: 0, width, height };
}

function sizeOf({ width, height }: RasterRegion): PhotoSize {
  return { widthPx: width, heightPx: height };
}

function fitPixels(
  { pixels, width, height }: PhotoRaster,
  region: RasterRegion,
  place: ContentRegion,
): Promise<Uint8Array> {
  const asItIs = region.width === width && region.height === height && place.width === width && place.height === height;
  if (asItIs) return Promise.resolve(pixels);
  if (region.width < MUCH_SMALLER * place.width)
    return Promise.resolve(resizeRegion(pixels, width, region, place.width, place.height));
  return sharp(pixels, { raw: { width, height, channels: RGB } })
    .extract({ left: region.x, top: region.y, width: region.width, height: region.height })
    .resize(place.width, place.height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
}

function placeOfPhoto(raster: PhotoRaster, region: RasterRegion, place: ContentRegion): ContentRegion {
  const [scaleX, scaleY] = [place.width / region.width, place.height / region.height];
  return {
    x: place.x - region.x * scaleX,
    y: place.y - region.y * scaleY,
    width: raster.width * scaleX,
    height: raster.height * scaleY,
  };
}

function toTensor(pixels: Uint8Array, place: ContentRegion, { width, height, mean, std }: TensorShape): Float32Array {
  const plane = width * height;
  const values = new Float32Array(RGB * plane);
  for (let channel = 0; channel < RGB; channel += 1) {
    const scale = 1 / (MAX_VALUE * std[channel]!);
    const black = -mean[channel]! / std[channel]!;
    values.fill(black, channel * plane, (channel + 1) * plane);
    for (let row = 0; row < place.height; row += 1) {
      let target = channel * plane + (place.y + row) * width + place.x;
      let source = row * place.width * RGB + channel;
      for (let column = 0; column < place.width; column += 1, target += 1, source += RGB) {
        values[target] = pixels[source]! * scale + black;
      }
    }
  }
  return values;
}
