import type { Handed } from '../queue/handover.js';
import type { NextDue, Turn } from '../queue/leased-deliveries.js';
import { MOST_AHEAD } from '../queue/turn-statements.js';

/** What was read is sent within this: of an endpoint that was deleted, or a patient who was erased, nothing follows later. */
const FRESH_MS = 10;

interface Read<Own> {
  readonly next: NextDue<Own>;
  readonly freshUntilMs: number;
}

/** Deliveries of which a sender knows that they come next, in their order. */
export class ReadAhead<Own> {
  private due: Read<Own>[] = [];
  /** The last number there is, where nothing waits but `due`; null: nobody knows. */
  private lastNumber: number | null = null;

  fill({ due, lastNumber }: Turn<Own>): void {
    this.due = due.map(fresh);
    this.lastNumber = lastNumber;
  }

  /** Adds what was just written, where it comes right behind what is known, and that is little; else it is found with the next look. */
  add({ firstNumber, deliveries }: Handed<Own>): void {
    const isNext = this.lastNumber !== null && firstNumber === this.lastNumber + 1;
    if (!isNext || this.due.length >= MOST_AHEAD) {
      this.lastNumber = null;
      return;
    }
    this.due.push(...deliveries.map(fresh));
    this.lastNumber = firstNumber + deliveries.length - 1;
  }

  /** All that there was is sent, and more comes by hand, or is told of. */
  get isAllSent(): boolean {
    return this.due.length === 0 && this.lastNumber !== null;
  }

  /** The next one; undefined: there is none, or it may have changed since it was read. */
  take(): NextDue<Own> | undefined {
    const [first] = this.due;
    if (first === undefined) return undefined;
    if (performance.now() > first.freshUntilMs) this.forget();
    return this.due.shift()?.next;
  }

  /** Nothing of it is sent, and nothing added, until it is filled anew. */
  forget(): void {
    this.due = [];
    this.lastNumber = null;
  }
}

function fresh<Own>(next: NextDue<Own>): Read<Own> {
  return { next, freshUntilMs: performance.now() + FRESH_MS };
}
