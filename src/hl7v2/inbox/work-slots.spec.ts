import { WorkSlots } from './work-slots.js';

/** Work that ends when it is told to. */
class Job {
  began = false;
  end: () => void = () => undefined;
  readonly done: Promise<void>;

  constructor(slots: WorkSlots, bytes: number) {
    this.done = slots.run(bytes, () => {
      this.began = true;
      return new Promise<void>((end) => (this.end = end));
    });
  }
}

const settled = () => new Promise((next) => setImmediate(next));

describe('WorkSlots', () => {
  it('runs no more at once than there are places, and lets the others in as they came', async () => {
    const slots = new WorkSlots(2, 100);
    const jobs = [1, 1, 1, 1].map((bytes) => new Job(slots, bytes));
    expect(jobs.map(({ began }) => began)).toEqual([true, true, false, false]);
    jobs[1]!.end();
    await settled();
    expect(jobs.map(({ began }) => began)).toEqual([true, true, true, false]);
  });

  it('holds no more bytes at once than it may; something larger than that runs alone', async () => {
    const slots = new WorkSlots(4, 100);
    const [small, large, later] = [new Job(slots, 60), new Job(slots, 500), new Job(slots, 1)];
    expect([small.began, large.began, later.began]).toEqual([true, false, false]);
    small.end();
    await settled();
    expect([large.began, later.began]).toEqual([true, false]);
    large.end();
    await settled();
    expect(later.began).toBe(true);
  });

  it('gives the place back where the work fails', async () => {
    const slots = new WorkSlots(1, 100);
    await expect(slots.run(1, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(slots.run(1, () => Promise.resolve('next'))).resolves.toBe('next');
  });
});
