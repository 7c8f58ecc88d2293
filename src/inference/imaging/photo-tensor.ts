import sharp from 'sharp';
import type { ContentRegion, PhotoSize } from '../../core/measurement/probability-map.js';
import { fitLetterbox } from './letterbox.js';

const RGB = 3;
const MAX_VALUE = 255;

/** What a model wants of a photo; from its manifest. */
export interface TensorShape {
  readonly width: number;
  readonly height: number;
  /** Per channel, of values 0..1. */
  readonly mean: readonly number[];
  readonly std: readonly number[];
}

export interface PhotoTensor {
  /** One picture, channels first (CHW), (value / 255 - mean) / std. */
  readonly values: Float32Array;
  readonly content: ContentRegion;
  readonly photo: PhotoSize;
  /** The photo as the model sees it, 8-bit RGB, row by row. */
  readonly raster: { readonly pixels: Uint8Array; readonly width: number; readonly height: number };
}

/**
 * Decodes a photo, turns it by its EXIF orientation, brings it to 8-bit sRGB and fits it into the model's frame with black around it.
 * Throws where the bytes cannot be decoded whole.
 */
export async function readPhotoTensor(bytes: Uint8Array, shape: TensorShape, maxPixels: number): Promise<PhotoTensor> {
  const options = { failOn: 'error', limitInputPixels: maxPixels } as const;
  const { autoOrient } = await sharp(bytes, options).metadata();
  const photo = { widthPx: autoOrient.width, heightPx: autoOrient.height };
  const content = fitLetterbox(photo, shape.width, shape.height);
  const pixels = await sharp(bytes, options)
    .autoOrient()
    // The linear kernel averages when shrinking, as the pictures the model was trained on were made; sharper kernels ring at wound borders.
    .resize(content.width, content.height, { fit: 'fill', kernel: 'linear' })
    .toColourspace('srgb')
    .flatten({ background: '#000000' })
    .raw()
    .toBuffer();
  return { values: toTensor(pixels, content, shape), content, photo, raster: { pixels, width: content.width, height: content.height } };
}

function toTensor(pixels: Uint8Array, content: ContentRegion, { width, height, mean, std }: TensorShape): Float32Array {
  const plane = width * height;
  const values = new Float32Array(RGB * plane);
  for (let channel = 0; channel < RGB; channel += 1) {
    const scale = 1 / (MAX_VALUE * std[channel]!);
    const black = -mean[channel]! / std[channel]!;
    values.fill(black, channel * plane, (channel + 1) * plane);
    for (let row = 0; row < content.height; row += 1) {
      let target = channel * plane + (content.y + row) * width + content.x;
      let source = row * content.width * RGB + channel;
      for (let column = 0; column < content.width; column += 1, target += 1, source += RGB) {
        values[target] = pixels[source]! * scale + black;
      }
    }
  }
  return values;
}
