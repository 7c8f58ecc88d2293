import { randomInt } from 'node:crypto';
import sharp from 'sharp';
import { cameraOf } from './camera.mjs';
import { CARD, cardLight } from './printed-card.mjs';
import { legWithWound, plainWound } from './skin-and-wound.mjs';
import { numbersFrom } from './smooth-noise.mjs';

/** Where the card's upper left corner lies, in millimetres from the wound's middle, and how it is turned. */
const CARD_AT = [-41, 36];
const CARD_TURN = 0.05;
const [CARD_COS, CARD_SIN] = [Math.cos(CARD_TURN), Math.sin(CARD_TURN)];
/** Samples along a pixel's side where the card's print or edge runs through it. */
const SAMPLES = 4;
const BLUR_PX = 0.7;
const NOISE = 1;
const JPEG_QUALITY = 92;

/**
 * Photographs one week of the course. With `plain`, skin and wound are each one colour in even light, and only the card has a
 * pattern. `light`: of the room, as a share; `focusPx`: how far the lens is out of focus; `grain`: which noise of the
 * sensor. The same wish gives the same bytes.
 */
export async function drawPhoto(
  week,
  { plain = false, width = 1600, height = 1200, light = 1, focusPx = BLUR_PX, quality = JPEG_QUALITY, grain = 0 } = {},
) {
  const lamp = plain ? evenLight : lampLight(width, height);
  const camera = cameraOf({ ...week, width, height });
  const pixels = expose(
    camera,
    plain ? plainWound(week) : legWithWound(week),
    (column, row) => light * lamp(column, row),
  );
  const raw = { width, height, channels: 3 };
  const seen = await sharp(pixels, { raw }).blur(focusPx).raw().toBuffer();
  addNoise(seen, week.week + grain);
  const jpeg = await sharp(seen, { raw }).jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer();
  return {
    jpeg,
    width,
    height,
    areaCm2: week.areaCm2,
    outlinePx: (share) => week.outline.points(360, share).map(([x, y]) => camera.toPx(x, y)),
  };
}

/** A noise that no other run has: the same photo for another patient would wait for a person, as `duplicate_photo`. */
export function ownGrain() {
  return randomInt(1, 2 ** 30);
}

function expose({ width, height, toMm }, surface, lamp) {
  const pixels = Buffer.alloc(width * height * 3);
  let above = Array.from({ length: width + 1 }, (_, column) => printAt(...toMm(column, 0)));
  for (let row = 0, target = 0; row < height; row += 1) {
    const below = Array.from({ length: width + 1 }, (_, column) => printAt(...toMm(column, row + 1)));
    for (let column = 0; column < width; column += 1, target += 3) {
      const print = above[column];
      const even = print === above[column + 1] && print === below[column] && print === below[column + 1];
      const light = even
        ? (print ?? surfaceAt(surface, ...toMm(column + 0.5, row + 0.5)))
        : meanLight(toMm, surface, column, row);
      const brightness = lamp(column, row);
      for (let channel = 0; channel < 3; channel += 1) pixels[target + channel] = encode(light[channel] * brightness);
    }
    above = below;
  }
  return pixels;
}

function onCard(x, y) {
  const [dx, dy] = [x - CARD_AT[0], y - CARD_AT[1]];
  return [dx * CARD_COS + dy * CARD_SIN, dy * CARD_COS - dx * CARD_SIN];
}

function printAt(x, y) {
  return cardLight(...onCard(x, y));
}

/** Paper lies on the skin and shades it a little at its lower edge. */
function surfaceAt(surface, x, y) {
  const light = surface(x, y);
  const [along, down] = onCard(x, y);
  const beyond = Math.hypot(Math.max(0, -along, along - CARD.widthMm), Math.max(0, -down, down - CARD.heightMm - 0.6));
  if (beyond > 2) return light;
  const shade = 1 - 0.3 * (1 - beyond / 2) ** 2;
  return [light[0] * shade, light[1] * shade, light[2] * shade];
}

function meanLight(toMm, surface, column, row) {
  const sum = [0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const at = toMm(
      column + ((sample % SAMPLES) + 0.5) / SAMPLES,
      row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES,
    );
    const light = printAt(...at) ?? surfaceAt(surface, ...at);
    for (let channel = 0; channel < 3; channel += 1) sum[channel] += light[channel] / (SAMPLES * SAMPLES);
  }
  return sum;
}

const evenLight = () => 1;

/** A ceiling lamp to the upper left, and the lens's darker corners. */
function lampLight(width, height) {
  return (column, row) => {
    const [x, y] = [column / width - 0.5, row / height - 0.5];
    return 1.02 - 0.16 * x - 0.1 * y - 0.22 * (x * x + y * y);
  };
}

/** 8-bit sRGB (IEC 61966-2-1) of evenly spaced light. */
const ENCODED_STEPS = 8191;
const ENCODED = Uint8Array.from({ length: ENCODED_STEPS + 1 }, (_, step) => {
  const light = step / ENCODED_STEPS;
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
});

function encode(light) {
  return ENCODED[Math.min(ENCODED_STEPS, light * ENCODED_STEPS + 0.5) | 0];
}

function addNoise(pixels, seed) {
  const random = numbersFrom(seed);
  const clamped = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length);
  // The sum of four even numbers is near enough to normal; its deviation is 1 / √3.
  const scale = Math.sqrt(3) * NOISE;
  for (let at = 0; at < clamped.length; at += 1) clamped[at] += (random() + random() + random() + random() - 2) * scale;
}
