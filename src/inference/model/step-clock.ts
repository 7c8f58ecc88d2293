import { performance } from 'node:perf_hooks';

/** Durations of consecutive steps, in milliseconds to a tenth. */
export class StepClock {
  readonly timingsMs: Record<string, number> = {};
  private last = performance.now();

  /** Ends a step; one that comes twice is added up. */
  step(name: string): void {
    const now = performance.now();
    this.timingsMs[name] = Math.round(((this.timingsMs[name] ?? 0) + now - this.last) * 10) / 10;
    this.last = now;
  }
}
