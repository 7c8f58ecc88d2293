import type { Columns } from '../queue/delivery.js';
import type { DueDelivery, SendingOrder } from '../queue/leased-deliveries.js';
import type { Outage } from './outage-watch.js';
import type { Answered, Outcome, NoAnswer, Verdict } from './outcome.js';

/** An endpoint as its sender knows it. */
export interface SendingEndpoint extends SendingOrder {
  readonly id: string;
  /** The settings as text; a sender is replaced when they change. */
  readonly revision: string;
  /** Drops a preliminary version that was never sent once the final one exists. */
  readonly collapse: boolean;
}

/** The connection to one endpoint. */
export interface Connection<Own, Answer> {
  /** Rejects where there was no answer. */
  send(delivery: DueDelivery<Own>): Promise<Omit<Answered<Answer>, 'kind'>>;
  close(): void;
}

/** What an exit implements: how bytes are sent, what an answer means, and what is kept of it. */
export interface Transport<Endpoint, Own, Answer> {
  /** Rejects if no connection can be attempted. */
  open(endpoint: Endpoint): Promise<Connection<Own, Answer>>;
  /** The meaning of a rejection of `open` or `send`. */
  silenceOf(error: unknown): NoAnswer;
  /** The report whose analysis the delivery is part of, for its trace; null: of none. Absent: its subject is that report. */
  reportOf?(delivery: DueDelivery<Own>): string | null;
  /** The exit's own columns after an attempt, or after one that failed because the body cannot be decrypted. */
  columnsOf(deliveryId: string, outcome: Outcome<Answer>): Columns;
}

/** Events of senders, which the exit turns into log lines and metrics. */
export interface SenderReports<Endpoint, Own, Answer> {
  attempted(endpoint: Endpoint, delivery: DueDelivery<Own>, outcome: Outcome<Answer>, verdict: Verdict['kind']): void;
  /** The delivery cannot be decrypted; it was parked. */
  sealed(endpoint: Endpoint, delivery: Own & { readonly id: string }): void;
  /** `isAlarm`: long enough to alert operators. */
  silent(endpoint: Endpoint, outage: Outage & { readonly fault: string; readonly isAlarm: boolean }): void;
  answersAgain(endpoint: Endpoint, outage: Outage): void;
  /** The database is unavailable. */
  senderFailed(endpoint: Endpoint, error: unknown): void;
  endpointsUnknown(error: unknown): void;
}
