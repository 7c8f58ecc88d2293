import {
  crescent,
  drawMap,
  ellipse,
  ellipseWithHole,
  place,
  star,
  type DrawnShape,
} from '../../../test/support/drawn-shapes.js';
import type { WoundMeasurement } from './wound-result.js';
import { measureWounds } from './measure-wounds.js';
import { clientScale } from './plane-scale.js';

const SIZE = 256;
const PHOTO = { widthPx: SIZE, heightPx: SIZE };
const RULES = { threshold: 0.5, minAreaShare: 0.0001 };
const ROTATIONS = [0, 10, 22.5, 30, 45, 60, 77, 90];
const SIZES = [30, 45, 60, 80, 100];
/** From the least that a model's rules let through: 80 pixels of a quarter of a million. */
const TINY_SIZES = [6, 7, 8, 9, 10];
const AREA_TOLERANCE = 0.01;
const LENGTH_TOLERANCE = 0.015;
const MM_PER_PIXEL = 0.5;

const SHAPES: readonly (readonly [string, readonly number[], (radius: number) => DrawnShape])[] = [
  ['ellipse', SIZES, (radius) => ellipse(radius, radius * 0.6)],
  ['star', SIZES, star],
  ['crescent', SIZES, (radius) => crescent(radius * 0.75, radius * 0.25)],
  ['ellipse with a hole', SIZES, (radius) => ellipseWithHole(radius, radius * 0.8, radius * 0.4)],
  ['tiny ellipse', TINY_SIZES, (radius) => ellipse(radius, radius * 0.7)],
];

/** Not on the grid: a real wound's middle lies anywhere. */
const CENTRE = [128.3, 127.6] as const;

function expectClose(wound: WoundMeasurement | undefined, truth: DrawnShape): void {
  expect(wound).toBeDefined();
  const within = (found: number, true_: number, share: number) =>
    expect(Math.abs(found / true_ - 1)).toBeLessThanOrEqual(share);
  within(wound!.area.pixels, truth.area, AREA_TOLERANCE);
  within(wound!.length.pixels, truth.length, LENGTH_TOLERANCE);
  within(wound!.width.pixels, truth.width, LENGTH_TOLERANCE);
  within(wound!.perimeter.pixels, truth.perimeter, LENGTH_TOLERANCE);
  // Centimetres are rounded to a hundredth.
  const withinOrHundredth = (found: number, true_: number, share: number) =>
    expect(Math.abs(found - true_)).toBeLessThanOrEqual(true_ * share + 0.005);
  withinOrHundredth(wound!.area.cm2!.value, (truth.area * MM_PER_PIXEL ** 2) / 100, AREA_TOLERANCE);
  withinOrHundredth(wound!.length.cm!.value, (truth.length * MM_PER_PIXEL) / 10, LENGTH_TOLERANCE);
  withinOrHundredth(wound!.width.cm!.value, (truth.width * MM_PER_PIXEL) / 10, LENGTH_TOLERANCE);
}

describe('measureWounds on drawn shapes: area within 1 %, length, width and perimeter within 1.5 %', () => {
  it.each(SHAPES.flatMap(([name, sizes, make]) => sizes.map((radius) => [name, radius, make] as const)))(
    'measures a %s of %d pixels at eight rotations',
    (_name, radius, make) => {
      const upright = make(radius);
      for (const degrees of ROTATIONS) {
        const shape = place(upright, degrees, ...CENTRE);
        const wounds = measureWounds(drawMap(SIZE, shape.depth), PHOTO, RULES, clientScale(MM_PER_PIXEL));
        expect(wounds).toHaveLength(1);
        expectClose(wounds[0], shape);
      }
    },
  );

  it.each([12, 18, 25, 32, 40])(
    'measures two wounds of %d and three quarters as many pixels at eight rotations',
    (radius) => {
      for (const degrees of ROTATIONS) {
        const larger = place(ellipse(radius, radius * 0.8), degrees, 80.2, 90.7);
        const smaller = place(ellipse(radius * 0.75, radius * 0.5), -degrees, 176.4, 150.1);
        const map = drawMap(SIZE, (x, y) => Math.max(larger.depth(x, y), smaller.depth(x, y)));
        const wounds = measureWounds(map, PHOTO, RULES, clientScale(MM_PER_PIXEL));
        expect(wounds).toHaveLength(2);
        expectClose(wounds[0], larger);
        expectClose(wounds[1], smaller);
      }
    },
  );
});
