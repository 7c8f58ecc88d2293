import { Injectable } from '@nestjs/common';

/** A sender that was just answered sends its next message within this time; a burst is over once it has passed. */
const QUIET_MS = 10;

/** Lets messages that are being received go before those accepted earlier, so that a burst is acknowledged quickly and processed behind it. */
@Injectable()
export class IncomingTraffic {
  private running = 0;
  private lastEnd = Number.NEGATIVE_INFINITY;

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.lastEnd = performance.now();
    }
  }

  /** Resolves once nothing is being received, nor was a moment ago, and after `longestMs` at the latest, so that accepted messages always go on. */
  async lull(longestMs: number): Promise<void> {
    const deadline = performance.now() + longestMs;
    for (let now = performance.now(); now < deadline; now = performance.now()) {
      const quietMs = this.running > 0 ? 0 : now - this.lastEnd;
      if (quietMs >= QUIET_MS) return;
      const waitMs = Math.min(QUIET_MS - quietMs, deadline - now);
      await new Promise((proceed) => setTimeout(proceed, waitMs));
    }
  }
}
