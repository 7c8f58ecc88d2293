import { SuturaError } from '../../core/errors/sutura-error.js';

export interface FairShareLimits {
  /** Pieces of work at once, and those of one holder. */
  readonly places: number;
  readonly placesOfOne: number;
  /** Bytes at once. What is larger runs alone. */
  readonly bytes: number;
  /** Pieces of work of one holder that may wait, and how long each does. */
  readonly waitingOfOne: number;
  readonly patienceMs: number;
}

/** Holders whose used time is known. */
const MOST_HOLDERS = 1000;
/** Seconds after which a refused holder may try again. */
const RETRY_AFTER_S = 5;
/** The time that a holder used counts half after so long. */
const HALF_LIFE_MS = 30_000;

interface Waiting {
  readonly holder: Holder;
  readonly bytes: number;
  readonly begin: () => void;
}

/** Whose work it is: an organization. */
interface Holder {
  running: number;
  waiting: number;
  /** How long its work held places lately. */
  usedMs: number;
  countedAtMs: number;
}

/**
 * Shares places for work on large bodies among organizations, by time: next is the one whose work held places for the shortest time lately, so
 * that bodies that cost much delay others of their sender, and nobody else's. What waits too long, or behind too much of
 * its own, is refused.
 */
export class FairShare {
  private readonly holders = new Map<string, Holder>();
  private readonly queue: Waiting[] = [];
  private running = 0;
  private bytesRunning = 0;

  constructor(
    private readonly limits: FairShareLimits,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Runs `work` once it is its turn. `service.busy`. */
  async run<T>(holder: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const end = await this.begin(holder, bytes);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Waits for a place, which is kept until the answer is called. `service.busy`. */
  async begin(name: string, bytes: number): Promise<() => void> {
    const holder = this.holderOf(name);
    if (this.queue.length > 0 || !this.hasRoom(holder, bytes)) await this.wait(holder, bytes);
    else this.take(holder, bytes);
    const beganMs = this.nowMs();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.give(holder, bytes, this.nowMs() - beganMs);
    };
  }

  private wait(holder: Holder, bytes: number): Promise<void> {
    if (holder.waiting >= this.limits.waitingOfOne) throw busy();
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        holder,
        bytes,
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.leave(entry);
        reject(busy());
        // It may have been the one that the others waited for.
        this.admit();
      }, this.limits.patienceMs);
      holder.waiting += 1;
      this.queue.push(entry);
      // Behind others of its own, or because of them, it may be that only a place for somebody else is free.
      this.admit();
    });
  }

  private leave(entry: Waiting): void {
    this.queue.splice(this.queue.indexOf(entry), 1);
    entry.holder.waiting -= 1;
  }

  private admit(): void {
    for (let next = this.next(); next !== null && this.hasRoom(next.holder, next.bytes); next = this.next()) {
      this.leave(next);
      // Taken before the work continues, so that no newcomer overtakes.
      this.take(next.holder, next.bytes);
      next.begin();
    }
  }

  /** The first in line of the holder that used the least, of those with fewer places than one may have. */
  private next(): Waiting | null {
    let found: Waiting | null = null;
    for (const entry of this.queue) {
      if (entry.holder.running >= this.limits.placesOfOne) continue;
      if (found === null || this.used(entry.holder) < this.used(found.holder)) found = entry;
    }
    return found;
  }

  private hasRoom(holder: Holder, bytes: number): boolean {
    return (
      this.running === 0 ||
      (this.running < this.limits.places &&
        holder.running < this.limits.placesOfOne &&
        this.bytesRunning + bytes <= this.limits.bytes)
    );
  }

  private take(holder: Holder, bytes: number): void {
    this.running += 1;
    this.bytesRunning += bytes;
    holder.running += 1;
  }

  private give(holder: Holder, bytes: number, heldMs: number): void {
    this.running -= 1;
    this.bytesRunning -= bytes;
    holder.running -= 1;
    holder.usedMs = this.used(holder) + heldMs;
    this.admit();
    this.forgetOne();
  }

  private used(holder: Holder): number {
    const now = this.nowMs();
    holder.usedMs *= 2 ** ((holder.countedAtMs - now) / HALF_LIFE_MS);
    holder.countedAtMs = now;
    return holder.usedMs;
  }

  private holderOf(name: string): Holder {
    const known = this.holders.get(name);
    if (known !== undefined) return known;
    const holder = { running: 0, waiting: 0, usedMs: 0, countedAtMs: this.nowMs() };
    this.holders.set(name, holder);
    return holder;
  }

  /** Keeps the list of those without work short. */
  private forgetOne(): void {
    if (this.holders.size <= MOST_HOLDERS) return;
    for (const [name, { running, waiting }] of this.holders)
      if (running === 0 && waiting === 0) {
        this.holders.delete(name);
        return;
      }
  }
}

function busy(): SuturaError {
  return new SuturaError('service.busy', { retryAfterS: RETRY_AFTER_S });
}
