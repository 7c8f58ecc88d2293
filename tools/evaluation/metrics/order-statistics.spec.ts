import { mean, median, quantile } from './order-statistics.js';

describe('order statistics', () => {
  it('are not defined of nothing', () => {
    expect([mean([]), median([]), quantile([], 0.95)]).toEqual([null, null, null]);
  });

  it('lie between neighbours in a straight line', () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(quantile([0, 10, 20, 30, 40], 0.95)).toBeCloseTo(38, 12);
    expect([quantile([7], 0.1), quantile([5, 9], 0), quantile([5, 9], 1)]).toEqual([7, 5, 9]);
  });

  it('leave the values in their order', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});
