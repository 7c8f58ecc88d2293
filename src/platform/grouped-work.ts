import { isSuturaError } from '../core/errors/sutura-error.js';

export interface GroupLimits {
  /** Of one group. */
  readonly largest: number;
  /** Groups of one key at once: a further one begins only where those before it take longer than `patienceMs`, since groups that wait are larger. */
  readonly atOnce: number;
  readonly patienceMs: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: (result: Result) => void;
  readonly failed: (fault: unknown) => void;
}

interface Lane<Item, Result> {
  readonly waiting: Waiting<Item, Result>[];
  running: number;
  /** Of those that run, those that take longer than is waited for. */
  late: number;
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
    private readonly limits: GroupLimits,
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
    const lane = { waiting: [], running: 0, late: 0 };
    this.lanes.set(key, lane);
    return lane;
  }

  private begin(key: string, lane: Lane<Item, Result>): void {
    if (lane.running === lane.late && lane.running < this.limits.atOnce) void this.drain(key, lane);
  }

  private async drain(key: string, lane: Lane<Item, Result>): Promise<void> {
    lane.running += 1;
    // Whoever was read from its connection in this turn comes along.
    await new Promise((resolve) => setImmediate(resolve));
    while (lane.waiting.length > 0) await this.settleInTime(key, lane, lane.waiting.splice(0, this.limits.largest));
    lane.running -= 1;
    if (lane.running === 0) this.lanes.delete(key);
  }

  private async settleInTime(key: string, lane: Lane<Item, Result>, group: readonly Waiting<Item, Result>[]): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      lane.late += 1;
      if (lane.waiting.length > 0) this.begin(key, lane);
    }, this.limits.patienceMs);
    await this.settle(group);
    clearTimeout(timer);
    if (isLate) lane.late -= 1;
  }

  /** What is wrong with one must not refuse the others: then each is done alone. A fault of the database is everybody's, and may have come after the commit. */
  private async settle(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.perform(group.map(({ item }) => item));
      group.forEach(({ done }, at) => done(results[at]!));
    } catch (fault) {
      if (group.length === 1 || isSuturaError(fault, 'service.unavailable')) for (const { failed } of group) failed(fault);
      else for (const one of group) await this.settle([one]);
    }
  }
}
