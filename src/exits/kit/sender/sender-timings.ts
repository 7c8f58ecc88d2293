import type { RetryTimings } from './outcome.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Standard Webhooks, "Deliverability and reliability": ten attempts over three days. */
export const HTTP_RETRY_PAUSES_MS: readonly number[] = [
  5000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** Timings of senders. Abstract, to serve as an injection token; tests provide shorter ones. */
export abstract class SenderTimings implements RetryTimings {
  abstract readonly firstPauseMs: number;
  abstract readonly longestPauseMs: number;
  readonly failurePausesMs?: readonly number[];
  abstract readonly refusalPausesMs: readonly number[];
  /** Longest time until new endpoints, and deliveries whose notification was lost, are seen. */
  abstract readonly pollMs: number;
  /** Length of a lease, after which another process sends. Renewed at a third of it. */
  abstract readonly leaseMs: number;
  /** Time without an answer after which operators are alerted, and alerted again. */
  abstract readonly alertAfterMs: number;
  /** Longest time until a delivery that was accepted is recorded. */
  abstract readonly unwrittenMs: number;
  /** Time that an attempt in flight has to be answered when its sender stops. */
  abstract readonly stopGraceMs: number;
}

export const SENDER_TIMINGS: SenderTimings = {
  firstPauseMs: 1000,
  longestPauseMs: 5 * MINUTE_MS,
  refusalPausesMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS],
  pollMs: 3000,
  leaseMs: 15_000,
  alertAfterMs: 15 * MINUTE_MS,
  unwrittenMs: 250,
  stopGraceMs: 2000,
};
