import type { DeliveredEvent, DomainEvent, DomainEventKind } from '../domain-events/domain-event.js';
import type { Transaction } from './unit-of-work.js';

/** Keeps events until every handler has had them. */
export abstract class Outbox {
  /** Written with the change it tells of. */
  abstract append(transaction: Transaction, event: DomainEvent): Promise<void>;
}

/** Told of events at least once, in no promised order; must be idempotent by event id. Throwing means: again later. */
export abstract class DomainEventHandler {
  abstract readonly name: string;
  abstract readonly kinds: readonly DomainEventKind[];
  abstract handle(event: DeliveredEvent): Promise<void>;
}
