import { Injectable } from '@nestjs/common';

/** Messages that are being received: what was accepted before lets them go first, so that a burst is acknowledged quickly and mapped behind it. */
@Injectable()
export class Receptions {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      if (this.running === 0) for (const proceed of [...this.waiting]) proceed();
    }
  }

  /** Resolves once nothing is being received, and at the latest after this long: whatever comes in, what was accepted goes on. */
  async lull(longestMs: number): Promise<void> {
    if (this.running === 0) return;
    await new Promise<void>((resolve) => {
      const proceed = (): void => {
        clearTimeout(timer);
        this.waiting.delete(proceed);
        resolve();
      };
      const timer = setTimeout(proceed, longestMs);
      this.waiting.add(proceed);
    });
  }
}
