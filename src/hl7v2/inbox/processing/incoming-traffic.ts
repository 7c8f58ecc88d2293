import { Injectable } from '@nestjs/common';

/** Senders that have just been answered send their next message within this; until it is over a burst is not. */
const QUIET_MS = 10;

/** Messages that are being received: what was accepted before lets them go first, so that a burst is acknowledged quickly and mapped behind it. */
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

  /** Resolves once nothing is being received, nor was a moment ago, and at the latest after this long: whatever comes in, what was accepted goes on. */
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
