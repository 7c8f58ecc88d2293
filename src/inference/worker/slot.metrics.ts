import { labelledGaugeOf } from '../../platform/health/shared-metrics.js';
import type { InferencePool } from './inference-pool.js';

/** How many photos this process could compute at once, and how many it computes. */
export function registerSlotMetrics(pool: Pick<InferencePool, 'slots' | 'busy'>): void {
  labelledGaugeOf(
    'sutura_inference_slots',
    'Photos that the inference processes can compute at once; alarm where none is free or busy',
    ['state'],
    () => [
      { labels: { state: 'busy' }, value: pool.busy },
      { labels: { state: 'free' }, value: Math.max(0, pool.slots - pool.busy) },
    ],
  );
}
