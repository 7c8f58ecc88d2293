/** @jest-environment node */
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { FairShare, type FairShareLimits } from './fair-share.js';

const LIMITS: FairShareLimits = { places: 4, placesOfOne: 2, bytes: 100, waitingOfOne: 3, patienceMs: 10_000 };

/** Work that ends when it is told to. */
class Job {
  began = false;
  end: () => void = () => undefined;
  outcome: unknown = null;

  constructor(share: FairShare, holder: string, bytes = 1) {
    share
      .run(holder, bytes, () => {
        this.began = true;
        return new Promise<void>((end) => (this.end = end));
      })
      .then(
        () => (this.outcome = 'done'),
        (fault: unknown) => (this.outcome = isSuturaError(fault) ? fault.code : fault),
      );
  }
}

const began = (jobs: readonly Job[]): readonly boolean[] => jobs.map((job) => job.began);

describe('places for large bodies', () => {
  let share: FairShare;
  const jobsOf = (holder: string, count: number, bytes?: number) =>
    Array.from({ length: count }, () => new Job(share, holder, bytes));
  const settled = () => jest.advanceTimersByTimeAsync(0);

  beforeEach(() => {
    jest.useFakeTimers();
    share = new FairShare(LIMITS);
  });
  afterEach(() => jest.useRealTimers());

  it('are refused to an organization of which too much waits, and not to another', async () => {
    const jobs = jobsOf('hostile', 6);
    await settled();
    expect(jobs.map(({ outcome }) => outcome)).toEqual([null, null, null, null, null, 'service.busy']);
    const [other] = jobsOf('other', 1);
    await settled();
    expect(other!.began).toBe(true);
  });

  it('are refused to what waited too long, which makes room for what waited behind it', async () => {
    const [running, alone] = [new Job(share, 'a', 60), new Job(share, 'b', 60)];
    await jest.advanceTimersByTimeAsync(9_999);
    const behind = new Job(share, 'c', 10);
    await settled();
    expect(began([running, alone, behind])).toEqual([true, false, false]);
    await jest.advanceTimersByTimeAsync(1);
    expect(alone.outcome).toBe('service.busy');
    expect(behind.began).toBe(true);
  });

  it('are no more than there are, and two of one organization', async () => {
    const jobs = [...jobsOf('a', 3), ...jobsOf('b', 3), ...jobsOf('c', 1)];
    await settled();
    expect(began(jobs)).toEqual([true, true, false, true, true, false, false]);
    await jest.advanceTimersByTimeAsync(1000);
    jobs[3]!.end();
    await settled();
    expect(began(jobs)).toEqual([true, true, false, true, true, false, true]);
  });

  it('take no more bytes at once than they may, and what is larger runs alone', async () => {
    const [light, heavy, later] = [new Job(share, 'a', 60), new Job(share, 'b', 500), new Job(share, 'c', 1)];
    await settled();
    expect(began([light, heavy, later])).toEqual([true, false, false]);
    light.end();
    await settled();
    expect(began([heavy, later])).toEqual([true, false]);
    heavy.end();
    await settled();
    expect(later.began).toBe(true);
  });

  it('are given to whose work held them for the shortest time, whoever waits longer', async () => {
    const first = jobsOf('costly', 2, 50);
    await jest.advanceTimersByTimeAsync(5000);
    const waiting = [...jobsOf('costly', 2, 50), new Job(share, 'quick', 50)];
    await settled();
    first[0]!.end();
    await settled();
    expect(began(waiting)).toEqual([false, false, true]);
    waiting[2]!.end();
    await settled();
    const next = new Job(share, 'quick', 50);
    first[1]!.end();
    await settled();
    expect([began(waiting), next.began]).toEqual([[true, false, true], true]);
  });

  it('are free again when work fails', async () => {
    await expect(share.run('a', 100, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const job = new Job(share, 'a', 100);
    await settled();
    expect(job.began).toBe(true);
  });
});
