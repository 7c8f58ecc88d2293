import type { Hl7Problem } from '../../../standards/hl7v2/problems/hl7-problem.js';
import { warned } from '../../../standards/hl7v2/problems/problem-catalogue.js';
import type { InboundPlan } from './plan/inbound-plan.js';
import type { Hl7Source } from './reading/hl7-source.js';

const CONFLICT = 'patient.conflict';
const UNKNOWN = 'authority.unknown';
const UNANNOUNCED = 'patient.unknown';
/** The order or document that a message names may be in one that waits. */
const CURED: readonly string[] = ['order.unknown', 'document.unknown'];
const AWAITED =
  'No earlier message announced this patient. The message is kept, and nothing of it is filed until the patient comes by any door, or a person has decided';
const BEHIND =
  'Earlier messages about this patient waited until the patient was announced, and are still to be worked off. This one follows them';
const LOOKED_FOR_AGAIN = 'It may be in a message that waits, and is looked for again once this one is worked off.';
const STANDING =
  'It was accepted before, while it waited, and cannot be carried out as it stands. It is kept, and a person is asked';
const ASKED =
  'The number names no assigning authority, and is known from another facility of this connection, of a person who may be the same. The message is kept, and nothing of it is filed until a person has decided whose numbers these are';
const HELD =
  'The record of this number has another birth date or other given names. The message is kept, and nothing of it is filed until a person has decided who is meant';

/** Whether nothing but the question who is meant stands against a message, and its sender has it held, or was told before that it is accepted. */
export function isToBeHeld(
  { conflicts, problems }: InboundPlan,
  { onConflict }: Hl7Source,
  wasAccepted = false,
): boolean {
  return (
    conflicts.length > 0 &&
    (onConflict === 'hold' || wasAccepted) &&
    problems.every(({ severity, code }) => severity !== 'error' || code === CONFLICT)
  );
}

/** Whether nothing but the question whose a number is stands against a message. */
export function isToBeAsked({ unsure, problems }: InboundPlan): boolean {
  return (unsure ?? null) !== null && problems.every(({ severity, code }) => severity !== 'error' || code === UNKNOWN);
}

/** Whether nothing stands against a message but a patient whom nobody has announced, and what may wait with it. */
export function isToWait(plan: InboundPlan): boolean {
  return (plan.awaited ?? []).length > 0 && isCuredByWaiting(plan);
}

/** Whether all that refuses a message may be put right by earlier ones that wait. */
export function isCuredByWaiting({ problems }: InboundPlan): boolean {
  return problems.every(({ severity, code }) => severity !== 'error' || CURED.includes(code));
}

/** Its sender is told what was not found: nothing else would tell of a mistyped number. */
function warnedOfCured(problems: readonly Hl7Problem[]): Hl7Problem[] {
  return problems.map((problem) =>
    problem.severity === 'error'
      ? { ...problem, severity: 'warning', text: `${problem.text} ${LOOKED_FOR_AGAIN}` }
      : problem,
  );
}

/** What its sender is told: it is accepted, and waits; `itemId`: for what, null where nothing is stored. */
export function waitingProblems(problems: readonly Hl7Problem[], itemId: string | null): Hl7Problem[] {
  const text = `${AWAITED}${itemId === null ? '' : ` (held ${itemId})`}.`;
  const said = warnedOfCured(problems).map((problem) =>
    problem.code === UNANNOUNCED ? warned(UNANNOUNCED, problem.place, text) : problem,
  );
  // Some senders show the first alone.
  return [...said.filter(({ code }) => code === UNANNOUNCED), ...said.filter(({ code }) => code !== UNANNOUNCED)];
}

/** What the sender of a message is told that waits behind earlier ones. */
export function behindProblems(problems: readonly Hl7Problem[], itemId: string): Hl7Problem[] {
  return [...warnedOfCured(problems), warned(UNANNOUNCED, null, `${BEHIND} (held ${itemId}).`)];
}

/** Whether a held message waits for nobody: it was accepted before, and cannot be carried out. */
export function isStanding(problems: readonly Pick<Hl7Problem, 'code' | 'text'>[]): boolean {
  return (
    problems.some(({ text }) => text.includes(STANDING)) ||
    !problems.some(({ code }) => [UNANNOUNCED, CONFLICT, UNKNOWN].includes(code))
  );
}

/** What is said of a message that was accepted before and cannot be carried out: its sender does not wait for an answer any more. */
export function standingProblems(problems: readonly Hl7Problem[], itemId: string): Hl7Problem[] {
  return problems.map((problem) =>
    problem.severity === 'error'
      ? { ...problem, severity: 'warning', text: `${problem.text} ${STANDING} (held ${itemId}).` }
      : problem,
  );
}

/** What its sender is told: it is accepted, and waits; `itemId`: for what, null where nothing is stored. */
export function askedProblems(problems: readonly Hl7Problem[], itemId: string | null): Hl7Problem[] {
  const text = `${ASKED}${itemId === null ? '' : ` (held ${itemId})`}.`;
  return problems.map((problem) => (problem.code === UNKNOWN ? warned(UNKNOWN, problem.place, text) : problem));
}

/** What its sender is told: it is accepted, and waits; `itemId`: for what, null where nothing is stored. */
export function heldProblems(problems: readonly Hl7Problem[], itemId: string | null): Hl7Problem[] {
  const text = `${HELD}${itemId === null ? '' : ` (held ${itemId})`}.`;
  return problems.map((problem) => (problem.code === CONFLICT ? warned(CONFLICT, problem.place, text) : problem));
}
