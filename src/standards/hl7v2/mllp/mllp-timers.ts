export interface RunningTimer {
  /** Starts again from now. */
  restart(): void;
  stop(): void;
}

/** Timers, replaced in tests, which let time pass themselves. */
export interface Timers {
  start(delayMs: number, elapsed: () => void): RunningTimer;
}

/** Never runs. */
export const NO_TIMER: RunningTimer = { restart: () => undefined, stop: () => undefined };

export const SYSTEM_TIMERS: Timers = {
  start(delayMs, elapsed) {
    const timeout = setTimeout(elapsed, delayMs).unref();
    return { restart: () => void timeout.refresh(), stop: () => clearTimeout(timeout) };
  },
};
