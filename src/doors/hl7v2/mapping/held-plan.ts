import type { Hl7Problem } from '../../../standards/hl7v2/problems/hl7-problem.js';
import { warned } from '../../../standards/hl7v2/problems/problem-catalogue.js';
import type { InboundPlan } from './plan/inbound-plan.js';
import type { Hl7Source } from './reading/hl7-source.js';

const CONFLICT = 'patient.conflict';
const UNKNOWN = 'authority.unknown';
const ASKED =
  'The number names no assigning authority, and is known from another facility of this connection, of a person who may be the same. The message is kept, and nothing of it is filed until a person has decided whose numbers these are';
const HELD =
  'The record of this number has another birth date or other given names. The message is kept, and nothing of it is filed until a person has decided who is meant';

/** Whether nothing but the question who is meant stands against a message, and its sender has it held. */
export function isToBeHeld({ conflicts, problems }: InboundPlan, { onConflict }: Hl7Source): boolean {
  return (
    conflicts.length > 0 &&
    onConflict === 'hold' &&
    problems.every(({ severity, code }) => severity !== 'error' || code === CONFLICT)
  );
}

/** Whether nothing but the question whose a number is stands against a message. */
export function isToBeAsked({ unsure, problems }: InboundPlan): boolean {
  return (unsure ?? null) !== null && problems.every(({ severity, code }) => severity !== 'error' || code === UNKNOWN);
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
