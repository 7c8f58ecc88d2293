/** Lets a few decodings run at once and the rest wait, so that a burst of uploads cannot fill the memory. */
export class DecodeGate {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The place is handed on, so that nobody slips in between.
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
