import { toLab, toLightness } from './cielab.js';
import { necrosisRule } from './necrosis-rule.js';

type Colour = readonly [red: number, green: number, blue: number];

const SIDE = 60;
const LIGHT_SKIN: Colour = [222, 178, 156];
const DARK_SKIN: Colour = [92, 62, 48];
const ESCHAR: Colour = [34, 30, 29];
const BLACK_ON_DARK: Colour = [16, 14, 14];
const GRANULATION: Colour = [170, 40, 42];
const CLOTTED: Colour = [70, 12, 14];
const SLOUGH: Colour = [190, 165, 95];
const BLUE_BLACK: Colour = [38, 34, 46];
const DARK_BROWN: Colour = [88, 68, 60];
const DARK_GRANULATION: Colour = [78, 30, 30];
const SHADED_SLOUGH: Colour = [66, 56, 34];
const BLUE_CLOTH: Colour = [20, 40, 74];
const NO_LIGHT: Colour = [4, 3, 3];

/** Skin with a square wound in the middle, its left half of one colour and its right half of another. */
function crop(skin: Colour, left: Colour, right: Colour, light = 1) {
  const pixels = new Uint8Array(SIDE * SIDE * 3);
  const woundMask = new Uint8Array(SIDE * SIDE);
  for (let index = 0; index < woundMask.length; index += 1) {
    const [x, y] = [index % SIDE, Math.floor(index / SIDE)];
    const inside = x >= 15 && x < 45 && y >= 15 && y < 45;
    if (inside) woundMask[index] = 1;
    const colour = !inside ? skin : x < 30 ? left : right;
    // Pixels by chance a little lighter and darker, as a sensor gives them.
    colour.forEach(
      (value, channel) =>
        (pixels[index * 3 + channel] = Math.round(
          Math.min(255, Math.max(0, (value + ((index * 7919) % 5) - 2) * light)),
        )),
    );
  }
  return { picture: { pixels, width: SIDE, height: SIDE }, woundMask };
}

function shareFound(skin: Colour, left: Colour, right: Colour, light = 1): number {
  const { picture, woundMask } = crop(skin, left, right, light);
  const found = necrosisRule(picture, woundMask);
  const outside = found.some((mark, index) => mark === 1 && woundMask[index] === 0);
  expect(outside).toBe(false);
  return found.reduce((sum, mark) => sum + mark, 0) / 900;
}

describe('toLab', () => {
  it.each([
    [[255, 255, 255], 100, 0, 0],
    [[0, 0, 0], 0, 0, 0],
    [[255, 0, 0], 53.24, 80.09, 67.2],
    [[0, 0, 255], 32.3, 79.19, -107.86],
    [[119, 119, 119], 50.03, 0, 0],
  ] as const)('knows the published CIELAB of %j', ([red, green, blue], lightness, a, b) => {
    const found = toLab(red, green, blue);
    expect(found.lightness).toBeCloseTo(lightness, 1);
    expect(found.a).toBeCloseTo(a, 1);
    expect(found.b).toBeCloseTo(b, 1);
    expect(toLightness(red, green, blue)).toBeCloseTo(lightness, 1);
  });
});

describe('necrosisRule', () => {
  it.each([
    ['granulation', GRANULATION],
    ['clotted blood', CLOTTED],
    ['slough', SLOUGH],
    ['dark granulation', DARK_GRANULATION],
    ['slough in a shadow', SHADED_SLOUGH],
    ['dark blue cloth', BLUE_CLOTH],
    ['a cavity that no light comes out of', NO_LIGHT],
  ] as const)('finds none in %s', (_name, colour) => {
    expect(shareFound(LIGHT_SKIN, colour, colour)).toBe(0);
    expect(shareFound(DARK_SKIN, colour, colour)).toBe(0);
  });

  it('takes dark skin inside an outline for no necrosis', () => {
    expect(shareFound(DARK_SKIN, DARK_SKIN, GRANULATION)).toBe(0);
  });

  it('takes a wound in a dark photo for no necrosis', () => {
    expect(shareFound(LIGHT_SKIN, GRANULATION, CLOTTED, 0.25)).toBe(0);
  });

  it('takes a shadow across granulation for no necrosis', () => {
    const shaded = GRANULATION.map((value) => value * 0.35) as unknown as Colour;
    expect(shareFound(LIGHT_SKIN, shaded, GRANULATION)).toBe(0);
  });

  it('leaves single dark pixels out', () => {
    const { picture, woundMask } = crop(LIGHT_SKIN, GRANULATION, GRANULATION);
    for (const index of [1230, 1545, 2000]) picture.pixels.set(ESCHAR, index * 3);
    expect(necrosisRule(picture, woundMask)).toEqual(new Uint8Array(woundMask.length));
  });

  it('finds black tissue on light skin, and its half of a wound', () => {
    expect(shareFound(LIGHT_SKIN, ESCHAR, ESCHAR)).toBeGreaterThan(0.97);
    expect(shareFound(LIGHT_SKIN, ESCHAR, GRANULATION)).toBeCloseTo(0.5, 1);
  });

  it.each([
    ['blue-black', BLUE_BLACK],
    ['dark brown', DARK_BROWN],
  ] as const)('finds %s dry tissue on light skin', (_name, colour) => {
    expect(shareFound(LIGHT_SKIN, colour, GRANULATION)).toBeCloseTo(0.5, 1);
  });

  it('takes glints on black tissue for part of it', () => {
    const { picture, woundMask } = crop(LIGHT_SKIN, ESCHAR, ESCHAR);
    for (const index of [1225, 1226, 1285, 1286]) picture.pixels.set([230, 232, 235], index * 3);
    const found = necrosisRule(picture, woundMask);
    expect([1225, 1226, 1285, 1286].map((index) => found[index])).toEqual([1, 1, 1, 1]);
  });

  it('finds black tissue on dark skin', () => {
    expect(shareFound(DARK_SKIN, BLACK_ON_DARK, GRANULATION)).toBeCloseTo(0.5, 1);
  });

  it('calls only what is black on any skin necrosis where no skin is in view', () => {
    const padding: Colour = [0, 0, 0];
    expect(shareFound(padding, ESCHAR, BLACK_ON_DARK)).toBeGreaterThan(0.4);
    expect(shareFound(padding, DARK_SKIN, GRANULATION)).toBe(0);
  });
});
