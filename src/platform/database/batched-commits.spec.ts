/** @jest-environment node */
import { SuturaError } from '../../core/errors/sutura-error.js';
import { BatchedCommits } from './batched-commits.js';

describe('BatchedCommits', () => {
  const groups: number[][] = [];
  let release: (() => void)[] = [];
  const held = (): Promise<void> => new Promise((resolve) => void release.push(resolve));
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    groups.length = 0;
    release = [];
  });
  afterEach(() => jest.useRealTimers());

  const working = (
    perform: (group: readonly number[]) => Promise<readonly string[]>,
    atOnce = 1,
  ): BatchedCommits<number, string> =>
    new BatchedCommits(
      (group) => {
        groups.push([...group]);
        return perform(group);
      },
      { largest: 3, atOnce, patienceMs: 20 },
    );

  it('fails only the one that cannot be done: the others of its group are done without it', async () => {
    const work = working(async (group) => {
      if (group.includes(2)) throw new Error('Not two.');
      return group.map(String);
    });
    const settled = await Promise.allSettled([1, 2, 3].map((item) => work.run('key', item)));
    expect(settled).toMatchObject([{ value: '1' }, { reason: new Error('Not two.') }, { value: '3' }]);
    expect(groups).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it('does nothing twice where the database failed, since it may have been done', async () => {
    const work = working(() => Promise.reject(new SuturaError('service.unavailable')));
    const settled = await Promise.allSettled([1, 2].map((item) => work.run('key', item)));
    expect(settled).toMatchObject([
      { reason: { code: 'service.unavailable' } },
      { reason: { code: 'service.unavailable' } },
    ]);
    expect(groups).toEqual([[1, 2]]);
  });

  it('goes on after a failure', async () => {
    let broken = true;
    const work = working((group) =>
      broken ? Promise.reject(new Error('Broken.')) : Promise.resolve(group.map(String)),
    );
    await expect(work.run('key', 1)).rejects.toThrow('Broken.');
    broken = false;
    await expect(work.run('key', 2)).resolves.toBe('2');
  });

  it('takes along what came while a group was on its way, no more than fit, in the order of their coming', async () => {
    const work = working(async (group) => {
      await held();
      return group.map(String);
    });
    const results = [work.run('key', 1)];
    await turn();
    results.push(...[2, 3, 4, 5].map((item) => work.run('key', item)));
    while (groups.length < 3 || release.length > 0) {
      release.shift()?.();
      await turn();
    }
    expect(await Promise.all(results)).toEqual(['1', '2', '3', '4', '5']);
    expect(groups).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('begins another group beside one that takes long, and no more of them than are allowed', async () => {
    const work = working(async (group) => {
      await held();
      return group.map(String);
    }, 2);
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const results = [work.run('key', 1)];
    await turn();
    results.push(work.run('key', 2));
    jest.advanceTimersByTime(19);
    await turn();
    expect(groups).toEqual([[1]]);
    jest.advanceTimersByTime(1);
    await turn();
    expect(groups).toEqual([[1], [2]]);
    results.push(work.run('key', 3));
    jest.advanceTimersByTime(1000);
    await turn();
    expect(groups).toEqual([[1], [2]]);
    while (groups.length < 3 || release.length > 0) {
      release.shift()?.();
      await turn();
    }
    expect(await Promise.all(results)).toEqual(['1', '2', '3']);
    expect(groups).toEqual([[1], [2], [3]]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('lets light items go beside a heavy group at once, and a heavy item alone', async () => {
    const perform = async (group: readonly number[]): Promise<readonly string[]> => {
      groups.push([...group]);
      await held();
      return group.map(String);
    };
    const work = new BatchedCommits(perform, {
      largest: 9,
      atOnce: 2,
      patienceMs: 60_000,
      weight: { of: (item) => item, largest: 10, heavy: 8 },
    });
    const results = [99, 1, 2, 8, 3].map((item) => work.run('key', item));
    for (let turns = 0; turns < 3; turns += 1) await turn();
    expect(groups).toEqual([[99], [1, 2]]);
    while (groups.length < 4 || release.length > 0) {
      release.shift()?.();
      await turn();
    }
    expect(await Promise.all(results)).toEqual(['99', '1', '2', '8', '3']);
    expect(groups).toEqual([[99], [1, 2], [8], [3]]);
  });

  it('never mixes keys, and lets no key wait for another', async () => {
    const work = working(async (group) => {
      if (group.includes(1)) await held();
      return group.map(String);
    });
    const slow = work.run('one', 1);
    await expect(work.run('other', 2)).resolves.toBe('2');
    release.shift()!();
    await expect(slow).resolves.toBe('1');
    expect(groups).toEqual([[1], [2]]);
  });
});
