import type { KeptAnswer } from '../outbox/outbound-message.js';

/** What came of one attempt. */
export type Attempt =
  | {
      readonly kind: 'answered';
      readonly code: 'AA' | 'AE' | 'AR' | 'CA' | 'CE' | 'CR';
      readonly conditions: readonly string[];
      readonly answer: KeptAnswer | null;
    }
  /** No acknowledgment in time, or no connection; `fault` says why, as a code. `mayHaveArrived`: it was sent. */
  | { readonly kind: 'silent'; readonly fault: string; readonly mayHaveArrived: boolean };

/** Attempts of a message so far, this one included. */
export interface History {
  /** In a row without an answer that settles anything. */
  readonly failures: number;
  /** With AE or CE. */
  readonly refusals: number;
}

/** What is done next. `retry` leaves the message where it stands; nothing is ever dropped. */
export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'parked' }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly failures: number; readonly refusals: number };

export interface DeliveryTimings {
  /** Pause after the first silence; doubled with each. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Pauses after AE and CE; the message is parked once they are used up. */
  readonly refusalPausesMs: readonly number[];
}

const MINUTE_MS = 60_000;

export const DELIVERY_TIMINGS: DeliveryTimings = {
  firstPauseMs: 1000,
  longestPauseMs: 5 * MINUTE_MS,
  refusalPausesMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS],
};

/** Application record locked, application internal error: the receiver may take the same message later. */
const TRANSIENT_CONDITIONS: readonly string[] = ['206', '207'];

/** The acknowledgment policy of 4.6. Pure. */
export function judgeAttempt(attempt: Attempt, history: History, timings: DeliveryTimings): Verdict {
  if (attempt.kind === 'silent') return retryLater(history, timings);
  switch (attempt.code) {
    case 'AA':
    case 'CA':
      return { kind: 'delivered' };
    case 'AE':
    case 'CE': {
      const afterMs = timings.refusalPausesMs[history.refusals];
      return afterMs === undefined
        ? { kind: 'parked' }
        : { kind: 'retry', afterMs, failures: 0, refusals: history.refusals + 1 };
    }
    default:
      return attempt.conditions.some((condition) => TRANSIENT_CONDITIONS.includes(condition))
        ? retryLater(history, timings)
        : { kind: 'parked' };
  }
}

function retryLater({ failures, refusals }: History, { firstPauseMs, longestPauseMs }: DeliveryTimings): Verdict {
  return {
    kind: 'retry',
    afterMs: Math.min(firstPauseMs * 2 ** Math.min(failures, 30), longestPauseMs),
    failures: failures + 1,
    refusals,
  };
}
