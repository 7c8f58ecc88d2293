import { doubled, type RetryTimings } from './outcome.js';

/**
 * The pause of a whole endpoint, whichever deliveries wait for it. A receiver that cannot be reached is not tried with one delivery after
 * another; one that was reached and fell silent may have choked on that delivery, so that the next one is tried at once, and the pause begins
 * with the second silence in a row.
 */
export class EndpointPause {
  private silences = 0;
  private until = 0;

  constructor(
    private readonly timings: Pick<RetryTimings, 'firstPauseMs' | 'longestPauseMs'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Milliseconds until the next attempt; 0: now. */
  get restMs(): number {
    return Math.max(0, this.until - this.now());
  }

  /** The last attempt had no answer. */
  get isSilent(): boolean {
    return this.silences > 0;
  }

  /** There was no answer. `mayHaveArrived`: the delivery was sent. */
  silence(mayHaveArrived: boolean): void {
    const doublings = this.silences - (mayHaveArrived ? 1 : 0);
    this.silences += 1;
    if (doublings >= 0) this.until = this.now() + doubled(this.timings, doublings);
  }

  /** The receiver answered. Returns whether it had not answered before. */
  answer(): boolean {
    const wasSilent = this.silences > 0;
    this.silences = 0;
    this.until = 0;
    return wasSilent;
  }

  /** Ends the pause: an operator asked for an attempt now. */
  end(): void {
    this.until = 0;
  }
}
