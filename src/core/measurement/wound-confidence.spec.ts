import { drawMap, ellipse, place } from '../../../test/support/drawn-shapes.js';
import { traceIsoContours } from './iso-contour.js';
import { toOutlines } from './outline.js';
import type { ProbabilityMap } from './probability-map.js';
import { meanInside, photoConfidence, woundConfidence } from './wound-confidence.js';

const RULES = {
  wound: { intercept: -1.5, meanLogit: 1.2, logAreaShare: -0.3 },
  photo: { intercept: -2, peakLogit: 0.8 },
};
const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));
const logit = (p: number) => Math.log(p / (1 - p));

function flat(value: number, content = { x: 0, y: 0, width: 100, height: 100 }): ProbabilityMap {
  return { width: 100, height: 100, values: new Float32Array(10_000).fill(value), content };
}

describe('woundConfidence', () => {
  it('is the mean probability where the model states no calibration', () => {
    expect(woundConfidence(0.83, 0.01, undefined)).toBe(0.83);
  });

  it('is the logistic function of what the manifest names', () => {
    expect(woundConfidence(0.9, 0.02, RULES)).toBeCloseTo(sigmoid(-1.5 + 1.2 * logit(0.9) - 0.3 * Math.log(0.02)), 12);
  });

  it.each([0, 1])('stays a probability for a mean of exactly %d', (mean) => {
    const confidence = woundConfidence(mean, 0.01, RULES);
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThan(1);
  });
});

describe('photoConfidence', () => {
  it('speaks of the statement that was made: of a wound, or of none', () => {
    for (const rules of [undefined, RULES]) {
      for (const value of [0.01, 0.3, 0.95]) {
        expect(
          photoConfidence(flat(value), true, rules, null) + photoConfidence(flat(value), false, rules, null),
        ).toBeCloseTo(1, 2);
      }
    }
  });

  it('is low where nothing is outlined though something stands out', () => {
    expect(photoConfidence(flat(0.95), false, RULES, null)).toBeLessThan(0.5);
  });

  it('is the logistic function of the 99.9th percentile', () => {
    expect(photoConfidence(flat(0.9), true, RULES, null)).toBeCloseTo(sigmoid(-2 + 0.8 * logit(0.9)), 2);
  });

  it('is not moved by a few odd pixels, and is by more than a thousandth of them', () => {
    const map = flat(0.1);
    map.values.fill(1, 0, 9);
    expect(photoConfidence(map, true, undefined, null)).toBeCloseTo(0.1, 2);
    map.values.fill(1, 0, 15);
    expect(photoConfidence(map, true, undefined, null)).toBeGreaterThan(0.99);
  });

  it('is what the model says of the whole photo where it says that, whatever the peak', () => {
    expect(photoConfidence(flat(0.95), true, RULES, 0.7)).toBe(0.7);
    expect(photoConfidence(flat(0.95), false, RULES, 0.12)).toBe(0.88);
  });

  it('stays a probability where the model rounds beyond', () => {
    expect(photoConfidence(flat(0.95), true, RULES, 1.0004)).toBe(1);
    expect(photoConfidence(flat(0.95), false, RULES, 1.0004)).toBe(0);
  });

  it('looks at the photo alone and not at what was put around it', () => {
    const map = flat(0.2, { x: 0, y: 50, width: 100, height: 50 });
    map.values.fill(1, 0, 5000);
    expect(photoConfidence(map, true, undefined, null)).toBeCloseTo(0.2, 2);
  });
});

describe('meanInside', () => {
  it('takes the pixels of one outline, and none of its hole or of a neighbour', () => {
    const [left, right] = [place(ellipse(20, 20), 0, 40, 64), place(ellipse(12, 12), 0, 100, 64)];
    const hole = place(ellipse(8, 8), 0, 40, 64);
    const map = drawMap(128, (x, y) => Math.max(Math.min(left.depth(x, y), -hole.depth(x, y)), right.depth(x, y)));
    for (let index = 0; index < map.values.length; index += 1) if (index % 128 > 80) map.values[index]! *= 0.7;
    const [ring, disc] = toOutlines(traceIsoContours(map, 0.5)).sort((a, b) => b.area - a.area);
    expect(meanInside(map, ring!)).toBeGreaterThan(0.95);
    expect(meanInside(map, disc!)).toBeLessThan(0.7);
    expect(meanInside(map, disc!)).toBeGreaterThan(0.65);
  });
});
