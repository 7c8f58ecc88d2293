import { DELIVERY_TIMINGS, type DeliveryTimings } from './delivery-policy.js';

/** All that senders wait for. Abstract so that it can stand as an injection token; tests give shorter ones. */
export abstract class SenderTimings implements DeliveryTimings {
  abstract readonly firstPauseMs: number;
  abstract readonly longestPauseMs: number;
  abstract readonly refusalPausesMs: readonly number[];
  /** Longest time until new destinations, and messages whose notification was lost, are seen. */
  abstract readonly pollMs: number;
  /** A sender that is gone is replaced after this. Prolonged three times within it. */
  abstract readonly leaseMs: number;
  /** Silence after which the operator is called, and called again. */
  abstract readonly alertAfterMs: number;
  /** A sender that stops waits this long for an acknowledgment. */
  abstract readonly stopGraceMs: number;
}

export const SENDER_TIMINGS: SenderTimings = {
  ...DELIVERY_TIMINGS,
  pollMs: 3000,
  leaseMs: 15_000,
  alertAfterMs: 15 * 60_000,
  stopGraceMs: 2000,
};
