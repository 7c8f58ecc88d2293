import { ConcurrencyLimit } from './concurrency-limit.js';

/** Work that ends when it is told to. */
class Job {
  began = false;
  end: () => void = () => undefined;
  readonly done: Promise<void>;

  constructor(limit: ConcurrencyLimit) {
    this.done = limit.run(() => {
      this.began = true;
      return new Promise<void>((end) => (this.end = end));
    });
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

  it('lets nobody pass those that wait', async () => {
    const limit = new ConcurrencyLimit(1);
    const [first, second] = [new Job(limit), new Job(limit)];
    first.end();
    const newcomer = new Job(limit);
    await settled();
    expect([second.began, newcomer.began]).toEqual([true, false]);
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
    const limit = new ConcurrencyLimit(1);
    await expect(limit.run<void>(work)).rejects.toThrow('failed');
    await expect(limit.run(() => Promise.resolve('next'))).resolves.toBe('next');
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
