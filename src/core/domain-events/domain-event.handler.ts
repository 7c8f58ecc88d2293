import type { DeliveredEvent, DomainEventKind, EventAudience } from './domain-event.js';

/** Receives events at least once, in no promised order; must be idempotent by event id. An event whose handler throws comes again later, to this handler alone. */
export abstract class DomainEventHandler {
  /** Unique, and the same in every release: events are kept under it until the handler has had them. */
  abstract readonly name: string;
  abstract readonly kinds: readonly DomainEventKind[];
  /** Its audience: events of tenants without that audience are not stored for this handler. null: it handles events of all tenants. */
  readonly audience: EventAudience | null = null;
  abstract handle(event: DeliveredEvent): Promise<void>;
}
