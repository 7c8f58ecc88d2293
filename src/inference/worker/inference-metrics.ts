import { Counter, Histogram, register } from 'prom-client';
import { ENGINE_FAILURES, type EngineFailureReason } from '../model/engine-failure.js';

/** The ways in which a worker lets go of a job; abandoned: the sweep closed it, as its last allowed attempt was lost; sandbox: it failed as a test key asked. */
const JOB_OUTCOMES = ['completed', 'failed', 'requeued', 'discarded', 'abandoned', 'sandbox'] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

/** The reasons for which an inference process ends. */
const CHILD_ENDS = ['crashed', 'killed', 'timeout', 'memory', 'cancelled', 'recycled', 'unusable', 'stopped'] as const;
export type ChildEnd = (typeof CHILD_ENDS)[number];

/** Every instance counts into the same process-wide figures of prom-client's default register. */
export class InferenceMetrics {
  private readonly jobs = counter(
    'sutura_worker_jobs_total',
    'Jobs a worker let go of, by outcome; sandbox: failed as was asked',
    ['outcome'],
  );
  private readonly ends = counter('sutura_inference_child_restarts_total', 'Inference processes replaced, by reason', [
    'reason',
  ]);
  private readonly stale = counter(
    'sutura_stale_finish_total',
    'Results thrown away because the lease had passed on',
    [],
  );
  private readonly engineFailures = counter(
    'sutura_inference_engine_failures_total',
    'Requests that an inference server did not answer as it should, by reason',
    ['reason'],
  );
  private readonly stages = stageHistogram();

  /** From 0 on, so that Prometheus sees the first failure as an increase. */
  constructor() {
    for (const outcome of JOB_OUTCOMES) this.jobs.inc({ outcome }, 0);
    for (const reason of CHILD_ENDS) this.ends.inc({ reason }, 0);
    for (const reason of ENGINE_FAILURES) this.engineFailures.inc({ reason }, 0);
  }

  jobEnded(outcome: JobOutcome): void {
    this.jobs.inc({ outcome });
  }

  childEnded(reason: ChildEnd): void {
    this.ends.inc({ reason });
  }

  engineFailed(reason: EngineFailureReason): void {
    this.engineFailures.inc({ reason });
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
