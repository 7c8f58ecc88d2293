import sharp, { type Sharp } from 'sharp';
import { numbersFrom } from '../../../test/support/drawn-shapes.js';
import { assessPhoto } from './photo-figures.js';

const { exp, floor, min, max } = Math;
const SIDE = 512;

interface Picture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Skin with many sharp-edged patches of nearby colours, by chance. */
function drawSkin(width = SIDE, height = SIDE, skin = [205, 160, 135]): Picture {
  const next = numbersFrom(3);
  const pixels = new Uint8Array(width * height * 3);
  for (let index = 0; index < width * height; index += 1) pixels.set(skin, index * 3);
  for (let patch = 0; patch < 160; patch += 1) {
    const [left, top, side, shade] = [
      floor(next() * width),
      floor(next() * height),
      10 + floor(next() * 50),
      0.4 + 0.5 * next(),
    ];
    for (let row = top; row < min(height, top + side); row += 1) {
      for (let column = left; column < min(width, left + side); column += 1) {
        for (let channel = 0; channel < 3; channel += 1)
          pixels[(row * width + column) * 3 + channel] = skin[channel]! * shade;
      }
    }
  }
  return { pixels, width, height };
}

const SKIN = drawSkin();
const toSharp = ({ pixels, width, height }: Picture) => sharp(pixels, { raw: { width, height, channels: 3 } });

async function read(picture: Sharp): Promise<Picture> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

const blurred = (picture: Picture, sigma: number) => read(toSharp(picture).blur(sigma));

/** Averages along rows only. */
function moved({ pixels, width, height }: Picture, length: number): Picture {
  const out = new Uint8Array(pixels.length);
  for (let index = 0; index < pixels.length; index += 1) {
    const rowStart = floor(index / (3 * width)) * 3 * width;
    let sum = 0;
    for (let step = 0; step < length; step += 1) sum += pixels[max(rowStart + (index % 3), index - 3 * step)]!;
    out[index] = sum / length;
  }
  return { pixels: out, width, height };
}

/** White spots with soft borders. */
function withReflections({ pixels, width, height }: Picture, spots: number, radius: number): Picture {
  const lit = Uint8Array.from(pixels);
  const next = numbersFrom(8);
  for (let spot = 0; spot < spots; spot += 1) {
    const [x, y] = [40 + floor(next() * (width - 80)), 40 + floor(next() * (height - 80))];
    for (let row = y - radius - 4; row <= y + radius + 4; row += 1) {
      for (let column = x - radius - 4; column <= x + radius + 4; column += 1) {
        const distance = Math.sqrt((row - y) ** 2 + (column - x) ** 2);
        const cover = 1 / (1 + exp((distance - radius) * 2));
        for (let channel = 0; channel < 3; channel += 1) {
          const index = (row * width + column) * 3 + channel;
          lit[index] = lit[index]! + (255 - lit[index]!) * cover;
        }
      }
    }
  }
  return { pixels: lit, width, height };
}

describe('assessPhoto', () => {
  it('finds nothing sharp, light or mirrored in a black picture', () => {
    const black = { pixels: new Uint8Array(64 * 64 * 3), width: 64, height: 64 };
    expect(assessPhoto(black)).toEqual({
      sharpness: 0,
      exposure: 0,
      highlight: 0,
      darkShare: 1,
      clippedShare: 0,
      glareShare: 0,
    });
  });

  it('finds nothing sharp where there is no edge', () => {
    expect(assessPhoto({ pixels: new Uint8Array(128 * 128 * 3).fill(150), width: 128, height: 128 }).sharpness).toBe(0);
  });

  it('finds edges the less steep the more they are blurred, by the formula of a Gaussian', async () => {
    const sharpest = assessPhoto(SKIN).sharpness;
    expect(sharpest).toBeGreaterThan(0.9);
    let last = sharpest;
    for (const sigma of [1, 1.5, 2, 3]) {
      const { sharpness } = assessPhoto(await blurred(SKIN, sigma));
      expect(sharpness).toBeLessThan(last);
      // A wider edge than this is cut off by the reach of the measurement.
      if (sigma <= 2) expect(Math.abs(sharpness * sigma * Math.sqrt(2 * Math.PI) - 1)).toBeLessThan(0.25);
      last = sharpness;
    }
  });

  it('notices a movement that leaves edges along it sharp', () => {
    expect(assessPhoto(moved(SKIN, 9)).sharpness).toBeLessThan(0.25);
  });

  it.each([0.25, 0.5])('finds the same sharpness at %d times the light', async (factor) => {
    const soft = await blurred(SKIN, 1.5);
    const dark = { ...soft, pixels: soft.pixels.map((value) => value * factor) };
    expect(Math.abs(assessPhoto(dark).sharpness - assessPhoto(soft).sharpness)).toBeLessThanOrEqual(0.04);
  });

  it('judges a photo of any size as a model sees it', async () => {
    const small = await blurred(SKIN, 2);
    const large = await read(toSharp(small).resize(2048, 2048, { kernel: 'cubic' }));
    expect(Math.abs(assessPhoto(large).sharpness - assessPhoto(small).sharpness)).toBeLessThanOrEqual(0.03);
    expect(assessPhoto(large).exposure).toBeCloseTo(assessPhoto(small).exposure, 0);
  });

  it('leaves the black padding around a photo out, and its border as well', async () => {
    const soft = await blurred(drawSkin(300, 400), 3);
    const padded = await read(toSharp(soft).extend({ top: 30, bottom: 82, left: 100, right: 112, background: '#000' }));
    expect(assessPhoto(padded)).toEqual(assessPhoto(soft));
  });

  it('measures lightness as L*', () => {
    const grey = { pixels: new Uint8Array(64 * 64 * 3).fill(119), width: 64, height: 64 };
    expect(assessPhoto(grey)).toMatchObject({ exposure: 50, highlight: 50, darkShare: 0, clippedShare: 0 });
  });

  it('counts what is too dark and what is clipped', () => {
    const pixels = new Uint8Array(100 * 100 * 3).fill(130);
    pixels.fill(255, 0, 3000 * 3);
    pixels.fill(12, 8000 * 3);
    pixels.fill(60, 9800 * 3);
    const figures = assessPhoto({ pixels, width: 100, height: 100 });
    expect(figures.clippedShare).toBeCloseTo(0.3, 2);
    expect(figures.darkShare).toBeCloseTo(0.18, 2);
    expect(figures.highlight).toBeGreaterThan(95);
  });

  it('takes white paper for no reflection', () => {
    const paper = { ...SKIN, pixels: Uint8Array.from(SKIN.pixels) };
    for (let row = 100; row < 300; row += 1) paper.pixels.fill(252, (row * SIDE + 80) * 3, (row * SIDE + 240) * 3);
    expect(assessPhoto(paper).glareShare).toBe(0);
  });

  it('counts small white spots on skin', () => {
    const share = (60 * Math.PI * 6 ** 2) / SIDE ** 2;
    const { glareShare } = assessPhoto(withReflections(SKIN, 60, 6));
    expect(glareShare).toBeGreaterThan(share * 0.5);
    expect(glareShare).toBeLessThan(share * 1.2);
  });
});
