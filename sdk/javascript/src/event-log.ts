import type { WebhookEvent, WebhookEventType } from './events.js';
import type { CallOptions } from './options.js';

/** Every event but the service's own test of an endpoint, which is in no log. */
type LoggedType = Exclude<WebhookEventType, 'webhook.test'>;

/**
 * An event in the log: `type` says which `data` it has, as a webhook with the content `ids` has it, without `sequence`. Types and fields are added
 * over time: pass over those that you do not know.
 */
export type LoggedEvent = {
  [Type in LoggedType]: {
    /** As in `webhook-id`: drop what you have had from a webhook. */
    id: string;
    type: Type;
    /** When it happened, RFC 3339. */
    timestamp: string;
    /** When it came into the log; rises along the list. */
    recordedAt: string;
    data: Omit<Extract<WebhookEvent, { type: Type }>['data'], 'sequence'>;
  };
}[LoggedType];

/** One page of the log, oldest first. */
export interface EventPage {
  items: LoggedEvent[];
  nextCursor: string | null;
  /** Where to go on: the next page while there is one, then behind all that the log has. Absent: the service is of an older release. */
  resumeCursor?: string;
  /** The log has what happened from then on, but what was erased. A later moment than your `since`: you may have missed more. */
  keptSince: string;
}

export interface EventFilter {
  type?: LoggedType;
  /** Events that came into the log then or later. */
  since?: string | Date;
  /** Events on a page, 1 to 100. Default 20. */
  limit?: number;
}

export interface ListEventsOptions extends CallOptions, EventFilter {
  /** The `nextCursor` of the page before. */
  cursor?: string;
}
