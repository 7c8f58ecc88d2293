import { drawMap, ellipse, place } from '../../../test/support/drawn-shapes.js';
import { marginOfArea, type BoundsRules, type ConformalRules } from './area-bounds.js';
import { measureWounds } from './measure-wounds.js';

const CONFORMAL: ConformalRules = {
  intercept: -0.5,
  logArea: -0.1,
  logBand: 0.5,
  leastScale: 0.02,
  mostScale: 0.4,
  below: 2,
  above: 2.5,
};
const BOUNDS: BoundsRules = { lowerThreshold: 0.25, upperThreshold: 0.75, conformal: CONFORMAL };
const SOFT = { below: 0.1, above: 0.15 };
const SHARP = { below: 0.02, above: 0.02 };

describe('the half-widths of an area', () => {
  it('are the band itself and at least the floor where a manifest states one', () => {
    const rules = { lowerThreshold: 0.25, upperThreshold: 0.75, floorPct: 12 };
    expect(marginOfArea(SOFT, 3000, rules)).toEqual({ below: 0.12, above: 0.15 });
  });

  it('never reach below nothing, however many pixels the border leaves open', () => {
    const { below } = marginOfArea({ below: 1, above: 30 }, 40, { ...BOUNDS, conformal: { ...CONFORMAL, below: 10 } });
    expect(below).toBeGreaterThan(0.9);
    expect(below).toBeLessThanOrEqual(1);
  });

  it('are no wider than for the least certain outline that was fitted on', () => {
    expect(marginOfArea({ below: 1, above: 1000 }, 40, BOUNDS)).toEqual({
      below: 1 - Math.exp(-2 * 0.4),
      above: Math.exp(2.5 * 0.4) - 1,
    });
  });

  it('are no narrower than for the surest one', () => {
    const surest = { ...BOUNDS, conformal: { ...CONFORMAL, leastScale: 0.3 } };
    expect(marginOfArea({ below: 0, above: 0 }, 1e6, surest).above).toBeCloseTo(Math.exp(2.5 * 0.3) - 1, 12);
  });

  // models/training/tests/test_bounds.py has the same outline and the same figures.
  it('are what the training code makes of the same outline', () => {
    const { below, above } = marginOfArea(SOFT, 3000, BOUNDS);
    expect([below.toFixed(4), above.toFixed(4)]).toEqual(['0.2445', '0.4198']);
  });

  it('are wider for a softer border, and for a smaller outline', () => {
    expect(marginOfArea(SOFT, 3000, BOUNDS).above).toBeGreaterThan(marginOfArea(SHARP, 3000, BOUNDS).above);
    expect(marginOfArea(SHARP, 500, BOUNDS).above).toBeGreaterThan(marginOfArea(SHARP, 3000, BOUNDS).above);
  });
});

describe('an outline’s conformal bounds', () => {
  const rules = { threshold: 0.5, minAreaShare: 0.0003, bounds: BOUNDS };
  const drawn = (side: number, softness: number) =>
    drawMap(side, place(ellipse(side / 6, side / 8), 0, side / 2).depth, { softness });
  const marginOf = (side: number, softness: number, photoPx: number) => {
    const [wound] = measureWounds(drawn(side, softness), { widthPx: photoPx, heightPx: photoPx }, rules, null);
    return wound!.area.pixelBounds.upper / wound!.area.pixels - 1;
  };

  it('are the same in a photo of any size: the model saw it in its own', () => {
    expect(marginOf(256, 6, 4000)).toBeCloseTo(marginOf(256, 6, 256), 3);
  });

  it('hardly depend on how many pixels the model’s view has', () => {
    expect(Math.abs(marginOf(512, 12, 512) - marginOf(256, 6, 512))).toBeLessThan(0.01);
  });

  it('reach as far up and down as the manifest says, and not as far on both sides', () => {
    const [wound] = measureWounds(drawn(256, 6), { widthPx: 256, heightPx: 256 }, rules, null);
    const { pixels, pixelBounds } = wound!.area;
    expect(Math.log(pixelBounds.upper / pixels) / Math.log(pixels / pixelBounds.lower)).toBeCloseTo(2.5 / 2, 2);
  });
});
