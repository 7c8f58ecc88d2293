import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import sharp from 'sharp';
import type { PhotoSize } from '../../../src/core/measurement/probability-map.js';
import { UnreadableInputError } from './photo-file.js';
import type { BinaryMask } from '../metrics/binary-mask.js';
import { readBmp, type RawPicture } from './bmp-picture.js';

/** Brighter than this is wound. */
const HALF_BRIGHT = 127;
const COLOUR_CHANNELS = 3;

/** The wound of a mask: where its brightest colour channel is above 127. Throws UnreadableInputError where it is damaged or not of the oriented photo's size. */
export async function readWoundMask(file: string, photo: PhotoSize): Promise<BinaryMask> {
  const { width, height, channels, pixels } = await readFitting(file, photo);
  const wound = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < wound.length; pixel += 1, at += channels) {
    wound[pixel] = Math.max(...colourAt(pixels, at, channels)) > HALF_BRIGHT ? 1 : 0;
  }
  return { width, height, pixels: wound };
}

/** A class number below `classes` for each pixel. Throws UnreadableInputError as above, and where another value stands in the mask. */
export async function readClassMask(file: string, photo: PhotoSize, classes: number): Promise<Uint8Array> {
  const { width, height, channels, pixels } = await readFitting(file, photo);
  const map = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < map.length; pixel += 1, at += channels) {
    const [value, ...others] = colourAt(pixels, at, channels);
    if (value! >= classes || others.some((other) => other !== value)) {
      throw new UnreadableInputError(
        `${file}: a tissue mask is grey and holds the values 0 to ${classes - 1} only. Lossy formats and palettes of colours do not keep them.`,
      );
    }
    map[pixel] = value!;
  }
  return map;
}

/** Without a second or fourth channel, which is transparency. */
function colourAt(pixels: Uint8Array, at: number, channels: number): Uint8Array {
  return pixels.subarray(at, at + (channels >= COLOUR_CHANNELS ? COLOUR_CHANNELS : 1));
}

async function readFitting(file: string, { widthPx, heightPx }: PhotoSize): Promise<RawPicture> {
  const picture = await readRaw(file);
  if (picture.width === widthPx && picture.height === heightPx) return picture;
  throw new UnreadableInputError(
    `${file} has ${picture.width} × ${picture.height} pixels, its photo ${widthPx} × ${heightPx}. A mask has the size of the oriented photo.`,
  );
}

async function readRaw(file: string): Promise<RawPicture> {
  try {
    const bytes = await readFile(file);
    if (extname(file).toLowerCase() === '.bmp') return readBmp(bytes);
    const { data, info } = await sharp(bytes, { failOn: 'error' }).raw().toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, channels: info.channels, pixels: data };
  } catch (error) {
    throw new UnreadableInputError(
      `${file} cannot be read as a mask (${error instanceof Error ? error.message : 'unknown'}).`,
    );
  }
}
