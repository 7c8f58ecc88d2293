import { estimate } from './bootstrap.js';
import { mean } from './order-statistics.js';

describe('estimate', () => {
  it('has no value where the figure is not defined, and no interval of one case', () => {
    expect(estimate([], mean)).toEqual({ value: null, lower: null, upper: null });
    expect(estimate([0.4], mean)).toEqual({ value: 0.4, lower: null, upper: null });
  });

  it('has an interval without width where all cases are equal', () => {
    expect(estimate([0.5, 0.5, 0.5], mean)).toEqual({ value: 0.5, lower: 0.5, upper: 0.5 });
  });

  it('gives the same interval for the same cases', () => {
    const cases = Array.from({ length: 40 }, (_, index) => (index * 37) % 101);
    expect(estimate(cases, mean)).toEqual(estimate(cases, mean));
  });

  it('comes near the interval of theory: a mean of 400 coins lies within 0.5 ± 1.96 · 0.025', () => {
    const coins = Array.from({ length: 400 }, (_, index) => index % 2);
    const { lower, upper } = estimate(coins, mean);
    expect(Math.abs(lower! - 0.451)).toBeLessThan(0.006);
    expect(Math.abs(upper! - 0.549)).toBeLessThan(0.006);
  });

  it('leaves out resamples in which the figure is not defined', () => {
    const figure = (cases: readonly number[]) => (cases.includes(1) ? mean(cases) : null);
    const { lower } = estimate([1, 0, 0], figure);
    expect(lower).toBeGreaterThan(0);
  });
});
