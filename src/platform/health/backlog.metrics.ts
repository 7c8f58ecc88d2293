import { collectDefaultMetrics, Gauge, register } from 'prom-client';
import type { JobRepository } from '../../core/analysis/job.repository.js';

/** Node's own figures and the backlog of work, which is read from the database at a scrape, at most once in 5 s. */
export function registerBacklogMetrics(jobs: Pick<JobRepository, 'backlog'>, now: () => number = Date.now): void {
  if (register.getSingleMetric('sutura_jobs') !== undefined) return;
  collectDefaultMetrics();
  let last:
    { at: number; figures: Promise<{ queued: number; processing: number; oldestUnfinishedS: number }> } | undefined;
  const figures = () => {
    if (last === undefined || now() - last.at > 5000) last = { at: now(), figures: jobs.backlog() };
    return last.figures;
  };
  new Gauge({
    name: 'sutura_jobs',
    help: 'Unfinished analysis jobs by status',
    labelNames: ['status'],
    async collect() {
      const { queued, processing } = await figures();
      this.set({ status: 'queued' }, queued);
      this.set({ status: 'processing' }, processing);
    },
  });
  new Gauge({
    name: 'sutura_oldest_unfinished_job_seconds',
    help: 'Age of the oldest job that is neither completed nor in error; alarm on this',
    async collect() {
      this.set((await figures()).oldestUnfinishedS);
    },
  });
}
