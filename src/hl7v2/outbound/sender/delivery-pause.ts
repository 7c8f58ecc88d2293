/** How a line that nobody answers on is left alone, whichever messages wait for it. */
export interface PauseTimings {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/**
 * The pause of a whole destination. A receiver that cannot be reached is not tried with one message after another; one that was reached and fell
 * silent may have choked on that message, so that the next one is tried at once, and the pause begins with the second silence in a row.
 */
export class DeliveryPause {
  private silences = 0;
  private until = 0;

  constructor(
    private readonly timings: PauseTimings,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Milliseconds until the next attempt may be made; 0: now. */
  get restMs(): number {
    return Math.max(0, this.until - this.now());
  }

  /** There was no acknowledgment. `mayHaveArrived`: the message was sent. */
  silence(mayHaveArrived: boolean): void {
    const doublings = this.silences - (mayHaveArrived ? 1 : 0);
    this.silences += 1;
    if (doublings < 0) return;
    const { firstPauseMs, longestPauseMs } = this.timings;
    this.until = this.now() + Math.min(firstPauseMs * 2 ** Math.min(doublings, 30), longestPauseMs);
  }

  /** Somebody answered. True: there was silence before. */
  answer(): boolean {
    const wasSilent = this.silences > 0;
    this.silences = 0;
    this.until = 0;
    return wasSilent;
  }

  /** A person wants the next attempt now. */
  end(): void {
    this.until = 0;
  }
}
