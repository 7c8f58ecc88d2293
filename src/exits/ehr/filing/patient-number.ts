import type { AuthorityTable } from '../../../core/patients/authority-table.js';
import type { PatientIdentifier } from '../../../core/patients/patient.js';

/**
 * The number by which an EHR knows the patient: one of its system, in whichever spelling; else a bare one, where bare numbers are this EHR's. null:
 * there is none, and a number of another authority is never sent in its place.
 */
export function numberFor(
  identifiers: readonly PatientIdentifier[],
  patientSystem: string,
  { table, takesBare }: { readonly table: AuthorityTable; readonly takesBare: boolean },
): string | null {
  const own = identifiers.find(({ system }) => system !== '' && table.isSame(system, patientSystem));
  if (own !== undefined) return own.value;
  return takesBare ? (identifiers.find(({ system }) => system === '')?.value ?? null) : null;
}
