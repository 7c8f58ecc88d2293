import type { NextDue } from '../queue/leased-deliveries.js';

/** What was read together is sent within this, so that a person who parks or discards a delivery is heard. What arrived is written down within it. */
export const FRESH_MS = 500;

/** Deliveries that were read with one look, in their order. */
export class ReadAhead<Own> {
  private due: NextDue<Own>[] = [];
  private freshUntilMs = 0;

  fill(due: readonly NextDue<Own>[]): void {
    this.due = [...due];
    this.freshUntilMs = performance.now() + FRESH_MS;
  }

  /** The next one; undefined: there is none, or it may have changed since it was read. */
  take(): NextDue<Own> | undefined {
    if (performance.now() > this.freshUntilMs) this.due = [];
    return this.due.shift();
  }

  /** Nothing of it is sent any more. */
  forget(): void {
    this.due = [];
  }
}
