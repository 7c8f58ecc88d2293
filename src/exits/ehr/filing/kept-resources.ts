import type { AnsweredResource } from '../calls/fhir-answer.js';
import { endedBy, type Write } from '../dialects/filing.js';
import type { KeptResource } from '../queue/kept-resource.js';
import { HeldError } from '../settings/holds.js';
import type { Found } from './looks.js';
import { isInError, versionOf } from './read-resources.js';

/** What a change leaves as it stands there, beside its own. */
export function keptThere({ keeps = [] }: Extract<Write, { kind: 'update' }>, present: AnsweredResource): object {
  const fields = present as Readonly<Record<string, unknown>>;
  return Object.fromEntries(keeps.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
}

/** What the ledger keeps of a write that was done. */
export function keptOf(write: Write, { type, id, versionId, mayDiffer }: Found, patient: string): KeptResource {
  const ended = endedBy(write);
  const doubt = mayDiffer === true ? { mayDiffer } : {};
  return { part: write.part, type, id, versionId, patient, ...doubt, ...(ended === undefined ? {} : { ended }) };
}

/**
 * A correction is filed on what was filed alone: not on another version, where both are known, as some servers name none; and not on what somebody
 * entered in error, nor on what may have been changed before it was found. What takes back is filed on whatever stands there. `ehr_changed_there`.
 */
export function requireUnchanged(write: Extract<Write, { kind: 'update' }>, present: AnsweredResource): void {
  if (endedBy(write) === 'entered-in-error') return;
  const [filed, versionId] = [write.of.versionId, versionOf(present)];
  const isOther = filed !== null && versionId !== null && filed !== versionId;
  if (isOther || write.of.mayDiffer === true || isInError(present)) throw new HeldError('ehr_changed_there');
}
