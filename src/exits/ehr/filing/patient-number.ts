import { AUTHORITY_DOORS } from '../../../core/patients/authority.js';
import type { AuthorityTable } from '../../../core/patients/authority-table.js';
import type { PatientIdentifier } from '../../../core/patients/patient.js';

/**
 * The number by which an EHR knows the patient: one of its system, in whichever spelling; else a bare one, where no other authority is the default of
 * bare numbers. null: there is none, and a number of another authority is never sent in its place.
 */
export function numberFor(
  identifiers: readonly PatientIdentifier[],
  patientSystem: string,
  table: AuthorityTable,
): string | null {
  const own = identifiers.find(({ system }) => system !== '' && table.isSame(system, patientSystem));
  if (own !== undefined) return own.value;
  const defaults = AUTHORITY_DOORS.flatMap((door) => table.defaultFor({ door }) ?? []);
  if (defaults.some((system) => !table.isSame(system, patientSystem))) return null;
  return identifiers.find(({ system }) => system === '')?.value ?? null;
}
