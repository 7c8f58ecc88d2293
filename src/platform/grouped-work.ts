import { isSuturaError } from '../core/errors/sutura-error.js';

export interface GroupLimits<Item> {
  /** Items of one group. */
  readonly largest: number;
  /** Groups of one key at once: a further one begins only beside those that take long, since groups that wait are larger. */
  readonly atOnce: number;
  /** A group that takes longer takes long. */
  readonly patienceMs: number;
  /** Where items differ much in size. */
  readonly weight?: WeightLimits<Item>;
}

export interface WeightLimits<Item> {
  readonly of: (item: Item) => number;
  /** Of one group; a heavier item is a group by itself. */
  readonly largest: number;
  /** A group of this weight takes long from its beginning. */
  readonly heavy: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: (result: Result) => void;
  readonly failed: (fault: unknown) => void;
}

interface Lane<Item, Result> {
  readonly waiting: Waiting<Item, Result>[];
  running: number;
  /** Of those that run, those that take long. */
  slow: number;
}

/**
 * Does the work of concurrent callers together: what comes while a group is on its way leaves with the next one, so that under load one
 * transaction and one wait for the disk serve many, and without load nobody waits for company. Each caller's promise ends with its own result.
 */
export class GroupedWork<Item, Result> {
  private readonly lanes = new Map<string, Lane<Item, Result>>();

  /** `perform` does all of a group or nothing of it, and answers in its order. */
  constructor(
    private readonly perform: (group: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: GroupLimits<Item>,
  ) {}

  /** Only items of one key share a group. */
  run(key: string, item: Item): Promise<Result> {
    return new Promise((done, failed) => {
      const lane = this.laneOf(key);
      lane.waiting.push({ item, done, failed });
      this.begin(key, lane);
    });
  }

  private laneOf(key: string): Lane<Item, Result> {
    const known = this.lanes.get(key);
    if (known !== undefined) return known;
    const lane = { waiting: [], running: 0, slow: 0 };
    this.lanes.set(key, lane);
    return lane;
  }

  private begin(key: string, lane: Lane<Item, Result>): void {
    if (lane.running === lane.slow && lane.running < this.limits.atOnce) void this.drain(key, lane);
  }

  private async drain(key: string, lane: Lane<Item, Result>): Promise<void> {
    lane.running += 1;
    // Whoever was read from its connection in this turn comes along.
    await new Promise((resolve) => setImmediate(resolve));
    while (lane.waiting.length > 0) await this.settleInTime(key, lane, this.nextOf(lane));
    lane.running -= 1;
    if (lane.running === 0) this.lanes.delete(key);
  }

  private nextOf({ waiting }: Lane<Item, Result>): Waiting<Item, Result>[] {
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
    lane: Lane<Item, Result>,
    group: readonly Waiting<Item, Result>[],
  ): Promise<void> {
    let isSlow = false;
    const takesLong = (): void => {
      isSlow = true;
      lane.slow += 1;
      if (lane.waiting.length > 0) this.begin(key, lane);
    };
    if (this.isHeavy(group)) takesLong();
    const timer = isSlow ? undefined : setTimeout(takesLong, this.limits.patienceMs);
    await this.settle(group);
    clearTimeout(timer);
    if (isSlow) lane.slow -= 1;
  }

  private isHeavy(group: readonly Waiting<Item, Result>[]): boolean {
    const { weight } = this.limits;
    return weight !== undefined && group.reduce((total, { item }) => total + weight.of(item), 0) >= weight.heavy;
  }

  /** What is wrong with one must not refuse the others: then each is done alone. A fault of the database is everybody's, and may have come after the commit. */
  private async settle(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.perform(group.map(({ item }) => item));
      group.forEach(({ done }, at) => done(results[at]!));
    } catch (fault) {
      if (group.length === 1 || isSuturaError(fault, 'service.unavailable'))
        for (const { failed } of group) failed(fault);
      else for (const one of group) await this.settle([one]);
    }
  }
}
