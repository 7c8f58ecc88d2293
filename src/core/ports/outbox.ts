import type { DeliveredEvent, DomainEvent, DomainEventKind } from '../domain-events/domain-event.js';
import type { Transaction } from './unit-of-work.js';

/** Keeps events until every handler has had them. */
export abstract class Outbox {
  /** Written with the change it tells of. */
  abstract append(transaction: Transaction, event: DomainEvent): Promise<void>;
  /** Calls back after each commit in this process that appended events, so that they leave without waiting for a poll. */
  abstract onAppended(listener: () => void): void;
  /**
   * Due events, oldest first, lent to this process: one that is not marked delivered comes back later,
   * after 30 s at first and with growing intervals up to 2 h. Never the same event to two processes at once.
   */
  abstract takeDue(limit: number): Promise<DeliveredEvent[]>;
  /** Removes events that every handler has had. */
  abstract markDelivered(eventIds: readonly string[]): Promise<void>;
}

/** Told of events at least once, in no promised order; must be idempotent by event id. Throwing means: again later. */
export abstract class DomainEventHandler {
  abstract readonly name: string;
  abstract readonly kinds: readonly DomainEventKind[];
  abstract handle(event: DeliveredEvent): Promise<void>;
}
