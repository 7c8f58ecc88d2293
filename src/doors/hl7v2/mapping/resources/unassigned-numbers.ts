import type { Identifier, Patient } from '@medplum/fhirtypes';
import {
  compareIdentity,
  isIdentityConflict,
  statedPersonOf,
  type StatedPerson,
} from '../../../../core/patients/identity-comparison.js';
import { identifyingNumbers } from '../../../../core/patients/patient-numbers.js';
import type { ProblemPlace } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { Reading } from '../reading/message-reading.js';

/**
 * Asks whose the numbers are, where nobody has said it of their facility, no record has them as the facility's own, and one that has them in the
 * organization's numbering may be of the same person. False: there is nothing to ask. `stated` null: the message says nothing of the person.
 */
export async function asksWhose(
  { draft, records, source }: Reading,
  numbers: readonly Identifier[],
  stated: StatedPerson | null,
  place: ProblemPlace,
): Promise<boolean> {
  const { unassigned } = draft;
  if (unassigned === null) return false;
  const { system, sourceId, facility } = unassigned;
  const bare = identifyingNumbers(numbers).flatMap((number) =>
    number.system === system && number.value !== undefined ? [{ system: '', value: number.value }] : [],
  );
  if (bare.length === 0) return false;
  const known = await records.findByIdentifier<Patient>(source, 'Patient', bare);
  const rival = known.find((patient) => stated === null || mayBe(patient, stated));
  if (rival === undefined) return false;
  draft.ask({ sourceId, facility, patientId: rival.id! }, place);
  return true;
}

/** What is not known speaks for nobody and against nobody. */
function mayBe({ name = [], birthDate }: Patient, stated: StatedPerson): boolean {
  return !isIdentityConflict(compareIdentity(statedPersonOf(name, birthDate), stated));
}
