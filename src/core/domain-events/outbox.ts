import type { DeliveredEvent, DomainEvent, DomainEventKind, EventAudience } from './domain-event.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';

/** Names of the handlers of each kind of event. */
export type EventRoutes = Readonly<Partial<Record<DomainEventKind, readonly string[]>>>;

/** Outcome of one `fanOut`. */
export interface FanOut {
  /** Events that were looked at. */
  readonly taken: number;
  /** Handlers, of those in the routes, for which something is due. */
  readonly due: readonly string[];
  /** Events of kinds that the routes do not name. They stay, and come up again later. */
  readonly unknown: readonly DeliveredEvent[];
}

/** Hands events to the handlers of this process. */
export interface EventReceiver {
  readonly routes: EventRoutes;
  /** The audience of a handler; null: it handles events of every tenant. */
  audienceOf(handler: string): EventAudience | null;
  /** False: enough waits here already, so what is committed now stays in the outbox until there is time for it. */
  hasRoom(): boolean;
  /** An event that this process has just committed, for these handlers. They have it lent, as from `takeDue`. */
  receive(event: DeliveredEvent, handlers: readonly string[]): void;
  /** This process committed events that wait in the outbox. */
  wake(): void;
}

/** An event as it was owed to a handler. */
export interface HandledEvent {
  readonly handler: string;
  readonly eventId: string;
}

/** Events that wait for the same handler. */
export interface OutboxBacklog {
  /** null: they are not due for any handler yet. */
  readonly handler: string | null;
  /** Those that are lent included. */
  readonly events: number;
  /** Seconds since the oldest was written. */
  readonly oldestS: number;
}

/** Keeps events until every handler has had them. Each handler has its own progress. */
export abstract class Outbox {
  /** Written in the transaction of the change, for its tenant. Events without a handler are not written. `afterS`: not due before, in seconds. */
  abstract append(transaction: TenantTransaction, event: Omit<DomainEvent, 'tenant'>, afterS?: number): Promise<void>;
  /** From now on events leave this process's commits for its handlers without being read back. */
  abstract attach(receiver: EventReceiver): void;
  /** Makes new events due for each handler of their kind; one whose kind has no handlers is removed. */
  abstract fanOut(routes: EventRoutes, limit: number): Promise<FanOut>;
  /**
   * Events that are due for a handler, oldest first, lent to this process: one that is not marked handled comes back to this handler later,
   * after 10 to 30 s at first and with growing intervals up to 2 h. Never the same event to two processes at once.
   */
  abstract takeDue(handler: string, limit: number): Promise<DeliveredEvent[]>;
  abstract markHandled(events: readonly HandledEvent[]): Promise<void>;
  /** Removes events older than `ageS` that are owed to handlers other than these. Answers how many, by handler. */
  abstract dropUnclaimed(handlers: readonly string[], ageS: number): Promise<ReadonlyMap<string, number>>;
  /** What is owed, by handler; none where nothing is. For metrics. */
  abstract backlog(): Promise<OutboxBacklog[]>;
}
