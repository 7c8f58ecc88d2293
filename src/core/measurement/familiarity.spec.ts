import { drawMap, ellipse, place } from '../../../test/support/drawn-shapes.js';
import { outlineManifest } from '../../../test/support/shipped-models.js';
import { judgeFamiliarity, outlineAgreement, type FamiliarityRules } from './familiarity.js';
import { measureWounds } from './measure-wounds.js';
import type { ProbabilityMap } from './probability-map.js';

const RULES: FamiliarityRules = {
  intercept: -3,
  agreementLogit: 1.5,
  reliableFrom: 0.5,
  calibration: [
    { agreement: 0.6, dice: 0.3, lower: 0, upper: 0.6, areaPct: 100 },
    { agreement: 0.8, dice: 0.5, lower: 0.1, upper: 0.8, areaPct: 80 },
    { agreement: 0.95, dice: 0.9, lower: 0.7, upper: 0.96, areaPct: 40 },
  ],
};
const PHOTO = { widthPx: 256, heightPx: 256 };
const OUTLINE_RULES = {
  threshold: 0.5,
  minAreaShare: 0.0003,
  bounds: { lowerThreshold: 0.45, upperThreshold: 0.55, floorPct: 40 },
};

/** An ellipse of one probability on ground of another. */
function plain(inside: number, outside: number): ProbabilityMap {
  const map = drawMap(256, place(ellipse(60, 40), 0, 128, 128).depth);
  return { ...map, values: map.values.map((value) => (value > 0.5 ? inside : outside)) };
}

describe('outlineAgreement', () => {
  it('has nothing to say where nothing is above the threshold', () => {
    expect(outlineAgreement(plain(0.4, 0.01), 0.5)).toBeNull();
  });

  it('falls with what is possible outside the outline, and with doubt inside it', () => {
    const sure = outlineAgreement(plain(0.99, 0), 0.5)!;
    expect(sure).toBeGreaterThan(0.99);
    expect(outlineAgreement(plain(0.99, 0.1), 0.5)!).toBeLessThan(0.8);
    expect(outlineAgreement(plain(0.6, 0), 0.5)!).toBeCloseTo(0.75, 2);
  });
});

describe('judgeFamiliarity', () => {
  it('does not trust an outline that the map hardly agrees with', () => {
    expect(judgeFamiliarity(0.3, RULES)).toEqual({
      score: 0.014,
      expectedDice: { value: 0.3, lower: 0, upper: 0.6 },
      outlineReliable: false,
    });
  });

  it('trusts one that the map agrees with, and expects no more than the best photos had', () => {
    expect(judgeFamiliarity(1, RULES)).toMatchObject({
      expectedDice: { value: 0.9, lower: 0.7, upper: 0.96 },
      outlineReliable: true,
    });
  });

  it('expects between two steps what lies between them', () => {
    expect(judgeFamiliarity(0.7, RULES).expectedDice).toEqual({ value: 0.4, lower: 0.05, upper: 0.7 });
  });

  it('never falls as the agreement rises', () => {
    const judged = Array.from({ length: 101 }, (_, step) => judgeFamiliarity(step / 100, RULES));
    for (const [index, one] of judged.slice(1).entries()) {
      const before = judged[index]!;
      expect(one.score).toBeGreaterThanOrEqual(before.score);
      expect(one.expectedDice.value).toBeGreaterThanOrEqual(before.expectedDice.value);
      expect(one.outlineReliable || !before.outlineReliable).toBe(true);
    }
  });
});

describe('figures of a wound that the model is unsure of', () => {
  const unsure = plain(0.6, 0.02);
  const measure = (rules: object) => measureWounds(unsure, PHOTO, { ...OUTLINE_RULES, ...rules }, null)[0]!;
  const halfWidth = ({ area }: ReturnType<typeof measure>) => (area.pixelBounds.upper - area.pixels) / area.pixels;

  it('stay as they are where the model states no calibration', () => {
    expect(measure({ unfamiliar: true })).toEqual(measure({}));
  });

  it('have an area as uncertain as such photos had', () => {
    expect(halfWidth(measure({}))).toBeCloseTo(0.4, 2);
    expect(halfWidth(measure({ familiarity: RULES }))).toBeGreaterThan(0.8);
  });

  it('have no more confidence than the score, on a photo like none that the model knows', () => {
    const familiar = measure({ familiarity: RULES });
    const unfamiliar = measure({ familiarity: RULES, unfamiliar: true });
    const score = judgeFamiliarity(outlineAgreement(unsure, 0.5)!, RULES).score;
    expect(familiar.confidence).toBeCloseTo(0.6, 2);
    expect(unfamiliar.confidence).toBe(Math.min(familiar.confidence, score));
  });
});

describe('the calibration of the shipped model', () => {
  it('trusts an outline from an agreement of 0.876', () => {
    const { familiarity } = outlineManifest<{ familiarity: FamiliarityRules }>();
    expect(judgeFamiliarity(0.875, familiarity).outlineReliable).toBe(false);
    expect(judgeFamiliarity(0.876, familiarity).outlineReliable).toBe(true);
  });
});
