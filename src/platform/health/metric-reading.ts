const FRESH_MS = 5000;
const LONGEST_MS = 2000;

/**
 * Figures that gauges show of the database, read at a scrape, at most once in 5 s. null if they cannot be read within
 * 2 s: a scrape then answers without them, and still says what this process knows by itself.
 */
export class MetricReading<T> {
  private last: { readonly at: number; readonly reading: Promise<T | null> } | undefined;
  private isRunning = false;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  latest(): Promise<T | null> {
    const at = this.now();
    // One at a time: a database that is slow is not asked ever more.
    if (this.last === undefined || (!this.isRunning && at - this.last.at > FRESH_MS))
      this.last = { at, reading: this.begin() };
    return inTime(this.last.reading);
  }

  private async begin(): Promise<T | null> {
    this.isRunning = true;
    try {
      return await this.read();
    } catch {
      return null;
    } finally {
      this.isRunning = false;
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
