import { Batcher } from './batcher.js';

describe('Batcher', () => {
  it('fails only the item that spoils a batch', async () => {
    const batcher = new Batcher<number, number>(
      (items) => (items.includes(13) ? Promise.reject(new Error('13')) : Promise.resolve(items.map((n) => n * 2))),
      {
        maxSize: 3,
        maxDelayMs: 1000,
        runsAtOnce: 1,
      },
    );
    const settled = await Promise.allSettled([1, 13, 3].map((n) => batcher.add(n)));
    expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([2, 'failed', 6]);
  });

  it('runs when it is full, in the order of arrival, and one run at a time', async () => {
    const runs: number[][] = [];
    let open = 0;
    const batcher = new Batcher<number, number>(
      async (items) => {
        expect((open += 1)).toBe(1);
        runs.push([...items]);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return items.map((n) => n * 2);
      },
      { maxSize: 2, maxDelayMs: 60_000, runsAtOnce: 1 },
    );
    expect(await Promise.all([1, 2, 3, 4].map((n) => batcher.add(n)))).toEqual([2, 4, 6, 8]);
    expect(runs).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('does not let a lone item wait longer than the delay', async () => {
    const batcher = new Batcher<number, number>((items) => Promise.resolve([...items]), {
      maxSize: 8,
      maxDelayMs: 5,
      runsAtOnce: 1,
    });
    await expect(batcher.add(1)).resolves.toBe(1);
  });

  it('runs every item alone and at once where a batch gains nothing', async () => {
    const sizes: number[] = [];
    const batcher = new Batcher<number, number>((items) => (sizes.push(items.length), Promise.resolve([...items])), {
      maxSize: 1,
      maxDelayMs: 0,
      runsAtOnce: 1,
    });
    await Promise.all([1, 2, 3].map((n) => batcher.add(n)));
    expect(sizes).toEqual([1, 1, 1]);
  });

  it('keeps as many runs side by side as it may', async () => {
    const ends: (() => void)[] = [];
    const batcher = new Batcher<number, number>(
      async (items) => {
        await new Promise<void>((end) => ends.push(end));
        return [...items];
      },
      { maxSize: 1, maxDelayMs: 0, runsAtOnce: 2 },
    );
    const all = Promise.all([1, 2, 3].map((n) => batcher.add(n)));
    expect(ends).toHaveLength(2);
    ends[1]!();
    await new Promise((resolve) => setImmediate(resolve));
    expect(ends).toHaveLength(3);
    ends.forEach((end) => end());
    expect(await all).toEqual([1, 2, 3]);
  });
});
