import type { Handed } from '../queue/handover.js';
import type { NextDue, ClaimResult } from '../queue/leased-deliveries.js';
import { MOST_AHEAD } from '../queue/claim-statements.js';

/** A prefetched delivery expires after this, so that nothing is sent long after its endpoint was deleted or its patient erased. */
const FRESH_MS = 10;

interface Read<Own> {
  readonly next: NextDue<Own>;
  readonly freshUntilMs: number;
}

/** Prefetched deliveries, in their order. */
export class ReadAhead<Own> {
  private due: Read<Own>[] = [];
  /** Number of the last delivery in the queue, if all that wait are in `due`; null: unknown. */
  private lastNumber: number | null = null;

  fill({ due, lastNumber }: ClaimResult<Own>): void {
    this.due = due.map(fresh);
    this.lastNumber = lastNumber;
  }

  /** Adds deliveries that directly follow the buffer, unless it is full; others are found by the next query. */
  add({ firstNumber, deliveries }: Handed<Own>): void {
    const isNext = this.lastNumber !== null && firstNumber === this.lastNumber + 1;
    if (!isNext || this.due.length >= MOST_AHEAD) {
      this.lastNumber = null;
      return;
    }
    this.due.push(...deliveries.map(fresh));
    this.lastNumber = firstNumber + deliveries.length - 1;
  }

  /** Buffer drained; more is signalled. */
  get isAllSent(): boolean {
    return this.due.length === 0 && this.lastNumber !== null;
  }

  /** The next one; undefined: none, or it expired. */
  take(): NextDue<Own> | undefined {
    const [first] = this.due;
    if (first === undefined) return undefined;
    if (performance.now() > first.freshUntilMs) this.forget();
    return this.due.shift()?.next;
  }

  /** Empties the buffer; nothing is added until it is filled again. */
  forget(): void {
    this.due = [];
    this.lastNumber = null;
  }
}

function fresh<Own>(next: NextDue<Own>): Read<Own> {
  return { next, freshUntilMs: performance.now() + FRESH_MS };
}
