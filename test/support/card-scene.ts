import sharp from 'sharp';
import { MARKER_CELLS, type CalibrationCard, type CardMarker } from '../../src/core/calibration/calibration-card.js';
import type { Matrix3 } from '../../src/core/measurement/plane-scale.js';
import { invert, multiply, type Point } from '../../src/inference/imaging/markers/homography.js';
import type { PhotoRaster } from '../../src/inference/imaging/photo-raster.js';

/** A camera over a plane: millimetres to pixels, exactly. */
export interface CardView {
  readonly width: number;
  readonly height: number;
  readonly fromMm: Matrix3;
}

export interface ViewOptions {
  readonly width?: number;
  readonly height?: number;
  /** From the camera to the point that it looks at. */
  readonly distanceMm: number;
  readonly tiltDegrees?: number;
  /** Direction on the plane around which it is tilted; 0: around the card's long side. */
  readonly tiltAxisDegrees?: number;
  /** Turn of the picture. */
  readonly turnDegrees?: number;
  /** What lies in the middle of the picture. */
  readonly aimMm: Point;
}

/** A pinhole camera with the angle of view of a telephone's (focal length 0.8 of the picture's longer side). */
export function viewOf({
  width = 1600,
  height = 1200,
  distanceMm,
  tiltDegrees = 0,
  tiltAxisDegrees = 0,
  turnDegrees = 0,
  aimMm,
}: ViewOptions): CardView {
  const focalPx = 0.8 * Math.max(width, height);
  const [tilt, axis, turn] = [tiltDegrees, tiltAxisDegrees, turnDegrees].map(
    (degrees) => (degrees * Math.PI) / 180,
  ) as [number, number, number];
  const spin = (angle: number): Matrix3 => [
    Math.cos(angle),
    -Math.sin(angle),
    0,
    Math.sin(angle),
    Math.cos(angle),
    0,
    0,
    0,
    1,
  ];
  const lean: Matrix3 = [1, 0, 0, 0, Math.cos(tilt), -Math.sin(tilt), 0, Math.sin(tilt), Math.cos(tilt)];
  const rotation = multiply(spin(turn), multiply(spin(axis), multiply(lean, spin(-axis))));
  const onPlane: Matrix3 = [
    rotation[0],
    rotation[1],
    0,
    rotation[3],
    rotation[4],
    0,
    rotation[6],
    rotation[7],
    distanceMm,
  ];
  const camera: Matrix3 = [focalPx, 0, width / 2, 0, focalPx, height / 2, 0, 0, 1];
  return { width, height, fromMm: multiply(multiply(camera, onPlane), [1, 0, -aimMm[0], 0, 1, -aimMm[1], 0, 0, 1]) };
}

/** Reflected light, 0 to 1, per channel. */
export type Light = readonly [number, number, number];

export const SKIN: Light = [0.62, 0.36, 0.26];
export const PAPER: Light = [0.86, 0.86, 0.84];
export const INK: Light = [0.03, 0.03, 0.03];
const WOUND: Light = [0.35, 0.05, 0.05];

/** What lies on the plane; null where there is nothing and the next thing is looked at. */
export type Thing = (xMm: number, yMm: number) => Light | null;

export interface PrintedCard {
  /** Where its upper left corner lies. */
  readonly at?: Point;
  /** 1: printed at 100 %. */
  readonly print?: number;
  /** Only these markers are printed. */
  readonly markers?: readonly CardMarker[];
}

/** A card as its page prints it, markers and paper. */
export function printedCard(
  card: CalibrationCard,
  { at = [0, 0], print = 1, markers = card.markers }: PrintedCard = {},
): Thing {
  // Once for each pixel: without pairs, which are arrays to make and to walk through.
  return (xMm, yMm) => {
    const x = (xMm - at[0]) / print;
    const y = (yMm - at[1]) / print;
    if (x < 0 || y < 0 || x > card.widthMm || y > card.heightMm) return null;
    for (const marker of markers) if (isInk(card, marker, x, y)) return INK;
    return PAPER;
  };
}

export function disc([centreX, centreY]: Point, radiusMm: number, light: Light = WOUND): Thing {
  return (x, y) => ((x - centreX) ** 2 + (y - centreY) ** 2 <= radiusMm ** 2 ? light : null);
}

export function sheet([left, top]: Point, widthMm: number, heightMm: number, light: Light): Thing {
  return (x, y) => (x >= left && y >= top && x <= left + widthMm && y <= top + heightMm ? light : null);
}

function isInk(card: CalibrationCard, { corner, code }: CardMarker, x: number, y: number): boolean {
  const cell = card.markerMm / MARKER_CELLS;
  if (x < corner[0] || y < corner[1]) return false;
  const column = ((x - corner[0]) / cell) | 0;
  const row = ((y - corner[1]) / cell) | 0;
  if (column >= MARKER_CELLS || row >= MARKER_CELLS) return false;
  return code[row - 1]?.[column - 1] !== '1';
}

export interface Flaws {
  /** Standard deviation of 8-bit noise. */
  readonly noise?: number;
  /** Sigma of the blur, in pixels. */
  readonly blur?: number;
  /** JPEG quality. */
  readonly jpeg?: number;
  /** Light at the right border as a share of that at the left. */
  readonly shade?: number;
}

const SAMPLES = 3;

/** The photo of a plane, as the pipeline's raster. The first thing at a place hides those behind it; skin lies under all of them. */
export async function photograph(
  { width, height, fromMm }: CardView,
  things: readonly Thing[],
  flaws: Flaws = {},
): Promise<PhotoRaster> {
  const toMm = invert(fromMm)!;
  return expose(
    width,
    height,
    (x, y) => {
      const w = toMm[6] * x + toMm[7] * y + toMm[8];
      const xMm = (toMm[0] * x + toMm[1] * y + toMm[2]) / w;
      const yMm = (toMm[3] * x + toMm[4] * y + toMm[5]) / w;
      for (const thing of things) {
        const light = thing(xMm, yMm);
        if (light !== null) return light;
      }
      return SKIN;
    },
    flaws,
  );
}

/** A photo by the light that comes from each place of it, given in pixels. */
export function expose(
  width: number,
  height: number,
  lightAt: (x: number, y: number) => Light,
  flaws: Flaws = {},
): Promise<PhotoRaster> {
  const pixels = Buffer.alloc(width * height * 3);
  const { shade = 0.8 } = flaws;
  const lamps = Float64Array.from({ length: width }, (_, column) => 1 - (1 - shade) * (column / width));
  // Light at the pixels' corners, row by row: where all four are the same thing, so is the pixel.
  let above = new Array<Light>(width + 1);
  let below = new Array<Light>(width + 1);
  for (let column = 0; column <= width; column += 1) above[column] = lightAt(column, 0);
  for (let row = 0, target = 0; row < height; row += 1) {
    for (let column = 0; column <= width; column += 1) below[column] = lightAt(column, row + 1);
    for (let column = 0; column < width; column += 1, target += 3) {
      const first = above[column]!;
      const even = first === above[column + 1] && first === below[column] && first === below[column + 1];
      const light = even ? first : meanLight(lightAt, column, row);
      const lamp = lamps[column]!;
      pixels[target] = encode(light[0] * lamp);
      pixels[target + 1] = encode(light[1] * lamp);
      pixels[target + 2] = encode(light[2] * lamp);
    }
    [above, below] = [below, above];
  }
  return spoil({ pixels, width, height, photo: { widthPx: width, heightPx: height } }, flaws);
}

function meanLight(lightAt: (x: number, y: number) => Light, column: number, row: number): Light {
  const sum: [number, number, number] = [0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const light = lightAt(
      column + ((sample % SAMPLES) + 0.5) / SAMPLES,
      row + (((sample / SAMPLES) | 0) + 0.5) / SAMPLES,
    );
    for (let channel = 0; channel < 3; channel += 1) sum[channel]! += light[channel]! / (SAMPLES * SAMPLES);
  }
  return sum;
}

const ENCODED_STEPS = 8191;

/** 8-bit sRGB (IEC 61966-2-1) of evenly spaced light. */
const ENCODED = Uint8Array.from({ length: ENCODED_STEPS + 1 }, (_, step) => {
  const light = step / ENCODED_STEPS;
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
});

function encode(light: number): number {
  return ENCODED[(light * ENCODED_STEPS + 0.5) | 0]!;
}

/** Blur, noise and compression, in the order in which a camera adds them. */
async function spoil(raster: PhotoRaster, { noise = 0, blur = 0, jpeg = 0 }: Flaws): Promise<PhotoRaster> {
  const raw = { width: raster.width, height: raster.height, channels: 3 } as const;
  let pixels: Buffer = Buffer.from(raster.pixels);
  if (blur > 0) pixels = await sharp(pixels, { raw }).blur(blur).raw().toBuffer();
  if (noise > 0) addNoise(pixels, noise);
  if (jpeg > 0)
    pixels = await sharp(await sharp(pixels, { raw }).jpeg({ quality: jpeg }).toBuffer())
      .raw()
      .toBuffer();
  return { ...raster, pixels };
}

function addNoise(pixels: Buffer, deviation: number): void {
  const clamped = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length);
  // The sum of four even numbers is near enough to normal; its deviation is 1 / √3.
  const scale = Math.sqrt(3) * deviation;
  const grain = grainOf(clamped.length);
  for (let at = 0; at < clamped.length; at += 1) clamped[at] = clamped[at]! + grain[at]! * scale;
}

let drawnGrain = new Float64Array(0);

/** The same for every picture, and drawn once for all of a size. */
function grainOf(length: number): Float64Array {
  if (drawnGrain.length !== length) {
    const random = randomNumbers(7);
    drawnGrain = new Float64Array(length);
    for (let at = 0; at < length; at += 1) drawnGrain[at] = random() + random() + random() + random() - 2;
  }
  return drawnGrain;
}

// Taken once: a look-up of a global is slow inside a test's context.
const { imul } = Math;

/** Repeatable even numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
