import { chromaOf, toLab, toLightness } from './cielab.js';

/** A crop around a wound: 8-bit sRGB, row by row. */
export interface WoundCrop {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const RGB = 3;
/** Black tissue is darker than this share of the lightness of the skin around it, whatever the skin's own colour … */
const DARKER_THAN_SKIN = 0.45;
/** … and dark in itself: bright light around must not turn clotted red into necrosis. */
const MOST_LIGHTNESS = 35;
/** Without enough skin in view to compare with: black on any skin. */
const MOST_LIGHTNESS_ALONE = 18;
/** Near grey. Fresh and clotted blood are as dark, but red: their chroma lies above … */
const MOST_CHROMA = 14;
/** … and in a dark photo, where every chroma is small, above this share of the lightness. */
const MOST_CHROMA_OF_LIGHTNESS = 0.7;
/** Rounding of 8-bit values alone gives the darkest greys this much. */
const CHROMA_OF_ROUNDING = 2;
/** Below this a pixel is padding, or too dark to be called skin. */
const LEAST_SKIN_LIGHTNESS = 8;
/** Above this it is paper, cloth or a reflection. */
const MOST_SKIN_LIGHTNESS = 92;
const LEAST_SKIN_SHARE = 0.05;
/** Every how many-th pixel of the surroundings is looked at. */
const SKIN_STRIDE = 7;
/** Of a pixel and its eight neighbours: single dark pixels are noise and hair. */
const MAJORITY = 5;

/**
 * Marks with 1 what looks like black necrosis (eschar) inside a wound, by colour alone: dark and nearly grey in CIELAB, compared
 * with the skin around (docs/measurement.md, "Necrosis"). No expert labelled it, and brown or yellow necrosis is not found:
 * the share is named with its method and feeds no flag and no score until a clinician confirms it.
 * @param woundMask 1 inside the outline, one value for each pixel of the crop
 */
export function necrosisRule(crop: WoundCrop, woundMask: Uint8Array): Uint8Array {
  const skin = skinLightness(crop, woundMask);
  const limit = skin === null ? MOST_LIGHTNESS_ALONE : Math.min(MOST_LIGHTNESS, skin * DARKER_THAN_SKIN);
  const black = new Uint8Array(woundMask.length);
  for (let index = 0; index < woundMask.length; index += 1) {
    if (woundMask[index] !== 1) continue;
    // Most of a wound is too light, and its colour need not be known.
    const lightness = lightnessAt(crop, index);
    if (
      lightness < limit &&
      chromaAt(crop, index) < Math.min(MOST_CHROMA, CHROMA_OF_ROUNDING + MOST_CHROMA_OF_LIGHTNESS * lightness)
    )
      black[index] = 1;
  }
  return withoutSpecks(black, woundMask, crop.width);
}

/** Median lightness around the wound; null where too little of it can be skin. */
function skinLightness(crop: WoundCrop, woundMask: Uint8Array): number | null {
  const found = new Float64Array(Math.ceil(woundMask.length / SKIN_STRIDE));
  let count = 0;
  for (let index = 0; index < woundMask.length; index += SKIN_STRIDE) {
    if (woundMask[index] === 1) continue;
    const lightness = lightnessAt(crop, index);
    if (lightness < LEAST_SKIN_LIGHTNESS || lightness > MOST_SKIN_LIGHTNESS) continue;
    found[count] = lightness;
    count += 1;
  }
  if (count * SKIN_STRIDE < woundMask.length * LEAST_SKIN_SHARE) return null;
  return found.subarray(0, count).sort()[Math.floor(count / 2)]!;
}

function withoutSpecks(black: Uint8Array, woundMask: Uint8Array, width: number): Uint8Array {
  const kept = new Uint8Array(black.length);
  for (let index = 0; index < black.length; index += 1) {
    if (woundMask[index] === 1 && countAround(black, index, width) >= MAJORITY) kept[index] = 1;
  }
  return kept;
}

function countAround(marks: Uint8Array, index: number, width: number): number {
  const column = index % width;
  let count = 0;
  for (let dx = column === 0 ? 0 : -1; dx <= (column === width - 1 ? 0 : 1); dx += 1) {
    for (const row of [-width, 0, width]) count += marks[index + row + dx] ?? 0;
  }
  return count;
}

function lightnessAt({ pixels }: WoundCrop, index: number): number {
  const offset = index * RGB;
  return toLightness(pixels[offset]!, pixels[offset + 1]!, pixels[offset + 2]!);
}

function chromaAt({ pixels }: WoundCrop, index: number): number {
  const offset = index * RGB;
  return chromaOf(toLab(pixels[offset]!, pixels[offset + 1]!, pixels[offset + 2]!));
}
