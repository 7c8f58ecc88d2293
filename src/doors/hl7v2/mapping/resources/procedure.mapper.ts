import { mappedCodeOf } from '../reading/code-maps.js';
import { isStillToDo } from '../reading/earlier-handling.js';
import { placeIn, plain, timeOf, type Reading } from '../reading/message-reading.js';
import type { ProcedureSegment } from '../reading/order-groups.js';
import { practitionerOf } from '../reading/persons.js';
import { knownEventOf, linesOf, planEvent, type EventContext } from './event.mapper.js';
import { MAX_TEXT } from './finding-value.js';

/** Table 0206: what is to become of what was sent before. */
const ACTIONS = ['', 'A', 'U', 'X', 'D'] as const;
type Action = (typeof ACTIONS)[number];

/** The subjects of a procedure; `wound`: null, or why it is not known which of them it was done to. */
export interface ProcedureContext extends Omit<EventContext, 'observedAt' | 'wound'> {
  readonly wound: NonNullable<EventContext['wound']> | NoWound;
}

/** `unnamed`: the message names no wound by number; `several`: it names more than one; `unplaced`: the segment stands before the first order. */
export type NoWound = 'unnamed' | 'several' | 'unplaced';

const NOT_RECORDED: Readonly<Record<NoWound, string>> = {
  unnamed:
    'What was done is recorded of a wound with a number: send it in a row wound-id. Which wound was meant is not guessed.',
  several:
    'The wounds of the message are several, and PR1 cannot say which was meant: send it in a row wound-event with the OBX-4 of its wound.',
  unplaced: 'PR1 is read behind the OBR of the photos or findings of its wound. What was done was not recorded.',
};

/**
 * Plans a PR1 as an event of the wound that its message names, once by kind and time, like a row `wound-event`. Refused: PR1-3 or PR1-5 empty or
 * unreadable, PR1-20 none of table 0206. Without a wound nothing is recorded, with a warning.
 */
export async function planProcedure(
  reading: Reading,
  { pr1, notes }: ProcedureSegment,
  context: ProcedureContext,
): Promise<void> {
  const { draft, source } = reading;
  if (!isStillToDo(reading.earlier, pr1)) return;
  const { wound } = context;
  if (typeof wound === 'string') {
    draft.warn('finding.kept', placeIn(pr1), NOT_RECORDED[wound]);
    return;
  }
  const action = actionOf(reading, pr1);
  const [code] = pr1.field(3).repetitions;
  if (code === undefined || pr1.field(3).state !== 'valued')
    return void draft.refuse('field.required', placeIn(pr1, 3), 'PR1-3 says what was done.');
  const performed = timeOf(reading, pr1, 5)?.dateTime;
  if (performed === undefined && !draft.isRefused)
    draft.refuse('field.required', placeIn(pr1, 5), 'PR1-5 says when it was done, its day at least.');
  if (performed === undefined || action === null) return;
  if (action === 'D') return void draft.warn('finding.kept', placeIn(pr1, 20), NOT_WITHDRAWN);
  const readAs = mappedCodeOf(source.codes, 'PR1-3', pr1);
  const described = plain(pr1.field(4).repetitions[0]?.text(1) ?? '', MAX_TEXT);
  const isKnown = knownEventOf(reading, code, readAs) !== undefined;
  await planEvent(reading, {
    ...context,
    wound,
    performed,
    code,
    readAs,
    words: described,
    performer: practitionerOf(reading, pr1.field(11).repetitions[0] ?? pr1.field(12).repetitions[0]),
    notes: [...(isKnown && described !== undefined ? [described] : []), ...linesOf(notes)],
    place: placeIn(pr1),
    codePlace: placeIn(pr1, 3),
    correctionPlace: action === 'U' ? placeIn(pr1, 20) : null,
  });
}

/** Of a message about a patient, who has other procedures than those of wounds: those alone that are known as events of a wound are told of. */
export function isEventOfWound(reading: Reading, { pr1 }: ProcedureSegment): boolean {
  const readAs = mappedCodeOf(reading.source.codes, 'PR1-3', pr1);
  return knownEventOf(reading, pr1.field(3).repetitions[0], readAs) !== undefined;
}

/** null: refused. */
function actionOf({ draft }: Reading, pr1: ProcedureSegment['pr1']): Action | null {
  const sent = pr1.field(20).text.trim().toUpperCase();
  const action = ACTIONS.find((one) => one === sent);
  return action ?? draft.refuse('code.unknown', placeIn(pr1, 20), 'PR1-20 is A, D, U or X of table 0206.');
}

const NOT_WITHDRAWN = 'An event is withdrawn over REST or FHIR. The message withdrew and recorded none.';
