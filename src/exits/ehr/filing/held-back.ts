import { HeldError, type Hold } from '../settings/holds.js';
import { firstOf, isSetback, type Setback } from './refusals.js';

/** Setbacks met while looking; what is not to be collected is thrown at once. `areCollected`: all of them, none, or one kind of holds. */
export class Holds {
  private readonly met: Setback[] = [];

  constructor(readonly areCollected: boolean | Hold) {}

  /** The one that the delivery ends with; null: none was met. */
  get first(): Setback | null {
    return firstOf(this.met);
  }

  /** null: it was held back. */
  async collect<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (fault) {
      if (!isSetback(fault) || this.areCollected === false) throw fault;
      if (this.areCollected !== true && !(fault instanceof HeldError && this.areCollected === fault.hold)) throw fault;
      this.met.push(fault);
      return null;
    }
  }
}
