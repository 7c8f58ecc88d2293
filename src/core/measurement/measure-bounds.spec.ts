import { drawMap, ellipse, place } from '../../../test/support/drawn-shapes.js';
import type { Bounds, WoundMeasurement } from './wound-result.js';
import { measureWounds, type OutlineRules } from './measure-wounds.js';
import { clientScale } from './plane-scale.js';

const SIZE = 256;
const PHOTO = { widthPx: SIZE, heightPx: SIZE };
const BAND = { lowerThreshold: 0.2, upperThreshold: 0.8 };
const rules = (floorPct = 0, band = BAND): OutlineRules => ({
  threshold: 0.5,
  minAreaShare: 0.0003,
  bounds: { ...band, floorPct },
});
const exact = (mmPerPixel: number) => ({ ...clientScale(mmPerPixel), source: 'marker' as const, uncertaintyPct: 0 });
const disc = (radius: number, x = 128, y = x) => place(ellipse(radius, radius), 0, x, y);
/** Half-width on each side as a share of the value. */
const sides = ({ value, lower, upper }: Bounds & { value: number }) => [1 - lower / value, upper / value - 1] as const;

function expectOrdered(wound: WoundMeasurement): void {
  for (const figure of [
    wound.area.cm2!,
    wound.length.cm!,
    wound.width.cm!,
    wound.perimeter.cm!,
    { value: wound.area.pixels, ...wound.area.pixelBounds },
  ]) {
    expect(figure.lower).toBeGreaterThanOrEqual(0);
    expect(figure.lower).toBeLessThanOrEqual(figure.value);
    expect(figure.value).toBeLessThanOrEqual(figure.upper);
  }
}

describe('the bounds of a measurement', () => {
  it('never lie below 0, whatever is doubtful', () => {
    const map = drawMap(SIZE, disc(30).depth, { softness: 200 });
    const [wound] = measureWounds(map, PHOTO, rules(150), { ...clientScale(0.5), uncertaintyPct: 80 });
    expect(wound!.area.pixelBounds.lower).toBe(0);
    expect(wound!.area.cm2!.lower).toBe(0);
    expect(wound!.length.cm!.lower).toBe(0);
    expectOrdered(wound!);
  });

  it('are wide where a manifest states none', () => {
    const [wound] = measureWounds(
      drawMap(SIZE, disc(40).depth),
      PHOTO,
      { threshold: 0.5, minAreaShare: 0 },
      exact(0.5),
    );
    const [below, above] = sides(wound!.area.cm2!);
    expect(below).toBeGreaterThanOrEqual(0.39);
    expect(above).toBeGreaterThanOrEqual(0.39);
  });

  it('leave a neighbour’s skin and what is joined to no wound out', () => {
    const [left, right] = [disc(25, 75, 128), disc(20, 181, 128)];
    // A bridge and an island of doubt: likely enough for the band, not for an outline.
    const doubt = (x: number, y: number) => (Math.abs(y - 128) < 10 || (y > 200 && y < 220)) && x > 60 && x < 200;
    const map = drawMap(SIZE, (x, y) => Math.max(left.depth(x, y), right.depth(x, y), doubt(x, y) ? -0.4 : -9));
    const wounds = measureWounds(map, PHOTO, rules(), null);
    expect(wounds).toHaveLength(2);
    const gained = wounds.map((wound) => wound.area.pixelBounds.upper - wound.area.pixels);
    const bridgePx = 20 * (181 - 20 - (75 + 25));
    expect(gained[0]! + gained[1]!).toBeGreaterThan(bridgePx);
    expect(gained[0]! + gained[1]!).toBeLessThan(bridgePx + 700);
    // The bridge is shared by nearness.
    expect(Math.abs(gained[0]! - gained[1]!)).toBeLessThan(bridgePx * 0.15);
  });

  it('are as wide as the border is soft, to each side by itself', () => {
    const soft = (x: number, y: number) => {
      const depth = disc(50).depth(x, y);
      // Outside it fades out over twelve pixels, inside over four.
      return depth > 0 ? depth / 4 : depth / 12;
    };
    const [wound] = measureWounds(drawMap(SIZE, soft, { softness: 1 }), PHOTO, rules(), exact(0.5));
    const [below, above] = sides(wound!.area.cm2!);
    expect(below).toBeCloseTo(1 - ((50 - 4 * 0.3) / 50) ** 2, 1);
    expect(above).toBeCloseTo(((50 + 12 * 0.3) / 50) ** 2 - 1, 1);
    expect(above).toBeGreaterThan(2 * below);
  });

  it('do not care which of the two thresholds is named first', () => {
    const map = drawMap(SIZE, disc(50).depth, { softness: 12 });
    const turned = { lowerThreshold: BAND.upperThreshold, upperThreshold: BAND.lowerThreshold };
    expect(measureWounds(map, PHOTO, rules(5, turned), exact(1))).toEqual(
      measureWounds(map, PHOTO, rules(5), exact(1)),
    );
  });

  it('are at least the floor, for a length half of it on a round wound', () => {
    const [wound] = measureWounds(drawMap(SIZE, disc(60).depth), PHOTO, rules(20), exact(0.5));
    for (const side of sides(wound!.area.cm2!)) expect(side).toBeCloseTo(0.2, 2);
    for (const side of sides(wound!.length.cm!)) expect(side).toBeCloseTo(0.1, 2);
    for (const side of sides(wound!.width.cm!)) expect(side).toBeCloseTo(0.1, 2);
    for (const side of sides(wound!.perimeter.cm!)) expect(side).toBeCloseTo(0.1, 2);
  });

  it('are wider, for their size, across a long thin wound than along it', () => {
    const thin = place(ellipse(90, 12), 30, 128);
    const [wound] = measureWounds(drawMap(SIZE, thin.depth), PHOTO, rules(20), exact(0.5));
    const [[, along], [, across]] = [sides(wound!.length.cm!), sides(wound!.width.cm!)];
    expect(across / along).toBeCloseTo(90 / 12, 0);
  });

  it('add the scale’s uncertainty in quadrature: 1.645 standard deviations of a length, twice that of an area', () => {
    const map = drawMap(SIZE, disc(60).depth);
    const [wound] = measureWounds(map, PHOTO, rules(12), { ...exact(0.5), uncertaintyPct: 4 });
    for (const side of sides(wound!.area.cm2!)) expect(side).toBeCloseTo(Math.hypot(0.12, 2 * 0.0658), 2);
    for (const side of sides(wound!.length.cm!)) expect(side).toBeCloseTo(Math.hypot(0.06, 0.0658), 2);
    // Pixels know no scale.
    expect(1 - wound!.area.pixelBounds.lower / wound!.area.pixels).toBeCloseTo(0.12, 3);
  });

  it.each([0, 15, 30, 45])('by a stated scale hold the true figures of a photo taken at %i degrees', (degrees) => {
    const radius = 60;
    const seen = drawMap(SIZE, place(ellipse(radius, radius * Math.cos((degrees * Math.PI) / 180)), 0, 128).depth);
    const [wound] = measureWounds(seen, PHOTO, rules(), { ...clientScale(0.5), uncertaintyPct: 0 });
    const { area, length, width, perimeter } = wound!;
    const radiusCm = (radius * 0.5) / 10;
    // 1 % for the pixels that it is drawn in.
    expect(area.cm2!.upper).toBeGreaterThan(0.99 * Math.PI * radiusCm ** 2);
    for (const figure of [length.cm!, width.cm!]) expect(figure.upper).toBeGreaterThan(0.99 * 2 * radiusCm);
    expect(perimeter.cm!.upper).toBeGreaterThan(0.99 * 2 * Math.PI * radiusCm);
    // An angle makes nothing larger.
    expect(area.cm2!.lower).toBeGreaterThan(0.97 * area.cm2!.value);
  });

  it.each([2, 5, 10, 30, 60])('hold the value between them at a softness of %d pixels', (softness) => {
    for (const floorPct of [0, 10, 40]) {
      const map = drawMap(SIZE, (x, y) => Math.max(disc(33, 90).depth(x, y), disc(20, 180).depth(x, y)), { softness });
      measureWounds(map, PHOTO, rules(floorPct), clientScale(0.3)).forEach(expectOrdered);
    }
  });
});
