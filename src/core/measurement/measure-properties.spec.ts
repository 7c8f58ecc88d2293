import { drawMap, numbersFrom, place, randomShape, type DrawnShape } from '../../../test/support/drawn-shapes.js';
import { seedsOf } from '../../../test/support/rounds.js';
import type { WoundMeasurement } from './wound-result.js';
import { measureWounds } from './measure-wounds.js';
import { clientScale } from './plane-scale.js';

const SIZE = 192;
const RULES = {
  threshold: 0.5,
  minAreaShare: 0.0003,
  bounds: { lowerThreshold: 0.2, upperThreshold: 0.8, floorPct: 10 },
};
const SEEDS = seedsOf('measure-properties', 8);
const FIGURES = ['area', 'length', 'width', 'perimeter'] as const;

const photoOf = (side: number) => ({ widthPx: side, heightPx: side });
const pixelsOf = (wound: WoundMeasurement | undefined) => FIGURES.map((name) => wound![name].pixels);

function measureOne(
  shape: DrawnShape,
  degrees: number,
  centre: readonly [number, number],
): WoundMeasurement | undefined {
  return measureWounds(drawMap(SIZE, place(shape, degrees, ...centre).depth), photoOf(SIZE), RULES, null)[0];
}

function expectSame(found: readonly number[], wanted: readonly number[], tolerances: readonly number[]): void {
  found.forEach((value, index) => expect(Math.abs(value / wanted[index]! - 1)).toBeLessThanOrEqual(tolerances[index]!));
}

describe('measureWounds on shapes by chance', () => {
  it.each(SEEDS)('finds area, length and perimeter of shape %d by its formula', (seed) => {
    const shape = randomShape(45, numbersFrom(seed));
    const [area, length, , perimeter] = pixelsOf(measureOne(shape, 0, [96.4, 95.2]));
    expectSame([area!, length!, perimeter!], [shape.area, shape.length, shape.perimeter], [0.01, 0.015, 0.015]);
  });

  it.each(SEEDS)('finds the same however shape %d is turned and wherever it lies', (seed) => {
    const next = numbersFrom(seed);
    const shape = randomShape(42, next);
    const first = pixelsOf(measureOne(shape, 0, [96, 96]));
    for (let turn = 0; turn < 4; turn += 1) {
      const found = pixelsOf(measureOne(shape, 360 * next(), [90 + 12 * next(), 90 + 12 * next()]));
      // The width hangs on the direction of the length, of which a blunt shape has several nearly as good.
      expectSame(found, first, [0.005, 0.01, 0.04, 0.01]);
    }
  });

  it.each(SEEDS)('finds the same centimetres of shape %d at another resolution and scale', (seed) => {
    const shape = randomShape(40, numbersFrom(seed));
    const depth = place(shape, 17, 96).depth;
    const [coarse] = measureWounds(drawMap(SIZE, depth), photoOf(SIZE), RULES, clientScale(1));
    const fineMap = drawMap(2 * SIZE, (x, y) => 2 * depth(x / 2, y / 2), { softness: 4 });
    const [fine] = measureWounds(fineMap, photoOf(2 * SIZE), RULES, clientScale(0.5));
    const cm = (wound: WoundMeasurement | undefined) =>
      [wound!.area.cm2!, wound!.length.cm!, wound!.width.cm!, wound!.perimeter.cm!].flatMap(
        ({ value, lower, upper }) => [value, lower, upper],
      );
    expectSame(
      cm(fine),
      cm(coarse),
      cm(coarse).map(() => 0.02),
    );
  });

  it.each(SEEDS)('finds the same in a photo of three times the pixels, of which the map is a copy', (seed) => {
    const map = drawMap(SIZE, place(randomShape(40, numbersFrom(seed)), 50, 96).depth);
    const [small] = measureWounds(map, photoOf(SIZE), RULES, null);
    const [large] = measureWounds(map, photoOf(3 * SIZE), RULES, null);
    expectSame(
      pixelsOf(large),
      pixelsOf(small).map((value, index) => value * (index === 0 ? 9 : 3)),
      [0.001, 0.002, 0.003, 0.002],
    );
    expect(large!.confidence).toBe(small!.confidence);
  });

  it.each(SEEDS)('measures each of several wounds alike whichever lies where', (seed) => {
    const next = numbersFrom(seed);
    const shapes = [24, 18, 13].map((radius) => randomShape(radius, next));
    const places = [
      [48.2, 50.7],
      [140.6, 60.1],
      [92.9, 142.3],
    ] as const;
    const measureIn = (order: readonly number[]) => {
      const placed = shapes.map((shape, index) =>
        place(shape, 0, places[order[index]!]![0], places[order[index]!]![1]),
      );
      return measureWounds(
        drawMap(SIZE, (x, y) => Math.max(...placed.map((shape) => shape.depth(x, y)))),
        photoOf(SIZE),
        RULES,
        null,
      );
    };
    const first = measureIn([0, 1, 2]);
    expect(first).toHaveLength(3);
    for (const order of [
      [1, 2, 0],
      [2, 1, 0],
    ]) {
      measureIn(order).forEach((wound, index) => {
        expect(wound.index).toBe(index);
        expectSame(pixelsOf(wound), pixelsOf(first[index]), [0.01, 0.02, 0.06, 0.02]);
      });
    }
  });
});
