import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { WebhookEventType } from './webhook-events.js';

/** An event stays so long in the log. */
export const EVENT_LOG_DAYS = 30;

/** Something that happened, as webhooks tell it with the content `ids`: ids of this service, codes and figures. */
export interface TenantEvent {
  /** The same in the log, at every endpoint and at every try. */
  readonly id: string;
  readonly type: WebhookEventType;
  readonly timestamp: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event with its place in the log of its tenant. */
export interface LoggedEvent extends TenantEvent {
  /** Rises in the order in which events came into the log, with gaps, and also over a restore of the database from a back-up. */
  readonly number: number;
  /** When it came into the log; never before that of an event with a lower number. */
  readonly recordedAt: Date;
}

/** What is asked for of a log. */
export interface EventLogQuery {
  readonly type: WebhookEventType | null;
  /** That came into the log then or later. */
  readonly since: Date | null;
  /** Behind the event with this number. */
  readonly after: number | null;
  readonly limit: number;
}

/** A part of a log. */
export interface EventLogPage {
  /** In the order in which they came into the log. */
  readonly events: readonly LoggedEvent[];
  readonly hasMore: boolean;
  /** Of the log when the page was read, or a little before: all events up to it are on this page, or on none behind it. 0: it has none. */
  readonly lastNumber: number;
  /** The log has all that happened from then on, but what was erased. */
  readonly keptSince: Date;
  /** Ids of the patients whom the events are about. */
  readonly patientIds: readonly string[];
}

/** What happened in each tenant in the last days, whether or not anybody was told. */
export abstract class EventLog {
  /** Events that it has already are passed over. Late in its transaction, since others of the tenant wait for its end. */
  abstract record(transaction: TenantTransaction, events: readonly TenantEvent[]): Promise<void>;
  abstract read(tenant: Tenant, query: EventLogQuery): Promise<EventLogPage>;
  /** Removes what is older than EVENT_LOG_DAYS, of all tenants; answers how many. */
  abstract removeOld(): Promise<number>;
}
