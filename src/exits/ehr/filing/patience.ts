import type { FiledResource } from '../dialects/filing.js';
import type { OpenWrite } from '../queue/open-writes.js';
import { HeldError } from '../settings/holds.js';
import type { FilingTurn, LookTurn } from './filing-turn.js';
import { TAKEN, TransientError, underWay } from './refusals.js';

/**
 * None of these writes, which a look did not find, is carried out any more: that a person alone says. TransientError while one may come in time;
 * `ehr_outcome_unknown` after that, and at once where nobody knows in which chart.
 */
export function requireOver(writes: readonly OpenWrite[], { isAskedAnew, patience }: LookTurn): void {
  const unknown = writes.filter(({ isLookedFor }) => isLookedFor !== true);
  if (isAskedAnew || unknown.length === 0) return;
  const ageMs = Math.min(...unknown.map((one) => one.ageMs));
  const isTaken = unknown.some((one) => one.isTaken);
  if (unknown.some(({ patient }) => patient === null) || ageMs >= (isTaken ? patience.takenMs : patience.lateMs))
    throw new HeldError('ehr_outcome_unknown', isTaken ? [String(TAKEN)] : []);
  if (isTaken) throw new TransientError({ status: TAKEN, codes: [], retryAfterMs: null });
  throw underWay(patience.lateMs - ageMs);
}

/**
 * A create with a condition is sent again once it is certain that the condition sees what the one before has made: searches and conditions of many
 * servers see it only after a while. TransientError.
 */
export function requireShown(writes: readonly OpenWrite[], { isAskedAnew, patience }: LookTurn): void {
  const unknown = writes.filter(({ isLookedFor }) => isLookedFor !== true);
  const ageMs = Math.min(...unknown.map((one) => one.ageMs));
  if (!isAskedAnew && ageMs < patience.lateMs) throw underWay(patience.lateMs - ageMs);
}

/**
 * Beside what was answered, another one of these may stand that is not shown yet: only a look after a while is the end. TransientError.
 */
export function requireAlone({ earlier, isAskedAnew, patience }: FilingTurn, patient: string): void {
  const others = earlier.open.filter(
    (one) => one.kind === 'create-once' && one.patient === patient && one.isLookedFor !== true,
  );
  if (!isAskedAnew && others.length > 0) throw underWay(patience.lateMs);
}

/** A change that the EHR has taken is not sent again; others are. As `requireOver`. */
export function requireNotTaken({ type, id }: Pick<FiledResource, 'type' | 'id'>, turn: FilingTurn): void {
  const isOf = ({ target }: OpenWrite): boolean => target === undefined || target === `${type}/${id}`;
  requireOver(
    turn.earlier.open.filter((one) => one.isTaken && isOf(one)),
    turn,
  );
}
