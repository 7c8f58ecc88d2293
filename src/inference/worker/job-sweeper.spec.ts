/** @jest-environment node */
import type { JobError } from '../../core/analysis/analysis-job.js';
import type { JobSweep } from '../../core/analysis/job.repository.js';
import { Logger } from '../../platform/logging/logger.js';
import { JobSweeper } from './job-sweeper.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function setUp(sweeps: (JobSweep | Error)[]) {
  const woken: string[] = [];
  const lines: string[] = [];
  const outcomes: string[] = [];
  const asked: [number, number, JobError][] = [];
  const jobs = {
    sweep: (...question: [number, number, JobError]) => {
      asked.push(question);
      const next = sweeps.shift() ?? { waitingJobIds: [], abandonedJobIds: [] };
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
  };
  const queue = { enqueue: ({ jobId }: { jobId: string }) => (woken.push(jobId), Promise.resolve()) };
  const sweeper = new JobSweeper(
    jobs,
    queue,
    100,
    { jobEnded: (outcome) => void outcomes.push(outcome) },
    Logger.create('info', { write: (line: string) => void lines.push(line) }),
  );
  return { sweeper, woken, lines, outcomes, asked };
}

describe('JobSweeper', () => {
  it('goes on after sweeps that failed, and logs the fault once', async () => {
    const { sweeper, asked, lines } = setUp([new Error('away'), new Error('away')]);
    sweeper.start(() => undefined);
    await jest.advanceTimersByTimeAsync(350);
    expect(asked).toHaveLength(3);
    expect(lines.filter((line) => line.includes('sweep.failed'))).toHaveLength(1);
    await sweeper.stop();
  });

  it('wakes workers for what waits and reports what was given up', async () => {
    const { sweeper, woken, lines, outcomes, asked } = setUp([{ waitingJobIds: ['a', 'b'], abandonedJobIds: ['c'] }]);
    const found = jest.fn();
    sweeper.start(found);
    await jest.advanceTimersByTimeAsync(250);
    expect(woken).toEqual(['a', 'b']);
    expect(found).toHaveBeenCalledTimes(1);
    expect(lines.some((line) => line.includes('job.abandoned') && line.includes('"c"'))).toBe(true);
    expect(outcomes).toEqual(['abandoned']);
    expect(asked[0]).toMatchObject([10, 3, { code: 'processing.failed', retryable: false }]);
    await sweeper.stop();
  });

  it('sweeps no more once it is stopped', async () => {
    const { sweeper, asked } = setUp([]);
    sweeper.start(() => undefined);
    await sweeper.stop();
    await jest.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(0);
  });
});
