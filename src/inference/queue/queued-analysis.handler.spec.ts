import type { AnalysisJob } from '../../core/analysis/analysis-job.js';
import { QueuedAnalysisHandler } from './queued-analysis.handler.js';

const EVENT = {
  id: 'event',
  kind: 'analysis.queued',
  tenant: { organizationId: 'organization', environment: 'test' },
  subjectId: 'job',
} as const;

function setUp(job: Partial<AnalysisJob> | null) {
  const woken: unknown[] = [];
  const handler = new QueuedAnalysisHandler(
    { read: () => Promise.resolve(job as AnalysisJob | null) },
    { enqueue: (wakeUp) => (woken.push(wakeUp), Promise.resolve()) },
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
