import { isSuturaError } from '../../core/errors/sutura-error.js';

interface BatchLimits<Item> {
  /** Most items of one batch. */
  readonly largest: number;
  /** Most batches of one key at once: a further one begins only beside slow ones, as batches that wait are larger. */
  readonly atOnce: number;
  /** A batch that runs longer is slow. */
  readonly patienceMs: number;
  /** For items that differ much in size. */
  readonly weight?: WeightLimits<Item>;
}

interface WeightLimits<Item> {
  readonly of: (item: Item) => number;
  /** Largest weight of one batch; a heavier item is a batch by itself. */
  readonly largest: number;
  /** A batch of this weight is slow from its beginning. */
  readonly heavy: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: (result: Result) => void;
  readonly failed: (fault: unknown) => void;
}

interface KeyQueue<Item, Result> {
  readonly waiting: Waiting<Item, Result>[];
  running: number;
  /** Those of the running batches that are slow. */
  slow: number;
}

/**
 * Group commit: items that arrive while a batch is committed join the next one. Under load one transaction and one fsync serve many callers; without load there is no delay. Each caller gets its own result.
 */
export class BatchedCommits<Item, Result> {
  private readonly queues = new Map<string, KeyQueue<Item, Result>>();

  /** `perform` does all of a batch or nothing of it, and answers in its order. */
  constructor(
    private readonly perform: (batch: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: BatchLimits<Item>,
  ) {}

  /** Only items of one key share a batch. */
  run(key: string, item: Item): Promise<Result> {
    return new Promise((done, failed) => {
      const queue = this.queueOf(key);
      queue.waiting.push({ item, done, failed });
      this.begin(key, queue);
    });
  }

  private queueOf(key: string): KeyQueue<Item, Result> {
    const known = this.queues.get(key);
    if (known !== undefined) return known;
    const queue = { waiting: [], running: 0, slow: 0 };
    this.queues.set(key, queue);
    return queue;
  }

  private begin(key: string, queue: KeyQueue<Item, Result>): void {
    if (queue.running === queue.slow && queue.running < this.limits.atOnce) void this.drain(key, queue);
  }

  private async drain(key: string, queue: KeyQueue<Item, Result>): Promise<void> {
    queue.running += 1;
    // Items that were read from their connections in this turn come along.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.waiting.length > 0) await this.settleInTime(key, queue, this.nextOf(queue));
    queue.running -= 1;
    if (queue.running === 0) this.queues.delete(key);
  }

  private nextOf({ waiting }: KeyQueue<Item, Result>): Waiting<Item, Result>[] {
    const { largest, weight } = this.limits;
    if (weight === undefined) return waiting.splice(0, largest);
    let [size, total] = [0, 0];
    for (const { item } of waiting.slice(0, largest)) {
      total += weight.of(item);
      if (size > 0 && total > weight.largest) break;
      size += 1;
    }
    return waiting.splice(0, size);
  }

  private async settleInTime(
    key: string,
    queue: KeyQueue<Item, Result>,
    batch: readonly Waiting<Item, Result>[],
  ): Promise<void> {
    let isSlow = false;
    const becomeSlow = (): void => {
      isSlow = true;
      queue.slow += 1;
      if (queue.waiting.length > 0) this.begin(key, queue);
    };
    if (this.isHeavy(batch)) becomeSlow();
    const timer = isSlow ? undefined : setTimeout(becomeSlow, this.limits.patienceMs);
    await this.settle(batch);
    clearTimeout(timer);
    if (isSlow) queue.slow -= 1;
  }

  private isHeavy(batch: readonly Waiting<Item, Result>[]): boolean {
    const { weight } = this.limits;
    return weight !== undefined && batch.reduce((total, { item }) => total + weight.of(item), 0) >= weight.heavy;
  }

  /** After a refusal each item is done alone, so that one does not refuse the others. A fault of the database fails all: it may have come after the commit. */
  private async settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.perform(batch.map(({ item }) => item));
      batch.forEach(({ done }, at) => done(results[at]!));
    } catch (fault) {
      if (batch.length === 1 || isSuturaError(fault, 'service.unavailable'))
        for (const { failed } of batch) failed(fault);
      else for (const one of batch) await this.settle([one]);
    }
  }
}
