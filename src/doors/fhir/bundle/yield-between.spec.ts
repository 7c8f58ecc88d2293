import { yieldBetween } from './yield-between.js';

describe('work in turns', () => {
  it('starts nothing after a failure, and waits for what was started', async () => {
    const started: number[] = [];
    let finished = 0;
    const results = await yieldBetween([0, 1, 2, 3, 4, 5, 6, 7], 2, async (item) => {
      started.push(item);
      if (item === 3) throw new Error('three');
      await new Promise((resolve) => setImmediate(resolve));
      finished += 1;
    });
    expect(results.findIndex((result) => result.status === 'rejected')).toBe(3);
    // Whatever comes before the failure has been started: none of it can hide an earlier one.
    expect(started.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(started.length).toBeLessThan(8);
    expect(finished).toBe(started.length - 1);
  });

  it('keeps the order of results and the limit', async () => {
    let running = 0;
    let most = 0;
    const results = await yieldBetween([5, 4, 3, 2, 1], 3, async (item) => {
      most = Math.max(most, (running += 1));
      for (let turn = 0; turn < item; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return item * 10;
    });
    expect(results).toEqual([50, 40, 30, 20, 10].map((value) => ({ status: 'fulfilled', value })));
    expect(most).toBe(3);
  });
});
