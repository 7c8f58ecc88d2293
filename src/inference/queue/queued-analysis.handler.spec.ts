import type { AnalysisJob } from '../../core/analysis/analysis-job.js';
import { QueuedAnalysisHandler } from './queued-analysis.handler.js';

const EVENT = {
  id: 'event',
  kind: 'analysis.queued',
  tenant: { organizationId: 'organization', environment: 'test' },
  subjectId: 'job',
} as const;

function setUp(job: Partial<AnalysisJob> | null, ordersByPriority = true) {
  const woken: unknown[] = [];
  const handler = new QueuedAnalysisHandler(
    { read: () => Promise.resolve(job as AnalysisJob | null) },
    { ordersByPriority, enqueue: (wakeUp) => (woken.push(wakeUp), Promise.resolve()) },
  );
  return { handler, woken };
}

describe('QueuedAnalysisHandler', () => {
  it.each([null, { id: 'job', status: 'completed' }, { id: 'job', status: 'error' }] as const)(
    'wakes nobody for a job that is gone or ended',
    async (job) => {
      const { handler, woken } = setUp(job);
      await handler.handle(EVENT);
      expect(woken).toEqual([]);
    },
  );

  it('does not look the job up for a queue without priorities: whoever takes it does', async () => {
    const { handler, woken } = setUp(null, false);
    await handler.handle(EVENT);
    expect(woken).toEqual([{ jobId: 'job', priority: 'routine', attempt: 0 }]);
  });

  it('wakes a worker with id, priority and attempt, and nothing else', async () => {
    const { handler, woken } = setUp({
      id: 'job',
      status: 'queued',
      priority: 'stat',
      attempts: 1,
      clinicalContext: 'text',
    });
    await handler.handle(EVENT);
    expect(woken).toEqual([{ jobId: 'job', priority: 'stat', attempt: 1 }]);
  });
});
