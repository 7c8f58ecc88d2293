import type { TraceEvent } from '../../../core/trace/trace.js';
import type { Columns } from './delivery.js';
import type { QueueDefinition } from './queue-definition.js';

/**
 * What happened to a delivery. `refused`, `no_answer`: of an attempt; `refused_later`: by the receiver's application, after the delivery had been
 * accepted; `delivered`: before it was sent once more; the others are done by a person or by the service.
 */
export const PAST_EVENTS = [
  'refused',
  'no_answer',
  'refused_later',
  'delivered',
  'parked',
  'requeued',
  'replayed',
  'retried',
  'discarded',
  'moved',
] as const;
export type PastEventKind = (typeof PAST_EVENTS)[number];

/** An entry of the column `history`. Codes and ids alone, but for `said`. */
interface HistoryEntry {
  readonly at: string;
  readonly what: PastEventKind;
  /** Of which attempt; of several in a row, the last. */
  readonly attempt?: number;
  /** Code of the receiver's answer. */
  readonly answer?: string;
  readonly fault?: string;
  readonly parkedFor?: string;
  /** Who did it: the operator or the key. */
  readonly by?: string;
  /** The receiver's words as the exit keeps them, in base64. */
  readonly said?: string;
  /** So many in a row; absent: one. */
  readonly times?: number;
  /** The last of them. */
  readonly until?: string;
  /** Of an act that allows something once: that was done. */
  readonly isSpent?: true;
}

/** One thing that happened to a delivery, or several of the same kind in a row. */
export interface PastEvent {
  readonly at: Date;
  readonly what: PastEventKind;
  readonly attempt: number | null;
  readonly answer: string | null;
  readonly fault: string | null;
  readonly parkedFor: string | null;
  readonly by: string | null;
  readonly times: number;
  /** The last of them. */
  readonly until: Date | null;
  /** The receiver's words as the exit keeps them; null: none, or they are kept elsewhere. */
  readonly said: Buffer | null;
}

/** The column `history`, as PostgreSQL gives it; at most 40 entries, oldest first. */
export type KeptHistory = readonly HistoryEntry[];

export function toPastEvents(history: KeptHistory): PastEvent[] {
  return history.map(({ at, what, attempt, answer, fault, parkedFor, by, said, times, until }) => ({
    at: new Date(at),
    what,
    attempt: attempt ?? null,
    answer: answer ?? null,
    fault: fault ?? null,
    parkedFor: parkedFor ?? null,
    by: by ?? null,
    times: times ?? 1,
    until: until === undefined ? null : new Date(until),
    said: said === undefined ? null : Buffer.from(said, 'base64'),
  }));
}

const OF_ATTEMPTS: readonly PastEventKind[] = ['refused', 'no_answer', 'refused_later', 'delivered'];

/** What people did, or the service in their place. */
export function actsOf(history: readonly PastEvent[]): PastEvent[] {
  return history.filter(({ what }) => !OF_ATTEMPTS.includes(what));
}

/** What became of attempts. */
export function attemptsOf(history: readonly PastEvent[]): PastEvent[] {
  return history.filter(({ what }) => OF_ATTEMPTS.includes(what));
}

/** Bytes; longer words of a receiver are kept with the last attempt alone. */
export const LONGEST_WORDS = 4096;

/** The entry of a failed attempt as JSON, without its time and number. */
export function failedAttemptEntry(
  { answerColumns, wordsColumn }: Pick<QueueDefinition<unknown>, 'answerColumns' | 'wordsColumn'>,
  columns: Columns,
  { fault, isParked }: { readonly fault: string | null; readonly isParked: boolean },
): string {
  const answer = answerColumns.flatMap((column) => columns[column] ?? []).join(' ');
  const words = wordsColumn === undefined ? null : (columns[wordsColumn] as Buffer | null | undefined);
  const entry: Omit<HistoryEntry, 'at'> = {
    what: fault === null ? 'refused' : 'no_answer',
    ...(fault === null ? {} : { fault }),
    ...(answer === '' ? {} : { answer }),
    ...(isParked ? { parkedFor: 'refused' } : {}),
    ...(words === null || words === undefined || words.length > LONGEST_WORDS
      ? {}
      : { said: words.toString('base64') }),
  };
  return JSON.stringify(entry);
}

/** An assignment that adds an entry. `facts`: further SQL arguments of `jsonb_build_object`; null values are left out. */
export function noted(what: PastEventKind, facts = '', before = 'history'): string {
  return `sutura_noted(${before}, jsonb_strip_nulls(jsonb_build_object('at', sutura_now(), 'what', '${what}'${facts === '' ? '' : `, ${facts}`})))`;
}

/** The history of a delivery that is sent once more, with its acceptance, if it was accepted. `by`: the parameter that says who does it. */
export function sentAgain({ answerColumns }: Pick<QueueDefinition<unknown>, 'answerColumns'>, by: string): string {
  const accepted = `sutura_noted(history, jsonb_strip_nulls(jsonb_build_object('at', delivered_at, 'what', 'delivered', 'attempt', attempts,
    'answer', nullif(concat_ws(' ', ${answerColumns.join(', ')}), ''))))`;
  return `case when state = 'delivered' then ${noted('replayed', `'by', ${by}`, accepted)} else ${noted('requeued', `'by', ${by}`)} end`;
}

/** What happened to a delivery as events of a trace: codes alone. `subject`: how their names begin. */
export function pastEvents(
  subject: 'hl7' | 'delivery',
  resources: readonly string[],
  history: readonly PastEvent[],
): TraceEvent[] {
  return history.map(({ at, what, attempt, answer, fault, parkedFor, by, times, until }) => {
    const facts = {
      attempt,
      acknowledged: answer,
      fault,
      parkedFor,
      by,
      times: times === 1 ? null : times,
      until: until === null ? null : until.toISOString(),
    };
    const stated = Object.entries(facts).filter((fact): fact is [string, string | number] => fact[1] !== null);
    return { at, what: `${subject}.${what}`, resources, facts: Object.fromEntries(stated) };
  });
}
