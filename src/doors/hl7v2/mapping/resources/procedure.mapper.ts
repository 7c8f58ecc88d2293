import { CLINICAL_EVENT_TYPES, type ClinicalEventType } from '../../../../core/followup/clinical-event.js';
import { EVENT } from '../../../../reports/index.js';
import { parseTime } from '../../../../standards/hl7v2/er7/hl7-time.js';
import { mappedCodeOf } from '../reading/code-maps.js';
import { conceptOf } from '../reading/coded-values.js';
import { isStillToDo } from '../reading/earlier-handling.js';
import { placeIn, plain, type Reading } from '../reading/message-reading.js';
import type { ProcedureSegment } from '../reading/order-groups.js';
import { practitionerOf } from '../reading/persons.js';
import { eventWordOf, isInSnomed, linesOf, planEvent, type EventContext } from './event.mapper.js';
import { MAX_TEXT } from './finding-value.js';

/** Table 0206: what is to become of what was sent before. */
const ACTIONS = ['', 'A', 'U', 'X', 'D'] as const;
type Action = (typeof ACTIONS)[number];

/** The subjects of a procedure; `wound`: or why it is not known to which it was done. */
export interface ProcedureContext extends Omit<EventContext, 'observedAt' | 'wound'> {
  readonly wound: NonNullable<EventContext['wound']> | NoWound;
}

/** `unnamed`: the message names no wound by number; `several`: it names more than one. */
export type NoWound = 'unnamed' | 'several';

const NOT_RECORDED: Readonly<Record<NoWound, string>> = {
  unnamed:
    'What was done is recorded of a wound with a number: send it in a row wound-id. Which wound was meant is not guessed.',
  several:
    'The wounds of the message are several, and PR1 cannot say which was meant: send it in a row wound-event with the OBX-4 of its wound.',
};

/**
 * Plans a PR1 as an event of the wound that its message names, once by kind and time, like a row `wound-event`. Senders put any procedure there, so
 * that none but a known event is recorded. What cannot be read of it is a warning: it never refuses the photo or order that it stands beside.
 */
export async function planProcedure(
  reading: Reading,
  { pr1, notes }: ProcedureSegment,
  { wound, ...context }: ProcedureContext,
): Promise<void> {
  if (!isStillToDo(reading.earlier, pr1)) return;
  const leave = (text: string, field?: number) => void reading.draft.warn('finding.kept', placeIn(pr1, field), text);
  if (typeof wound === 'string') return leave(NOT_RECORDED[wound]);
  const action = actionOf(pr1);
  if (action === undefined) return leave(NO_ACTION, 20);
  if (action === 'D') return leave(NOT_WITHDRAWN, 20);
  const [code, ...further] = pr1.field(3).repetitions;
  const known = eventOf(reading, pr1);
  if (code === undefined || known === undefined) return leave(NO_EVENT, 3);
  const performed = performedOf(reading, pr1);
  if (performed === undefined) return leave(NO_TIME, 5);
  if (further.length > 0) leave(MORE_CODES, 3);
  const described = plain(pr1.field(4).repetitions[0]?.text(1) ?? '', MAX_TEXT);
  await planEvent(reading, {
    ...context,
    wound,
    performed,
    code,
    known,
    words: described,
    performer: practitionerOf(reading, pr1.field(11).repetitions[0] ?? pr1.field(12).repetitions[0]),
    notes: [...(described === undefined ? [] : [described]), ...linesOf(notes)],
    place: placeIn(pr1),
    codePlace: placeIn(pr1, 3),
    correctionPlace: action === 'U' ? placeIn(pr1, 20) : null,
  });
}

/** Tells of procedures that are not read where they stand. */
export function leaveProcedures(
  { draft, earlier }: Reading,
  procedures: readonly ProcedureSegment[],
  text = UNPLACED,
): void {
  for (const { pr1 } of procedures) if (isStillToDo(earlier, pr1)) draft.warn('finding.kept', placeIn(pr1), text);
}

/** The event that the listener reads the code as, or that ours or SNOMED CT's means: the words of others mean anything. undefined: none. */
function eventOf(reading: Reading, pr1: ProcedureSegment['pr1']): ClinicalEventType | undefined {
  const mapped = mappedCodeOf(reading.source.codes, 'PR1-3', pr1);
  if (mapped !== undefined) return CLINICAL_EVENT_TYPES.find((type) => type === eventWordOf(mapped));
  const sent = conceptOf(reading, pr1.field(3).repetitions[0]);
  const isOurs = (type: ClinicalEventType) =>
    (sent?.coding ?? []).some(({ system, code = '' }) => system === EVENT[type].system && eventWordOf(code) === type);
  return CLINICAL_EVENT_TYPES.find((type) => isOurs(type) || isInSnomed(sent, type));
}

/** FHIR dateTime of a day at least; undefined: none is said that can be read. */
function performedOf({ source }: Reading, pr1: ProcedureSegment['pr1']): string | undefined {
  const time = parseTime((pr1.field(5).repetitions[0]?.text(1) ?? '').trim(), source.timeZone);
  return time === null || time.precision === 'year' || time.precision === 'month' ? undefined : time.dateTime;
}

/** undefined: none of the table. */
function actionOf(pr1: ProcedureSegment['pr1']): Action | undefined {
  const sent = pr1.field(20).text.trim().toUpperCase();
  return ACTIONS.find((one) => one === sent);
}

const UNPLACED =
  'PR1 is read behind the ORC or OBR of an order that is new or changed, or of results. Here it was not, and what was done was not recorded.';
const NO_ACTION = 'PR1-20 is A, D, U or X of table 0206. What was done was not recorded.';
const NOT_WITHDRAWN = 'An event is withdrawn over REST or FHIR. The message withdrew and recorded none.';
const NO_EVENT =
  'PR1-3 is no event of a wound that is known: a code of ours (99SUT), of SNOMED CT, or one of codes (PR1-3) of the listener. Nothing was recorded.';
const NO_TIME = 'PR1-5 says when it was done, its day at least. What was done was not recorded.';
const MORE_CODES = 'A PR1 says one thing that was done: the first code was read. Send each in a PR1 of its own.';
