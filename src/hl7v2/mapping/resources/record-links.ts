import type { Patient } from '@medplum/fhirtypes';
import type { Reading } from '../reading/message-reading.js';

/** Far more than a real chain of merges. */
const MAX_MERGES = 8;

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
