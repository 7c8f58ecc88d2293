import type { ErasureBacklog, PatientErasureRepository } from '../../core/erasure/patient-erasure.repository.js';
import { MetricReading } from '../../platform/health/metric-reading.js';
import { labelledGaugeOf } from '../../platform/health/shared-metrics.js';

/** In the place of a code, for erasures that nothing is known to hinder. It is always shown. */
const NOTHING = 'nothing';

/** Erasures of patients that are not done, by what they wait for. */
export function registerErasureMetrics(erasures: Pick<PatientErasureRepository, 'backlog'>): void {
  const backlog = new MetricReading(() => erasures.backlog());
  const ofEachWait = (figure: (waiting: ErasureBacklog) => number) => async () => {
    const waiting = await backlog.latest();
    if (waiting === null) return [];
    const none = waiting.some(({ waitsFor }) => waitsFor === null) ? [] : [{ waitsFor: null, erasures: 0, oldestS: 0 }];
    return [...none, ...waiting].map((one) => ({
      labels: { waits_for: one.waitsFor ?? NOTHING },
      value: figure(one),
    }));
  };
  labelledGaugeOf(
    'sutura_erasures_unfinished',
    'Erasures of patients that were asked for and are not done, by the code of what they wait for',
    ['waits_for'],
    ofEachWait(({ erasures: count }) => count),
  );
  labelledGaugeOf(
    'sutura_erasure_oldest_seconds',
    'Age of the oldest erasure of a patient that is not done, by the code of what it waits for; alarm on this',
    ['waits_for'],
    ofEachWait(({ oldestS }) => oldestS),
  );
}
