import type { FiledResource } from '../dialects/filing.js';
import { mayUndo, type OpenWrite } from '../queue/open-writes.js';
import { HeldError } from '../settings/holds.js';
import type { FilingTurn, LookTurn } from './filing-turn.js';
import { TAKEN, TransientError, underWay } from './refusals.js';

/**
 * None of these writes, which a look did not find, is carried out any more: that a person alone says. TransientError while one may come in time;
 * `ehr_outcome_unknown` after that, and at once where nobody knows in which chart.
 */
export function requireOver(writes: readonly OpenWrite[], { patience }: Pick<LookTurn, 'patience'>): void {
  const unknown = unlookedFor(writes);
  if (unknown.length === 0) return;
  const ageMs = Math.min(...unknown.map((one) => one.ageMs));
  const isTaken = unknown.some((one) => one.isTaken);
  if (unknown.some(({ patient }) => patient === null) || ageMs >= (isTaken ? patience.takenMs : patience.lateMs))
    throw new HeldError('ehr_outcome_unknown', isTaken ? [String(TAKEN)] : []);
  if (isTaken) throw new TransientError({ status: TAKEN, codes: [], retryAfterMs: null });
  throw underWay(patience.lateMs - ageMs);
}

/**
 * Creates with a condition, where nothing is there, or what is there is known: it is certain that a search and a condition see what one of them has
 * made, which many servers do after a while alone. TransientError. What the EHR has taken it may have looked at then: as `requireOver`.
 */
export function requireShown(writes: readonly OpenWrite[], turn: Pick<LookTurn, 'patience'>): void {
  const unknown = unlookedFor(writes);
  if (unknown.some(({ isTaken }) => isTaken)) return requireOver(unknown, turn);
  const { lateMs } = turn.patience;
  const ageMs = Math.min(...unknown.map((one) => one.ageMs));
  if (ageMs < lateMs) throw underWay(lateMs - ageMs);
}

/** What is beside one that is known: as `requireShown` where a condition finds that, else as `requireOver`. */
export function requireNoOther(creates: readonly OpenWrite[], turn: Pick<LookTurn, 'patience'>): void {
  const isConditional = ({ kind, isUnguarded }: OpenWrite): boolean => kind === 'create-once' && isUnguarded !== true;
  requireShown(creates.filter(isConditional), turn);
  requireOver(
    creates.filter((one) => !isConditional(one)),
    turn,
  );
}

/** Creates with a condition that may stand in this chart, and that nobody has looked for. */
export function conditionalIn(open: readonly OpenWrite[], patient: string): readonly OpenWrite[] {
  return unlookedFor(open).filter((one) => one.kind === 'create-once' && one.patient === patient);
}

/** How many requests these are. */
export function timesOf(writes: readonly OpenWrite[]): number {
  return writes.reduce((sum, { times }) => sum + times, 0);
}

/** A change that the EHR has taken is not sent again; others are. As `requireOver`. */
export function requireNotTaken({ type, id }: Pick<FiledResource, 'type' | 'id'>, turn: FilingTurn): void {
  const isOf = ({ target }: OpenWrite): boolean => target === undefined || target === `${type}/${id}`;
  requireOver(
    turn.earlier.open.filter((one) => one.isTaken && isOf(one)),
    turn,
  );
}

/** Of changes that may go over a later one: those that were not seen done. `done`: their targets. */
export function undoingBeside(
  open: readonly OpenWrite[],
  done: ReadonlySet<string>,
  areAllDone: boolean,
): readonly OpenWrite[] {
  const isSeen = ({ target, times }: OpenWrite): boolean =>
    times === 1 && (target === undefined ? areAllDone : done.has(target));
  return open.filter((one) => one.kind === 'change' && mayUndo(one) && !isSeen(one));
}

function unlookedFor(writes: readonly OpenWrite[]): readonly OpenWrite[] {
  return writes.filter(({ isLookedFor }) => isLookedFor !== true);
}
