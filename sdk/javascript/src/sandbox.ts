import type { CallOptions } from './options.js';

/** The clock of an organization's test environment. */
export interface SandboxClock {
  /** As the answer was written; it goes on at the pace of real time. */
  now: string;
  /** How far ahead of real time; 0: it was never moved. */
  aheadSeconds: number;
  /** The latest moment to which it can be set at present. */
  latest: string;
}

/** How the clock is moved, forward only: either `advance` or `now`. */
export interface MoveClockOptions extends CallOptions {
  /** ISO 8601 duration of whole weeks, days, hours, minutes and seconds: `P28D`, `P8W`, `PT36H`. */
  advance?: string;
  /** RFC 3339 with an offset. */
  now?: string | Date;
  /** Default: a new one for each call, so that an attempt that is repeated moves the clock once. */
  idempotencyKey?: string;
}
