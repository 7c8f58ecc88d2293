import { ConcurrencyLimit } from '../turns/concurrency-limit.js';

const FRESH_MS = 5000;
const LONGEST_MS = 2000;
/** A scrape asks for all readings together; they leave connections of the pool to others. */
const READINGS_AT_ONCE = 2;

const shared = new ConcurrencyLimit(READINGS_AT_ONCE);

/**
 * Figures that gauges show of the database, read at a scrape, at most once in 5 s, and two readings of a process at
 * once. null if they cannot be read within 2 s: a scrape then answers without them, and still says what this process
 * knows by itself.
 */
export class MetricReading<T> {
  private last: { readonly at: number; readonly reading: Promise<T | null> } | undefined;
  private isRunning = false;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly now: () => number = () => performance.now(),
    private readonly places: ConcurrencyLimit = shared,
    private readonly freshMs: number = FRESH_MS,
  ) {}

  latest(): Promise<T | null> {
    const at = this.now();
    // One at a time, so that queries do not pile up at a slow database.
    if (this.last === undefined || (!this.isRunning && at - this.last.at > this.freshMs))
      this.last = { at, reading: this.begin() };
    return inTime(this.last.reading);
  }

  private async begin(): Promise<T | null> {
    this.isRunning = true;
    let reading: Promise<T | null> = Promise.resolve(null);
    // A reading without an answer keeps its place for no longer than a scrape waits for it.
    await this.places.run(() => {
      reading = this.ask();
      return inTime(reading);
    });
    try {
      return await reading;
    } finally {
      this.isRunning = false;
    }
  }

  private async ask(): Promise<T | null> {
    try {
      return await this.read();
    } catch {
      return null;
    }
  }
}

async function inTime<T>(reading: Promise<T | null>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LONGEST_MS);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}
