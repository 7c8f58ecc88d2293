/**
 * Meaning of an answer. `accepted`: the receiver has it. `transient`: it may take the same bytes later, however often it is asked. `refused`:
 * another few tries are worth it. `rejected`: trying again changes nothing.
 */
export type Meaning = 'accepted' | 'transient' | 'refused' | 'rejected';

/** No answer in time, or no connection. `fault` says why, as a code: nothing of a certificate, a path or a name. `mayHaveArrived`: it was sent. */
export interface Silence {
  readonly kind: 'silent';
  readonly fault: string;
  readonly mayHaveArrived: boolean;
}

export interface Answered<Answer> {
  readonly kind: 'answered';
  readonly meaning: Meaning;
  readonly answer: Answer;
}

/** Outcome of one attempt. */
export type Outcome<Answer> = Answered<Answer> | Silence;

/** Attempts of a delivery so far, this one included. */
interface History {
  /** In a row without an answer that settles anything. */
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
  /** Pauses after each refusal; the delivery is parked once they are used up. */
  readonly refusalPausesMs: readonly number[];
}

/** Pure. */
export function judge(
  outcome: { readonly kind: 'silent' } | { readonly kind: 'answered'; readonly meaning: Meaning },
  history: History,
  timings: RetryTimings,
): Verdict {
  const meaning = outcome.kind === 'silent' ? 'transient' : outcome.meaning;
  const { failures, refusals } = history;
  switch (meaning) {
    case 'accepted':
      return { kind: 'delivered' };
    case 'rejected':
      return { kind: 'parked' };
    case 'transient':
      return { kind: 'retry', afterMs: doubled(timings, failures), failures: failures + 1, refusals };
    case 'refused': {
      const afterMs = timings.refusalPausesMs[refusals];
      return afterMs === undefined
        ? { kind: 'parked' }
        : { kind: 'retry', afterMs, failures: 0, refusals: refusals + 1 };
    }
  }
}

/** The first pause, doubled so many times, up to the longest. */
export function doubled(
  { firstPauseMs, longestPauseMs }: Pick<RetryTimings, 'firstPauseMs' | 'longestPauseMs'>,
  times: number,
): number {
  return Math.min(firstPauseMs * 2 ** Math.min(times, 30), longestPauseMs);
}
