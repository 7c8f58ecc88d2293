import type { Observation } from '@medplum/fhirtypes';
import type { Reading } from '../reading/message-reading.js';

/**
 * Whether a finding of a message that is read once more was stated or corrected since, through whatever door: of the same wound and moment, or of no
 * stated moment, which a course would take for the present one. Of more than can be looked at somebody has to look.
 */
export async function isStatedSince({ earlier, records, source }: Reading, finding: Observation): Promise<boolean> {
  if (earlier === null || earlier.kind === 'replayed') return false;
  const patient = finding.subject?.reference ?? '';
  // Of a patient, or a wound, who is made by the message itself nobody has stated anything.
  if (!patient.startsWith('Patient/') || woundOf(finding)?.startsWith('urn:') === true) return false;
  const codes = (finding.code.coding ?? []).filter(({ code }) => code !== undefined);
  const found = await records.findingsSince(source, { patient, codes, since: earlier.standsFrom });
  if (found === 'too_many') return true;
  return found.some((one) => woundOf(one) === woundOf(finding) && mayBeOneMoment(one, finding));
}

function woundOf({ focus }: Observation): string | undefined {
  return focus?.[0]?.reference;
}

function mayBeOneMoment(one: Observation, other: Observation): boolean {
  const [first, second] = [one.effectiveDateTime, other.effectiveDateTime];
  if (first === undefined || second === undefined) return true;
  // `2026-03-15` is any moment of that day.
  return first.startsWith(second) || second.startsWith(first) || Date.parse(first) === Date.parse(second);
}
