import type { Readiness } from './readiness.js';
import { labelledGaugeOf } from './shared-metrics.js';

/** What /health/ready says, as a figure for each part. */
export function registerReadinessMetrics(readiness: Pick<Readiness, 'report'>): void {
  labelledGaugeOf(
    'sutura_ready',
    'Whether a part that this process needs can be used, as /health/ready says; alarm on 0',
    ['check'],
    async () =>
      Object.entries((await readiness.report()).checks).map(([check, state]) => ({
        labels: { check },
        value: state === 'ok' ? 1 : 0,
      })),
  );
}
