import type { Identifier, Patient } from '@medplum/fhirtypes';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { sameKeyOf, systemValueOf } from '../reading/identifiers.js';
import { placeIn, type PatientUse, type Reading } from '../reading/message-reading.js';

/** Far more than a real chain of merges. */
const MAX_MERGES = 8;

/** False: the numbers belong to a record that was merged into this one (ADT^A40), by whatever steps, and none to the record itself. */
export async function carriesOneOf(
  { records, source }: Pick<Reading, 'records' | 'source'>,
  patient: Patient,
  numbers: readonly Identifier[],
): Promise<boolean> {
  const said = new Set(numbers.map((number) => sameKeyOf({ source }, systemValueOf(number))));
  const isSaid = ({ identifier = [] }: Patient): boolean =>
    identifier.some((number) => said.has(sameKeyOf({ source }, systemValueOf(number))));
  if (isSaid(patient)) return true;
  const seen = new Set([patient.id]);
  let merged = replacedBy(patient);
  for (let step = 0; step < MAX_MERGES && merged.length > 0; step += 1) {
    const further: string[] = [];
    for (const id of merged) {
      if (seen.has(id)) continue;
      seen.add(id);
      const joined = await records.read<Patient>(source, 'Patient', id);
      if (joined === null) continue;
      if (isSaid(joined)) return false;
      further.push(...replacedBy(joined));
    }
    merged = further;
  }
  return true;
}

/** Ids of the records that were merged into this one directly. */
function replacedBy({ link = [] }: Patient): string[] {
  return link.flatMap(({ type, other }) =>
    type === 'replaces' ? (other.reference?.replace(/^Patient\//, '') ?? []) : [],
  );
}

/**
 * Refuses to announce a merged record, which would overwrite the surviving one. A message that only names it goes to
 * the surviving record, with a warning.
 */
export function refuseJoined({ draft }: Reading, pid: Er7Segment, use: PatientUse): boolean {
  if (use === 'announce') draft.refuse('patient.joined', placeIn(pid, 3));
  else
    draft.warn(
      'patient.joined',
      placeIn(pid, 3),
      'The number is of a record that was joined into another. It was taken for that one; send its number from now on.',
    );
  return use === 'announce';
}

/** The surviving record of a patient: the one that it was merged into, or itself. */
export async function firstRecordOf(
  { records, source }: Pick<Reading, 'records' | 'source'>,
  patient: Patient,
): Promise<Patient> {
  let standing = patient;
  for (let step = 0; step < MAX_MERGES; step += 1) {
    const next = standing.link?.find(({ type }) => type === 'replaced-by')?.other?.reference?.replace(/^Patient\//, '');
    const record = next === undefined ? null : await records.read<Patient>(source, 'Patient', next);
    if (record === null) return standing;
    standing = record;
  }
  return standing;
}
