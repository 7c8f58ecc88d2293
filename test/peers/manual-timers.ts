import type { RunningTimer, Timers } from '../../src/standards/hl7v2/mllp/mllp-timers.js';

/** Time that passes when a test says so. */
export class ManualTimers implements Timers {
  private nowMs = 0;
  private readonly running = new Map<RunningTimer, { dueMs: number; readonly elapsed: () => void }>();

  start(delayMs: number, elapsed: () => void): RunningTimer {
    const timer: RunningTimer = {
      restart: () => {
        const entry = this.running.get(timer);
        if (entry !== undefined) entry.dueMs = this.nowMs + delayMs;
        else this.running.set(timer, { dueMs: this.nowMs + delayMs, elapsed });
      },
      stop: () => void this.running.delete(timer),
    };
    timer.restart();
    return timer;
  }

  get count(): number {
    return this.running.size;
  }

  pass(ms: number): void {
    this.nowMs += ms;
    for (const [timer, { dueMs, elapsed }] of [...this.running]) {
      if (dueMs > this.nowMs || !this.running.has(timer)) continue;
      this.running.delete(timer);
      elapsed();
    }
  }
}
