/**
 * Bounds concurrent work, such as what holds a connection: at most `places` at once. Work that waits begins in the order in which
 * it came.
 */
export class ConcurrencyLimit {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly places: number) {}

  /** Runs `work` once there is a place for it, which is free again however it ends. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.places) await new Promise<void>((begin) => this.waiting.push(begin));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The place is handed on, so that no newcomer overtakes.
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
