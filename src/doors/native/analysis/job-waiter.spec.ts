import type { AnalysisJob, JobStatus } from '../../../core/analysis/analysis-job.js';
import type { AnalysisService } from '../../../core/analysis/analysis.service.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { NotificationListener } from '../../../platform/database/notification-listener.js';
import { JobWaiter } from './job-waiter.js';

const TENANT = { organizationId: 'o', environment: 'test' } as const;
const never = new AbortController().signal;

/** A job whose state the test turns, and a way to tell of its end. */
function scene() {
  let status: JobStatus = 'queued';
  let reads = 0;
  let onRead: () => void = () => undefined;
  let tell: (jobId: string) => void = () => undefined;
  const analysis = {
    get: (_: unknown, id: string) => {
      reads += 1;
      onRead();
      return id === 'unknown'
        ? Promise.reject(new SuturaError('job.not_found'))
        : Promise.resolve({ id, status } as AnalysisJob);
    },
  } as unknown as AnalysisService;
  const listener = {
    on: (_: string, handler: (payload: string) => void) => ((tell = handler), () => (tell = () => undefined)),
  } as unknown as NotificationListener;
  const waiter = new JobWaiter(analysis, listener);
  waiter.onModuleInit();
  return {
    waiter,
    turn: (next: JobStatus) => (status = next),
    notify: (jobId: string) => tell(jobId),
    reads: () => reads,
    afterRead: () => new Promise<void>((resolve) => (onRead = () => setImmediate(resolve))),
  };
}

describe('waiting for a job', () => {
  it('refuses an unknown job at once', async () => {
    await expect(scene().waiter.read(TENANT, 'unknown', 10_000, never)).rejects.toMatchObject({
      code: 'job.not_found',
    });
  });

  it('does not wait for a job that has ended', async () => {
    const { waiter, turn, reads } = scene();
    turn('completed');
    expect(await waiter.read(TENANT, 'a', 30_000, never)).toMatchObject({ status: 'completed' });
    expect(reads()).toBe(1);
  });

  it('answers as soon as the end is told, and only for that job', async () => {
    const { waiter, turn, notify, reads, afterRead } = scene();
    const read = afterRead();
    const answer = waiter.read(TENANT, 'a', 30_000, never);
    await read;
    turn('error');
    notify('b');
    expect(reads()).toBe(1);
    notify('a');
    expect(await answer).toMatchObject({ status: 'error' });
    expect(reads()).toBe(2);
  });

  it('does not miss an end between reading and waiting', async () => {
    const { waiter, turn, notify } = scene();
    const answer = waiter.read(TENANT, 'a', 30_000, never);
    turn('completed');
    notify('a');
    expect(await answer).toMatchObject({ status: 'completed' });
  });

  it('reads again by itself when nothing is told', async () => {
    const { waiter, turn, reads } = scene();
    const answer = waiter.read(TENANT, 'a', 30_000, never);
    turn('completed');
    expect(await answer).toMatchObject({ status: 'completed' });
    expect(reads()).toBe(2);
  });

  it('answers with the running job when the time is up', async () => {
    const { waiter } = scene();
    expect(await waiter.read(TENANT, 'a', 20, never)).toMatchObject({ status: 'queued' });
    expect(await waiter.read(TENANT, 'a', 0, never)).toMatchObject({ status: 'queued' });
  });

  it('is released when the client goes away', async () => {
    const { waiter, afterRead } = scene();
    const gone = new AbortController();
    const read = afterRead();
    const answer = waiter.read(TENANT, 'a', 30_000, gone.signal);
    await read;
    gone.abort();
    expect(await answer).toMatchObject({ status: 'queued' });
  });

  it('is released when the service stops', async () => {
    const { waiter, afterRead } = scene();
    const read = afterRead();
    const answer = waiter.read(TENANT, 'a', 30_000, never);
    await read;
    waiter.onModuleDestroy();
    expect(await answer).toMatchObject({ status: 'queued' });
    expect(await waiter.read(TENANT, 'a', 30_000, never)).toMatchObject({ status: 'queued' });
  });
});
