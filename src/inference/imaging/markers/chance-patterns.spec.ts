import { randomNumbers } from '../../../../test/support/card-scene.js';
import { eachSeed, seedsOf } from '../../../../test/support/rounds.js';
import type { PhotoRaster } from '../photo-raster.js';
import { findCalibrationCard, prepareCardSearch } from './find-calibration-card.js';

const WIDTH = 640;
const HEIGHT = 480;
// Taken once: a look-up of a global is slow inside a test's context.
const { floor, sin } = Math;

type Shade = (x: number, y: number) => number;

/** Brightness 0 to 255 at every pixel, one drawing for each seed. */
const TEXTURES: Readonly<Record<string, (random: () => number) => Shade>> = {
  'white noise': (random) => () => 255 * random(),
  'soft blotches': (random) => {
    const [cell, values] = [20 + floor(random() * 60), Array.from({ length: 40 * 40 }, random)];
    const at = (column: number, row: number) => values[row * 40 + column]!;
    return (x, y) => {
      const [column, row] = [floor(x / cell), floor(y / cell)];
      const [right, down] = [x / cell - column, y / cell - row];
      const upper = at(column, row) * (1 - right) + at(column + 1, row) * right;
      const lower = at(column, row + 1) * (1 - right) + at(column + 1, row + 1) * right;
      return 255 * (upper * (1 - down) + lower * down);
    };
  },
  'black and white cells, as in a marker': (random) => {
    const [cell, values] = [
      6 + floor(random() * 20),
      Array.from({ length: 120 * 90 }, () => (random() < 0.5 ? 15 : 240)),
    ];
    return (x, y) => values[floor(y / cell) * 120 + floor(x / cell)]!;
  },
  'dark tiles on white': (random) => {
    const tiles = Array.from({ length: 25 }, () => ({
      x: random() * WIDTH,
      y: random() * HEIGHT,
      side: 20 + random() * 90,
      shade: random() * 90,
    }));
    return (x, y) =>
      tiles.find((tile) => x >= tile.x && x < tile.x + tile.side && y >= tile.y && y < tile.y + tile.side)?.shade ??
      235;
  },
  'woven stripes': (random) => {
    const [across, down, lean] = [0.1 + random(), 0.1 + random(), random() * 2];
    return (x, y) => 128 + 60 * sin(x * across + y * lean * 0.1) + 60 * sin(y * down);
  },
};

function draw(shade: Shade): PhotoRaster {
  const pixels = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let y = 0, at = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1, at += 3) pixels[at] = pixels[at + 1] = pixels[at + 2] = shade(x, y);
  }
  return { pixels, width: WIDTH, height: HEIGHT, photo: { widthPx: WIDTH, heightPx: HEIGHT } };
}

describe('patterns without a card', () => {
  beforeAll(() => prepareCardSearch(), 60_000);

  it.each(Object.keys(TEXTURES))('show no marker: %s', (name) =>
    eachSeed('chance-patterns', seedsOf('chance-patterns', 40), async (seed) => {
      const { scale, finding } = await findCalibrationCard(draw(TEXTURES[name]!(randomNumbers(seed * 7919))), null);
      expect({ scale, finding }).toEqual({ scale: null, finding: null });
    }),
  );
});
