import type { ErrorCode } from '../../../core/errors/catalogue.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';

/** Reasons for which the queue refuses what a person asks of it. */
export type QueueRefusal =
  | 'notFound'
  | 'waits'
  | 'notWaiting'
  | 'notParked'
  /** A newer version was delivered: this one would set the receiver back. */
  | 'superseded'
  | 'endpointDeleted'
  /** The other endpoint belongs to another tenant, or is the same one. */
  | 'wrongEndpoint'
  /** The other endpoint was given this version before. */
  | 'alreadyThere'
  | 'sealed';

/** The queue of one exit: its tables, which have the columns that the README of the kit lists, and its own error codes. */
export interface QueueDefinition<Own> {
  readonly deliveries: string;
  readonly endpoints: string;
  /** One row an endpoint: the last number that was given, and the lease of the process that sends. */
  readonly senders: string;
  /** The column of `deliveries` and of `senders` that names the endpoint. */
  readonly endpointId: string;
  /** The column of `deliveries` that holds the body. */
  readonly body: string;
  /** Columns of the exit's own that its transport reads. A delivery that is moved is written with them. */
  readonly ownColumns: Readonly<Record<keyof Own, string>>;
  /** Columns of the exit's own that tell of one attempt: null from the next one on. */
  readonly attemptColumns: readonly string[];
  /** Columns of the exit's own with the codes of the last answer, in the order in which they are read out. */
  readonly answerColumns: readonly string[];
  /** The column with the receiver's words, kept in the history, too; absent: the exit keeps the words of each attempt itself. */
  readonly wordsColumn?: string;
  /** When a later version (`newer`) bars an earlier one from being sent once more, as an SQL condition; absent: once it is delivered. */
  readonly laterCounts?: string;
  /** Notified of what may be due: the payload is the endpoint's id, with ` now` behind it where its pause ends. */
  readonly channel: string;
  readonly errors: Readonly<Record<QueueRefusal, { readonly code: ErrorCode; readonly detail?: string }>>;
}

export function refusalOf({ errors }: Pick<QueueDefinition<unknown>, 'errors'>, reason: QueueRefusal): SuturaError {
  const { code, detail } = errors[reason];
  return new SuturaError(code, detail === undefined ? {} : { detail });
}

/**
 * Locks the endpoint of parameter `id` against deletion, which then finds the delivery that waits again; no row: it was deleted.
 */
export function heldEndpoint({ endpoints }: Pick<QueueDefinition<unknown>, 'endpoints'>, id: number): string {
  return `select id from ${endpoints} where id = $${id} and deleted_at is null for share`;
}

/** The exit's own columns as a select list, each with a comma before it. */
export function ownList({ ownColumns }: Pick<QueueDefinition<unknown>, 'ownColumns'>): string {
  return Object.entries<string>(ownColumns)
    .map(([name, column]) => `, delivery.${column} as "${name}"`)
    .join('');
}

/** Assignments that forget the attempt before, each with a comma before it. */
export function forgottenAttempt({ attemptColumns }: Pick<QueueDefinition<unknown>, 'attemptColumns'>): string {
  return attemptColumns.map((column) => `, ${column} = null`).join('');
}
