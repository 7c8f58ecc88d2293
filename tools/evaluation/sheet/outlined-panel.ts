import sharp from 'sharp';
import type { ContentRegion, PhotoSize } from '../../../src/core/measurement/probability-map.js';
import { fitLetterbox } from '../../../src/inference/imaging/letterbox.js';
import type { BinaryMask } from '../metrics/binary-mask.js';

export const PANEL_SIDE_PX = 320;
export type Colour = readonly [red: number, green: number, blue: number];
export const BACKGROUND: Colour = [32, 32, 36];
const RGB = 3;
/** An outline is drawn inside its region, this wide. */
const LINE_PX = 2;

/** A region of a photo at the size of a panel, with the colour of its outline. */
export interface Layer {
  readonly mask: BinaryMask;
  readonly colour: Colour;
}

/** A region in the photo's own pixels, made as small as a panel. */
export function toLayer(mask: BinaryMask, colour: Colour): Layer {
  const { width, height } = placeOf({ widthPx: mask.width, heightPx: mask.height });
  const small = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const sourceRow = Math.floor(((row + 0.5) * mask.height) / height) * mask.width;
    for (let column = 0; column < width; column += 1) {
      small[row * width + column] = mask.pixels[sourceRow + Math.floor(((column + 0.5) * mask.width) / width)]!;
    }
  }
  return { mask: { width, height, pixels: small }, colour };
}

/** The oriented photo in a square of PANEL_SIDE_PX with the outlines of its layers, RGB row by row; where two outlines meet, the line is the mean of both. */
export async function drawPanel(
  photoFile: string,
  photo: PhotoSize,
  layers: readonly Layer[],
  maxPixels: number,
): Promise<Uint8Array> {
  const place = placeOf(photo);
  const content = await sharp(photoFile, { limitInputPixels: maxPixels })
    .autoOrient()
    .resize(place.width, place.height, { fit: 'fill' })
    .toColourspace('srgb')
    .flatten({ background: '#000000' })
    .raw()
    .toBuffer();
  paintBorders(content, layers);
  const panel = new Uint8Array(PANEL_SIDE_PX * PANEL_SIDE_PX * RGB);
  for (let pixel = 0; pixel < panel.length; pixel += RGB) panel.set(BACKGROUND, pixel);
  for (let row = 0; row < place.height; row += 1) {
    const source = row * place.width * RGB;
    panel.set(content.subarray(source, source + place.width * RGB), ((place.y + row) * PANEL_SIDE_PX + place.x) * RGB);
  }
  return panel;
}

function placeOf(photo: PhotoSize): ContentRegion {
  return fitLetterbox(photo, PANEL_SIDE_PX, PANEL_SIDE_PX);
}

function paintBorders(content: Uint8Array, layers: readonly Layer[]): void {
  const pixels = layers[0]?.mask.pixels.length ?? 0;
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const colours = layers.filter(({ mask }) => isNearEdge(mask, pixel)).map(({ colour }) => colour);
    if (colours.length === 0) continue;
    for (let channel = 0; channel < RGB; channel += 1) {
      content[pixel * RGB + channel] = Math.round(
        colours.reduce((total, colour) => total + colour[channel]!, 0) / colours.length,
      );
    }
  }
}

/** True for a pixel of the region with a pixel outside of it within the width of the line. */
function isNearEdge({ width, height, pixels }: BinaryMask, pixel: number): boolean {
  if (pixels[pixel] === 0) return false;
  const [column, row] = [pixel % width, Math.floor(pixel / width)];
  for (let step = 1; step <= LINE_PX; step += 1) {
    if (column < step || row < step || column + step >= width || row + step >= height) return true;
    if (
      pixels[pixel - step] === 0 ||
      pixels[pixel + step] === 0 ||
      pixels[pixel - step * width] === 0 ||
      pixels[pixel + step * width] === 0
    )
      return true;
  }
  return false;
}
