import type { Columns } from '../queue/delivery.js';
import type { DueDelivery, SendingOrder } from '../queue/leased-deliveries.js';
import type { Outage } from './outage-watch.js';
import type { Answered, Outcome, NoAnswer, Verdict } from './outcome.js';

/** An endpoint as its sender knows it. */
export interface SendingEndpoint extends SendingOrder {
  readonly id: string;
  /** A sender is replaced where this is another: the settings, as text. */
  readonly revision: string;
  /** A preliminary version that was never sent is left out once the final one is there. */
  readonly collapse: boolean;
}

/** The connection to one endpoint. */
export interface Connection<Own, Answer> {
  /** Rejects where there was no answer. */
  send(delivery: DueDelivery<Own>): Promise<Omit<Answered<Answer>, 'kind'>>;
  close(): void;
}

/** The exit's part of an attempt: how bytes travel, what an answer means, and what is kept of it. */
export interface Transport<Endpoint, Own, Answer> {
  /** Rejects where the connection cannot even be tried. */
  open(endpoint: Endpoint): Promise<Connection<Own, Answer>>;
  /** The meaning of a rejection of `open` or `send`. */
  silenceOf(error: unknown): NoAnswer;
  /** The report whose analysis the delivery is part of, for its trace; null: of none. Absent: its subject is that report. */
  reportOf?(delivery: DueDelivery<Own>): string | null;
  /** The exit's own columns after an attempt, or after one that was not made since no key opens the body. */
  columnsOf(deliveryId: string, outcome: Outcome<Answer>): Columns;
}

/** Told by senders: the exit makes its own log lines and figures of it. */
export interface SenderReports<Endpoint, Own, Answer> {
  attempted(endpoint: Endpoint, delivery: DueDelivery<Own>, outcome: Outcome<Answer>, verdict: Verdict['kind']): void;
  /** No key opens the delivery; it was parked. */
  sealed(endpoint: Endpoint, delivery: Own & { readonly id: string }): void;
  /** `isAlarm`: for so long that a person is to look. */
  silent(endpoint: Endpoint, outage: Outage & { readonly fault: string; readonly isAlarm: boolean }): void;
  answersAgain(endpoint: Endpoint, outage: Outage): void;
  /** The database is away. */
  senderFailed(endpoint: Endpoint, error: unknown): void;
  endpointsUnknown(error: unknown): void;
}
