import { maskOf } from '../../../test/support/drawn-mask.js';
import { countPixels } from './binary-mask.js';
import { dice, intersectionOverUnion, overlapOf, pooled, precision, recall } from './overlap.js';

const label = maskOf('####..', '####..');
const found = maskOf('..####', '......');

describe('overlap figures', () => {
  it('are not defined where there is nothing to compare', () => {
    const nothing = overlapOf(maskOf('..'), maskOf('..'));
    expect([dice(nothing), intersectionOverUnion(nothing), precision(nothing), recall(nothing)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('are 0 where the wound was missed, and precision has nothing to judge', () => {
    const missed = overlapOf(label, maskOf('......', '......'));
    expect([dice(missed), intersectionOverUnion(missed), precision(missed), recall(missed)]).toEqual([0, 0, null, 0]);
  });

  it('are 0 where something was found on an empty label', () => {
    const falseAlarm = overlapOf(maskOf('......', '......'), found);
    expect([dice(falseAlarm), precision(falseAlarm), recall(falseAlarm)]).toEqual([0, 0, null]);
  });

  it('are 1 for equal masks, even of one pixel', () => {
    const same = overlapOf(maskOf('.#.'), maskOf('.#.'));
    expect([dice(same), intersectionOverUnion(same), precision(same), recall(same)]).toEqual([1, 1, 1, 1]);
  });

  it('count by hand: 8 labelled, 4 found, 2 shared', () => {
    const overlap = overlapOf(label, found);
    expect(overlap).toEqual({ labelledPx: 8, foundPx: 4, sharedPx: 2 });
    expect(dice(overlap)).toBeCloseTo(4 / 12, 12);
    expect(intersectionOverUnion(overlap)).toBeCloseTo(2 / 10, 12);
    expect(precision(overlap)).toBe(0.5);
    expect(recall(overlap)).toBe(0.25);
    expect(countPixels(label)).toBe(8);
  });

  it('pool as one large picture, so that a large wound weighs more than a small one', () => {
    const large = { labelledPx: 1000, foundPx: 1000, sharedPx: 900 };
    const small = { labelledPx: 10, foundPx: 0, sharedPx: 0 };
    expect(dice(pooled([large, small]))).toBeCloseTo(1800 / 2010, 12);
  });
});
