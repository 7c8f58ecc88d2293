import { Counter, Histogram, register } from 'prom-client';

/** The ways in which a worker lets go of a job. */
export type JobOutcome = 'completed' | 'failed' | 'requeued' | 'discarded';

/** The reasons for which an inference process ends. */
export type ChildEnd = 'crashed' | 'killed' | 'timeout' | 'memory' | 'cancelled' | 'recycled' | 'unusable' | 'stopped';

/** Every instance counts into the same process-wide figures of prom-client's default register. */
export class InferenceMetrics {
  private readonly jobs = counter('sutura_worker_jobs_total', 'Jobs a worker let go of, by outcome', ['outcome']);
  private readonly ends = counter('sutura_inference_child_restarts_total', 'Inference processes replaced, by reason', [
    'reason',
  ]);
  private readonly stale = counter(
    'sutura_stale_finish_total',
    'Results thrown away because the lease had passed on',
    [],
  );
  private readonly stages = stageHistogram();

  jobEnded(outcome: JobOutcome): void {
    this.jobs.inc({ outcome });
  }

  childEnded(reason: ChildEnd): void {
    this.ends.inc({ reason });
  }

  staleFinish(): void {
    this.stale.inc();
  }

  /** Durations in milliseconds, named `<stage>Ms` as in the trace. */
  stagesTook(timingsMs: Readonly<Record<string, number>>): void {
    for (const [name, tookMs] of Object.entries(timingsMs))
      this.stages.observe({ stage: name.replace(/Ms$/, '') }, tookMs / 1000);
  }
}

function counter(name: string, help: string, labelNames: string[]): Counter {
  return (register.getSingleMetric(name) as Counter | undefined) ?? new Counter({ name, help, labelNames });
}

function stageHistogram(): Histogram {
  const name = 'sutura_job_stage_seconds';
  const known = register.getSingleMetric(name) as Histogram | undefined;
  const buckets = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60];
  return known ?? new Histogram({ name, help: 'Duration of the stages of a job', labelNames: ['stage'], buckets });
}
