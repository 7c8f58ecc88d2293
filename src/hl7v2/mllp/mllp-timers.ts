export interface RunningTimer {
  /** Counts from now again. */
  restart(): void;
  stop(): void;
}

/** What waits: tests let time pass themselves. */
export interface Timers {
  start(delayMs: number, elapsed: () => void): RunningTimer;
}

export const SYSTEM_TIMERS: Timers = {
  start(delayMs, elapsed) {
    const timeout = setTimeout(elapsed, delayMs).unref();
    return { restart: () => void timeout.refresh(), stop: () => clearTimeout(timeout) };
  },
};
