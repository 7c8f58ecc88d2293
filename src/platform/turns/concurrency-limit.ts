interface Waiting {
  readonly weight: number;
  readonly begin: () => void;
}

/**
 * Bounds concurrent work, such as what holds a connection or much memory: at most `places` at once, together no heavier
 * than `largestWeight`. Work heavier than that runs alone. Work that waits begins in the order in which it came.
 */
export class ConcurrencyLimit {
  private readonly waiting: Waiting[] = [];
  private running = 0;
  private weightRunning = 0;

  constructor(
    private readonly places: number,
    private readonly largestWeight = Infinity,
  ) {}

  /** Runs `work` once there is room for it; its place is free again however it ends. */
  async run<T>(work: () => Promise<T>, weight = 0): Promise<T> {
    if (this.waiting.length > 0 || !this.hasRoom(weight))
      await new Promise<void>((begin) => this.waiting.push({ weight, begin }));
    else this.take(weight);
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.weightRunning -= weight;
      this.admit();
    }
  }

  private admit(): void {
    for (let next = this.waiting[0]; next !== undefined && this.hasRoom(next.weight); next = this.waiting[0]) {
      this.waiting.shift();
      // Taken before the work continues, so that no newcomer overtakes.
      this.take(next.weight);
      next.begin();
    }
  }

  private take(weight: number): void {
    this.running += 1;
    this.weightRunning += weight;
  }

  private hasRoom(weight: number): boolean {
    return this.running === 0 || (this.running < this.places && this.weightRunning + weight <= this.largestWeight);
  }
}
