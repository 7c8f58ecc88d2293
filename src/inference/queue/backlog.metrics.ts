import { register } from 'prom-client';
import type { JobRepository } from '../../core/analysis/job.repository.js';
import { MetricReading } from '../../platform/health/metric-reading.js';
import { gaugeOf, labelledGaugeOf } from '../../platform/health/shared-metrics.js';

/** The backlog of work. */
export function registerBacklogMetrics(jobs: Pick<JobRepository, 'backlog'>): void {
  if (register.getSingleMetric('sutura_jobs') !== undefined) return;
  const backlog = new MetricReading(() => jobs.backlog());
  labelledGaugeOf('sutura_jobs', 'Unfinished analysis jobs by status', ['status'], async () => {
    const figures = await backlog.latest();
    if (figures === null) return [];
    return (['queued', 'processing'] as const).map((status) => ({ labels: { status }, value: figures[status] }));
  });
  gaugeOf(
    'sutura_oldest_unfinished_job_seconds',
    'Age of the oldest job that is neither completed nor in error; alarm on this',
    async () => (await backlog.latest())?.oldestUnfinishedS ?? null,
  );
}
