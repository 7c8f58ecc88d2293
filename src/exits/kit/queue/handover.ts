import type { DueDelivery } from './leased-deliveries.js';

/** Deliveries that one transaction wrote for an endpoint, in their order. */
export interface Handed<Own> {
  /** Number of the first; the others follow without gaps. */
  readonly firstNumber: number;
  readonly deliveries: readonly DueDelivery<Own>[];
}

type Taker<Own> = (handed: Handed<Own>) => void;

/**
 * Hands what this process has just committed to its own sender, if that holds the endpoint's lease, instead of a notification and a query. The
 * deliveries are in the queue as well: a sender that drops them finds them with its next query.
 */
export class Handover<Own> {
  private readonly takers = new Map<string, Taker<Own>>();

  /** `token`: of the sender's lease. Call the returned function to end it. */
  open(token: string, taker: Taker<Own>): () => void {
    this.takers.set(token, taker);
    return () => void this.takers.delete(token);
  }

  reaches(token: string | null): token is string {
    return token !== null && this.takers.has(token);
  }

  give(token: string, handed: Handed<Own>): void {
    this.takers.get(token)?.(handed);
  }
}
