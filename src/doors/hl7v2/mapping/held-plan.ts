import type { Hl7Problem } from '../../../standards/hl7v2/problems/hl7-problem.js';
import { warned } from '../../../standards/hl7v2/problems/problem-catalogue.js';
import type { InboundPlan } from './plan/inbound-plan.js';
import type { Hl7Source } from './reading/hl7-source.js';

const CONFLICT = 'patient.conflict';
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

/** What its sender is told: it is accepted, and waits; `itemId`: for what, null where nothing is stored. */
export function heldProblems(problems: readonly Hl7Problem[], itemId: string | null): Hl7Problem[] {
  const text = `${HELD}${itemId === null ? '' : ` (held ${itemId})`}.`;
  return problems.map((problem) => (problem.code === CONFLICT ? warned(CONFLICT, problem.place, text) : problem));
}
