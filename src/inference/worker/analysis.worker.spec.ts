import type { ClaimedJob } from '../../core/analysis/analysis-job.js';
import { Logger } from '../../platform/logging/logger.js';
import { AnalysisWorker } from './analysis.worker.js';
import { LeaseKeeper, type HeldLease } from './lease-keeper.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Waiting ids in the database, and jobs that stay open until told to end. */
function setUp({ slots = 1, graceMs = 1000 } = {}) {
  const waiting: string[] = [];
  const open = new Map<string, { held: HeldLease; end: () => void }>();
  const state = { slots, away: false, asked: 0, poolStopped: false, ready: (): void => undefined };
  const jobs = {
    claim: (_leaseS: number, jobId?: string) => {
      state.asked += 1;
      if (state.away) return Promise.reject(new Error('database away'));
      const place = jobId === undefined ? 0 : waiting.indexOf(jobId);
      const [id] = place < 0 ? [] : waiting.splice(place, 1);
      return Promise.resolve(
        id === undefined
          ? null
          : ({ lease: { jobId: id, token: id }, job: { id }, othersWait: waiting.length > 0 } as ClaimedJob),
      );
    },
    renew: () => Promise.resolve(true),
  };
  const processor = {
    process: ({ job }: ClaimedJob, held: HeldLease) =>
      new Promise<'completed'>((resolve) => {
        const end = () => (open.delete(job.id), resolve('completed'));
        open.set(job.id, { held, end });
        held.signal.addEventListener('abort', end);
      }),
  };
  const pool = {
    start: () => undefined,
    stop: () => Promise.resolve(void (state.poolStopped = true)),
    get slots() {
      return state.slots;
    },
    onReady: (listener: () => void) => (state.ready = listener) as unknown as void,
  };
  const worker = new AnalysisWorker(
    jobs,
    processor,
    new LeaseKeeper(jobs, 60),
    pool,
    { leaseS: 60, graceMs },
    Logger.create('silent'),
  );
  worker.start();
  return { worker, waiting, open, state };
}

describe('AnalysisWorker', () => {
  it('takes nothing while no inference process is ready, and begins when one is [F25]', async () => {
    const { worker, waiting, open, state } = setUp({ slots: 0 });
    waiting.push('a');
    worker.wake();
    await settle();
    expect([state.asked, open.size]).toEqual([0, 0]);
    state.slots = 1;
    state.ready();
    await settle();
    expect([...open.keys()]).toEqual(['a']);
    await worker.stop();
  });

  it('takes no more than it has room for, and the next as room frees', async () => {
    const { worker, waiting, open } = setUp({ slots: 2 });
    waiting.push('a', 'b', 'c', 'd', 'e', 'f');
    worker.wake();
    await settle();
    expect([...open.keys()]).toEqual(['a', 'b', 'c', 'd']);
    open.get('b')!.end();
    await settle();
    expect([...open.keys()]).toEqual(['a', 'c', 'd', 'e']);
    for (const { end } of [...open.values()]) end();
    await settle();
    await worker.stop();
  });

  it('asks the database once for one job, and not again when it ends', async () => {
    const { worker, waiting, open, state } = setUp({ slots: 2 });
    await settle();
    const before = state.asked;
    waiting.push('a');
    expect(worker.wake()).toBe(true);
    await settle();
    open.get('a')!.end();
    await settle();
    expect(state.asked - before).toBe(1);
    await worker.stop();
  });

  it('says that it has no room, and looks once it has', async () => {
    const { worker, waiting, open } = setUp({ slots: 1 });
    waiting.push('a', 'b');
    worker.wake();
    await settle();
    waiting.push('c');
    expect(worker.wake()).toBe(false);
    open.get('a')!.end();
    await settle();
    expect([...open.keys()]).toEqual(['b', 'c']);
    await worker.stop();
  });

  it('accepts an offer when there is room, and says so when the job is gone', async () => {
    const { worker, waiting, open } = setUp({ slots: 1 });
    waiting.push('a', 'b', 'c');
    worker.wake();
    await settle();
    let taken = false;
    const offer = worker.offer('c').then(() => (taken = true));
    await settle();
    expect(taken).toBe(false);
    open.get('a')!.end();
    await offer;
    expect([...open.keys()]).toEqual(['b', 'c']);
    open.get('b')!.end();
    await worker.offer('c');
    await worker.stop();
  });

  it('goes on after the database was away', async () => {
    const { worker, waiting, open, state } = setUp();
    waiting.push('a');
    state.away = true;
    worker.wake();
    await settle();
    state.away = false;
    worker.wake();
    await settle();
    expect([...open.keys()]).toEqual(['a']);
    await worker.stop();
  });

  it('lets running jobs finish when it stops, takes no other, and ends the processes last', async () => {
    const { worker, waiting, open, state } = setUp({ graceMs: 60_000 });
    waiting.push('a');
    worker.wake();
    await settle();
    const stopped = worker.stop();
    waiting.push('b');
    worker.wake();
    await settle();
    expect([state.poolStopped, open.get('a')!.held.signal.aborted]).toEqual([false, false]);
    open.get('a')!.end();
    await stopped;
    expect([state.poolStopped, waiting]).toEqual([true, ['b']]);
    await expect(worker.offer('b')).resolves.toBeUndefined();
  });

  it('gives up what takes longer than the grace', async () => {
    const { worker, waiting, open, state } = setUp({ graceMs: 20 });
    waiting.push('a');
    worker.wake();
    await settle();
    const { held } = open.get('a')!;
    await worker.stop();
    expect([held.signal.aborted, held.lost, state.poolStopped]).toEqual([true, false, true]);
  });
});
