import type { Observation } from '@medplum/fhirtypes';
import type { RecordLookups } from '../../../../standards/hl7v2/records/clinical-records.js';
import type { EarlierHandling } from '../reading/earlier-handling.js';
import type { Reading } from '../reading/message-reading.js';

/** Whether a finding of a message that is read once more was stated or corrected since it came, through whatever door. */
export async function isStatedSince(reading: Reading, finding: Observation): Promise<boolean> {
  const { draft, earlier, records, source } = reading;
  if (earlier?.kind !== 'untouched') return false;
  draft.expectUnstated(finding);
  return (await statementsSince(records, source, earlier, finding)).length > 0;
}

/**
 * Those of a finding that came later: of the same wound and moment, or of no stated moment, which a course would take for the present one. What an older
 * message of the same run stated came before.
 */
export async function statementsSince(
  records: Pick<RecordLookups, 'findingsSince'>,
  tenant: Parameters<RecordLookups['findingsSince']>[0],
  { receivedAt, run }: Pick<EarlierHandling, 'receivedAt' | 'run'>,
  finding: Observation,
): Promise<readonly Observation[]> {
  const patient = finding.subject?.reference ?? '';
  // Of a patient, or a wound, who is made by the message itself nobody has stated anything.
  if (!patient.startsWith('Patient/') || woundOf(finding)?.startsWith('urn:') === true) return [];
  const codes = (finding.code.coding ?? []).filter(({ code }) => code !== undefined);
  const found = await records.findingsSince(tenant, { patient, codes, since: receivedAt });
  return found.filter(
    (one) => run?.changedBefore(one) === undefined && woundOf(one) === woundOf(finding) && mayBeOneMoment(one, finding),
  );
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
