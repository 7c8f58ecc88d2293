/** Lets a few pieces of work run at once and the rest wait, so that a burst does not take every connection from callers. */
export class Lanes {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The lane passes on as it is, or becomes free.
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
