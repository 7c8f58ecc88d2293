interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchLimits {
  /** Most items in one run. */
  readonly maxSize: number;
  /** Longest wait of the first item for others to join it; 0 starts a run at once. */
  readonly maxDelayMs: number;
  readonly runsAtOnce: number;
}

/**
 * Gathers items into runs. A run starts when it is full or its first item has waited long enough, unless `runsAtOnce` others last.
 * A run that fails is repeated item by item, so that one bad item spoils no other.
 */
export class Batcher<In, Out> {
  private readonly waiting: Waiting<In, Out>[] = [];
  private timer: NodeJS.Timeout | undefined;
  private running = 0;

  /** `runAll` answers as many outputs as it got items, in their order. */
  constructor(
    private readonly runAll: (items: readonly In[]) => Promise<readonly Out[]>,
    private readonly limits: BatchLimits,
  ) {}

  add(item: In): Promise<Out> {
    return new Promise<Out>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isBusy() || this.waiting.length === 0) return;
    if (this.waiting.length >= this.limits.maxSize || this.limits.maxDelayMs === 0) return this.start();
    this.timer ??= setTimeout(() => this.start(), this.limits.maxDelayMs);
  }

  private start(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isBusy()) return;
    this.running += 1;
    void this.settle(this.waiting.splice(0, this.limits.maxSize)).finally(() => {
      this.running -= 1;
      // Items that came meanwhile have waited long enough.
      if (this.waiting.length > 0) this.start();
    });
  }

  private isBusy(): boolean {
    return this.running >= this.limits.runsAtOnce;
  }

  private async settle(batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outputs = await this.runAll(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(outputs[index]!));
    } catch (error) {
      if (batch.length === 1) return batch[0]!.reject(error);
      for (const single of batch) await this.settle([single]);
    }
  }
}
