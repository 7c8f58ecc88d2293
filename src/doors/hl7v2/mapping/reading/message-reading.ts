import type { PatientIdentifier } from '../../../../core/patients/patient.js';
import type { Resource } from '@medplum/fhirtypes';
import { joined } from '../../../../platform/turns/joined-text.js';
import { PIECE, type Paced } from '../../../../platform/turns/turns.js';
import type { Er7Message, Er7Segment, MessageHeader } from '../../../../standards/hl7v2/er7/er7-message.js';
import { isStandardTime, parseTime, type Hl7Time } from '../../../../standards/hl7v2/er7/hl7-time.js';
import type { RecordLookups } from '../../../../standards/hl7v2/records/clinical-records.js';
import type { ProblemPlace } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { EarlierHandling } from './earlier-handling.js';
import type { Hl7Source } from './hl7-source.js';
import type { PlanDraft } from '../plan/plan-draft.js';

/**
 * The use of a patient by a message: `announce` writes the content of PID, `name` only identifies the patient of the
 * rest.
 */
export type PatientUse = 'announce' | 'name';

/** One message while it is mapped. */
export interface Reading {
  readonly message: Er7Message;
  readonly header: MessageHeader;
  readonly source: Hl7Source;
  readonly records: RecordLookups;
  readonly draft: PlanDraft;
  readonly settled: SettledIdentity;
  /** null: the message has just come. */
  readonly earlier: EarlierHandling | null;
}

/** What people decided about who somebody is. */
export interface SettledIdentity {
  /** Conflicts, by the hex of their key, whose person is the one of the record: its name and birth date become what came. */
  readonly same: ReadonlySet<string>;
  /** Numbers of PID that are another authority's, by `keyOf`: its system. */
  readonly authorities: ReadonlyMap<string, string>;
  /** Numbers of patients who get a record although nobody has announced them, whatever the connection says. */
  readonly accepted: readonly PatientIdentifier[];
}

/** Nobody has decided anything. */
export const UNSETTLED: SettledIdentity = { same: new Set(), authorities: new Map(), accepted: [] };

/** ERR-2 of a segment, or of a field of it. */
export function placeIn(
  { name, sequence }: Er7Segment,
  field?: number,
  repetition?: number,
  component?: number,
): ProblemPlace {
  const place = { segment: name, sequence };
  if (field === undefined) return place;
  if (component !== undefined) return { ...place, field, repetition: repetition ?? 1, component };
  return repetition === undefined ? { ...place, field } : { ...place, field, repetition };
}

/** The time of a field; null where it is empty or refused. */
export function timeOf({ source, draft }: Reading, segment: Er7Segment, field: number, component = 1): Hl7Time | null {
  const text = (segment.field(field).repetitions[0]?.text(component) ?? '').trim();
  if (text === '') return null;
  const time = parseTime(text, source.timeZone);
  const place = component === 1 ? placeIn(segment, field) : placeIn(segment, field, 1, component);
  if (time === null) return draft.refuse('value.date', place);
  if (!isStandardTime(text)) draft.warn('value.date', place, OTHER_FORMAT);
  if (time.precision === 'year' || time.precision === 'month') draft.warn('value.date', place, NO_DAY);
  return time;
}

const OTHER_FORMAT =
  'The time was read, but HL7 has at most four decimals, and its offset as +ZZZZ without Z or a colon.';

/** A photo of a month is put in order by its beginning. */
const NO_DAY = 'The day is not stated. The year or month was kept as it is.';

/** The date of a time as its sender wrote it, by their own clocks: `2026`, `2026-11` or `2026-11-27`. */
export function dayOf({ dateTime }: Hl7Time): string {
  return dateTime.split('T', 1)[0]!;
}

/** Control characters except tab and line ends, and lone surrogates: neither FHIR nor the database accepts them. */
const NO_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Cs}/gu;

/** Several times the longest text that is kept, with the blanks before it. */
const LONGEST_HEAD = 64 * 1024;

/** A part that its sender deletes (HL7 v2.5.1 ch. 2.5.3); a whole field of it has a state of its own. */
const NULL = '""';

/** Text without characters that cannot be stored. */
export function keepable(text: string): string {
  return text.replaceAll(NO_TEXT, '');
}

/** `keepable` for a text of megabytes: others have their turn meanwhile. */
export function* keeping(text: string): Paced<string> {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    // A character of two units stays whole.
    const end = from + PIECE + Number(/[\ud800-\udbff]/.test(text[from + PIECE - 1] ?? ''));
    pieces.push(keepable(text.slice(from, end)));
    from = end;
    yield;
  }
  return yield* joined(pieces);
}

/** A FHIR string: trimmed, of at most `limit` characters; undefined where nothing is left, or the part is HL7's null (`""`). */
export function plain(text: string, limit = 1000): string | undefined {
  const trimmed = keepable(headOf(text)).trim();
  return trimmed === '' || trimmed === NULL ? undefined : [...trimmed.slice(0, 2 * limit)].slice(0, limit).join('');
}

/** A FHIR code: single spaces only. */
export function plainCode(text: string): string | undefined {
  return plain(headOf(text).replaceAll(/\s+/g, ' '), 255);
}

/** As much of a text as anything of it is kept from: a sender may write megabytes. */
function headOf(text: string): string {
  return text.length <= LONGEST_HEAD ? text : text.slice(0, LONGEST_HEAD).trim();
}

/** The object without empty entries. */
export function definedOnly<T extends object>(values: {
  readonly [K in keyof T]?: T[K] | undefined | null;
}): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Partial<T>;
}

/** Whether two resources have the same content, whatever the order of their properties. */
export function isSameResource(first: Resource, second: Resource): boolean {
  return canonical(first) === canonical(second);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) =>
    typeof held === 'object' && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  );
}
