import { toLab, toLightness, type LabColour } from './cielab.js';

/** A crop around a wound: 8-bit sRGB, row by row. */
export interface WoundCrop {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const RGB = 3;
/** Dead tissue is darker than this share of the lightness of the skin around it, whatever the skin's own colour … */
const DARKER_THAN_SKIN = 0.7;
/** … and dark in itself. */
const MOST_LIGHTNESS = 40;
/** Without enough skin in view to compare with: black on any skin. */
const MOST_LIGHTNESS_ALONE = 18;
/** Below this no light comes back, as from a deep cavity or a fresh clot: nothing can be said of its colour. */
const LEAST_LIGHTNESS = 2;
/** Dead tissue has lost the red of the blood that a living wound bed keeps in shade, too: its a* lies below … */
const MOST_RED = 12;
/** … and in the dark, where every colour is small, below this share of the lightness. */
const MOST_RED_OF_LIGHTNESS = 0.65;
/** Rounding of 8-bit values alone gives the darkest greys this much. */
const RED_OF_ROUNDING = 2;
/** b*: more yellow is living or fibrinous tissue in shade … */
const MOST_YELLOW = 9;
/** … and more blue is cloth. */
const MOST_BLUE = -14;
/** Below this a pixel is padding, or too dark to be called skin. */
const LEAST_SKIN_LIGHTNESS = 8;
/** Above this it is paper, cloth or a reflection. */
const MOST_SKIN_LIGHTNESS = 92;
const LEAST_SKIN_SHARE = 0.05;
/** Every how many-th pixel of the surroundings is looked at. */
const SKIN_STRIDE = 7;
/** A pixel is what most of the square around it is, this far to each side: noise and hair are narrower, and glints lie within. */
const REACH_PX = 3;
/** Fewer marked pixels than this in the square are a speck. */
const LEAST_MARKED = 5;

/**
 * Marks with 1 what looks like dry necrosis (eschar, black to dark brown) inside a wound, by colour: darker than the skin around and
 * without the red of blood, in CIELAB (docs/measurement.md, "Necrosis"). No expert labelled it, and yellow necrosis is not found:
 * the share is named with its method and feeds no flag and no score until a clinician confirms it.
 * @param woundMask 1 inside the outline, one value for each pixel of the crop
 */
export function necrosisRule(crop: WoundCrop, woundMask: Uint8Array): Uint8Array {
  const skin = skinLightness(crop, woundMask);
  const limit = skin === null ? MOST_LIGHTNESS_ALONE : Math.min(MOST_LIGHTNESS, skin * DARKER_THAN_SKIN);
  const dead = new Uint8Array(woundMask.length);
  const judged = new Uint8Array(woundMask.length);
  for (let index = 0; index < woundMask.length; index += 1) {
    if (woundMask[index] !== 1) continue;
    const lightness = lightnessAt(crop, index);
    if (lightness < LEAST_LIGHTNESS) continue;
    judged[index] = 1;
    // Most of a wound is too light, and its colour need not be known.
    if (lightness < limit && hasNoBlood(colourAt(crop, index))) dead[index] = 1;
  }
  return asMostAround(dead, judged, woundMask, crop.width);
}

function hasNoBlood({ lightness, a, b }: LabColour): boolean {
  return (
    a < Math.min(MOST_RED, RED_OF_ROUNDING + MOST_RED_OF_LIGHTNESS * lightness) && b > MOST_BLUE && b < MOST_YELLOW
  );
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

/** 1 where at least half of the judged pixels in the square around are `marks`. */
function asMostAround(marks: Uint8Array, judged: Uint8Array, woundMask: Uint8Array, width: number): Uint8Array {
  const kept = new Uint8Array(marks.length);
  if (!marks.includes(1)) return kept;
  const [marked, known] = [sumsFromCorner(marks, width), sumsFromCorner(judged, width)];
  const height = marks.length / width;
  for (let index = 0; index < marks.length; index += 1) {
    if (woundMask[index] !== 1) continue;
    const [column, row] = [index % width, Math.floor(index / width)];
    const square = {
      left: Math.max(0, column - REACH_PX),
      top: Math.max(0, row - REACH_PX),
      right: Math.min(width, column + REACH_PX + 1),
      bottom: Math.min(height, row + REACH_PX + 1),
    };
    const count = sumIn(marked, square, width);
    if (count >= LEAST_MARKED && 2 * count >= sumIn(known, square, width)) kept[index] = 1;
  }
  return kept;
}

interface Square {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Sum of all values above and to the left of each corner; one column and one row more than the values. */
function sumsFromCorner(values: Uint8Array, width: number): Uint32Array {
  const stride = width + 1;
  const height = values.length / width;
  const sums = new Uint32Array(stride * (height + 1));
  for (let row = 0; row < height; row += 1) {
    let ofRow = 0;
    for (let column = 0; column < width; column += 1) {
      ofRow += values[row * width + column]!;
      sums[(row + 1) * stride + column + 1] = sums[row * stride + column + 1]! + ofRow;
    }
  }
  return sums;
}

function sumIn(sums: Uint32Array, { left, top, right, bottom }: Square, width: number): number {
  const [above, below] = [top * (width + 1), bottom * (width + 1)];
  return sums[below + right]! - sums[below + left]! - sums[above + right]! + sums[above + left]!;
}

function lightnessAt({ pixels }: WoundCrop, index: number): number {
  const offset = index * RGB;
  return toLightness(pixels[offset]!, pixels[offset + 1]!, pixels[offset + 2]!);
}

function colourAt({ pixels }: WoundCrop, index: number): LabColour {
  const offset = index * RGB;
  return toLab(pixels[offset]!, pixels[offset + 1]!, pixels[offset + 2]!);
}
