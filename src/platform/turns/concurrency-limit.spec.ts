import { ConcurrencyLimit } from './concurrency-limit.js';

/** Work that ends when it is told to. */
class Job {
  began = false;
  end: () => void = () => undefined;
  readonly done: Promise<void>;

  constructor(limit: ConcurrencyLimit, weight?: number) {
    this.done = limit.run(() => {
      this.began = true;
      return new Promise<void>((end) => (this.end = end));
    }, weight);
  }
}

const settled = () => new Promise((next) => setImmediate(next));

describe('ConcurrencyLimit', () => {
  it('runs no more at once than there are places, and lets the others in as they came', async () => {
    const limit = new ConcurrencyLimit(2);
    const jobs = Array.from({ length: 4 }, () => new Job(limit));
    expect(jobs.map(({ began }) => began)).toEqual([true, true, false, false]);
    jobs[1]!.end();
    await settled();
    expect(jobs.map(({ began }) => began)).toEqual([true, true, true, false]);
    jobs[2]!.end();
    await settled();
    expect(jobs.map(({ began }) => began)).toEqual([true, true, true, true]);
  });

  it('runs no more at once than it may by weight; something heavier than that runs alone', async () => {
    const limit = new ConcurrencyLimit(4, 100);
    const [light, heavy, later] = [new Job(limit, 60), new Job(limit, 500), new Job(limit, 1)];
    expect([light.began, heavy.began, later.began]).toEqual([true, false, false]);
    light.end();
    await settled();
    expect([heavy.began, later.began]).toEqual([true, false]);
    heavy.end();
    await settled();
    expect(later.began).toBe(true);
  });

  it('lets nobody pass those that wait, even where there would be room', () => {
    const limit = new ConcurrencyLimit(4, 100);
    const jobs = [new Job(limit, 60), new Job(limit, 60), new Job(limit, 1)];
    expect(jobs.map(({ began }) => began)).toEqual([true, false, false]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('failed'))],
    [
      'throws',
      () => {
        throw new Error('failed');
      },
    ],
  ])('gives the place back where the work %s', async (_, work) => {
    const limit = new ConcurrencyLimit(1, 100);
    await expect(limit.run<void>(work, 1)).rejects.toThrow('failed');
    await expect(limit.run(() => Promise.resolve('next'), 1)).resolves.toBe('next');
  });

  it('runs all in the end, whatever fails', async () => {
    const limit = new ConcurrencyLimit(2);
    const work = async (place: number): Promise<number> => {
      await settled();
      if (place % 3 === 0) throw new Error('No.');
      return place;
    };
    const ends = await Promise.allSettled(Array.from({ length: 10 }, (_, place) => limit.run(() => work(place))));
    expect(ends.map(({ status }) => status === 'fulfilled')).toEqual(
      Array.from({ length: 10 }, (_, place) => place % 3 !== 0),
    );
  });
});
