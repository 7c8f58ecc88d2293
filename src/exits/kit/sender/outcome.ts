/**
 * Meaning of an answer. `accepted`: the receiver has it. `transient`: it may take the same bytes later, however often it is asked. `refused`:
 * another few tries are worth it. `rejected`: trying again changes nothing.
 */
export type Meaning = 'accepted' | 'transient' | 'refused' | 'rejected';

/** No answer in time, or no connection. `fault`: why, as a code without certificates, paths or names. `mayHaveArrived`: it was sent. */
export interface NoAnswer {
  readonly kind: 'silent';
  readonly fault: string;
  readonly mayHaveArrived: boolean;
}

export interface Answered<Answer> {
  readonly kind: 'answered';
  readonly meaning: Meaning;
  readonly answer: Answer;
  /** The receiver asked for this pause before the next try; absent: it named none. */
  readonly retryAfterMs?: number;
}

/** Outcome of one attempt. */
export type Outcome<Answer> = Answered<Answer> | NoAnswer;

/** Attempts of a delivery so far, including this one. */
interface History {
  /** Consecutive, without a decisive answer. */
  readonly failures: number;
  readonly refusals: number;
}

/** The next step. `retry` leaves the delivery where it stands; nothing is ever dropped. */
export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'parked' }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly failures: number; readonly refusals: number };

export interface RetryTimings {
  /** Pause after the first failure; doubled with each. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /**
   * Pauses after each failure in a row, each a tenth longer or shorter; the delivery is parked once they are used up. Absent: pauses are doubled,
   * for as long as it takes.
   */
  readonly failurePausesMs?: readonly number[];
  /** Pauses after each refusal; the delivery is parked once they are used up. */
  readonly refusalPausesMs: readonly number[];
}

/** Pure, but for `random`, which spreads the pauses: from 0 to 1. */
export function judge(
  outcome:
    | { readonly kind: 'silent' }
    | { readonly kind: 'answered'; readonly meaning: Meaning; readonly retryAfterMs?: number },
  history: History,
  timings: RetryTimings,
  random: () => number = Math.random,
): Verdict {
  const meaning = outcome.kind === 'silent' ? 'transient' : outcome.meaning;
  const askedMs = outcome.kind === 'answered' ? (outcome.retryAfterMs ?? 0) : 0;
  const { failures, refusals } = history;
  switch (meaning) {
    case 'accepted':
      return { kind: 'delivered' };
    case 'rejected':
      return { kind: 'parked' };
    case 'transient': {
      const afterMs = pauseAfter(timings, failures, random);
      return afterMs === null
        ? { kind: 'parked' }
        : { kind: 'retry', afterMs: Math.max(afterMs, askedMs), failures: failures + 1, refusals };
    }
    case 'refused': {
      const afterMs = timings.refusalPausesMs[refusals];
      return afterMs === undefined
        ? { kind: 'parked' }
        : { kind: 'retry', afterMs: Math.max(afterMs, askedMs), failures: 0, refusals: refusals + 1 };
    }
  }
}

/** In ms; null: all pauses are used up. */
function pauseAfter(timings: RetryTimings, failures: number, random: () => number): number | null {
  if (timings.failurePausesMs === undefined) return doubled(timings, failures);
  const pauseMs = timings.failurePausesMs[failures];
  return pauseMs === undefined ? null : pauseMs * (0.9 + 0.2 * random());
}

/** The first pause, doubled so many times, up to the longest. */
export function doubled(
  { firstPauseMs, longestPauseMs }: Pick<RetryTimings, 'firstPauseMs' | 'longestPauseMs'>,
  times: number,
): number {
  return Math.min(firstPauseMs * 2 ** Math.min(times, 30), longestPauseMs);
}
