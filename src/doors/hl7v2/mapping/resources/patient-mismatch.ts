import { createHash } from 'node:crypto';
import type { Identifier, Patient } from '@medplum/fhirtypes';
import {
  compareIdentity,
  isIdentityConflict,
  statementKey,
  statedPersonOf,
  type StatedPerson,
} from '../../../../core/patients/identity-comparison.js';
import { identifyingNumbers } from '../../../../core/patients/patient-numbers.js';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import type { PlanConflict } from '../plan/inbound-plan.js';
import { keyOf, sameKeyOf, systemValueOf } from '../reading/identifiers.js';
import { placeIn, type PatientUse, type Reading } from '../reading/message-reading.js';
import { birthDateOf, nameOf } from '../reading/persons.js';

/** Announcements by which the owner of a record corrects it. */
const CORRECTIONS: readonly string[] = ['A08', 'A31'];

/**
 * False where the message has the number of one person and the birth date or given names of another, and nobody has decided that they are one:
 * nothing is done, since its content would be filed under, and reported of, the wrong one. A correction (A08, A31) changes either of the two, not both at once. Another family name alone is a
 * warning. Neither repeats name or date.
 */
export function isSamePerson(
  reading: Reading,
  pid: Er7Segment,
  known: Patient,
  numbers: readonly Identifier[],
  use: PatientUse,
): boolean {
  const stated = statedIn(reading, pid);
  const found = compareIdentity(statedPersonOf(known.name ?? [], known.birthDate), stated);
  const isCorrection = use === 'announce' && CORRECTIONS.includes(reading.header.triggerEvent);
  const isConflict = isCorrection
    ? found.birthDate === 'conflict' && found.givenName === 'conflict'
    : isIdentityConflict(found);
  const place = placeIn(pid, found.birthDate === 'conflict' ? 7 : 5);
  if (isConflict && isDecidedSame(reading, pid, known, numbers)) return true;
  if (isConflict) reading.draft.conflict(conflictOf(reading, known, numbers, stated), place);
  else if (use === 'name' && found.familyName === 'differs') reading.draft.warn('patient.differs', place);
  return !isConflict;
}

/** Whether a person has decided that who is stated here is the one of the record. */
export function isDecidedSame(
  reading: Reading,
  pid: Er7Segment,
  known: Patient,
  numbers: readonly Identifier[],
): boolean {
  const { same } = reading.settled;
  return same.size > 0 && same.has(conflictOf(reading, known, numbers, statedIn(reading, pid)).key.toString('hex'));
}

function conflictOf(
  reading: Reading,
  known: Patient,
  numbers: readonly Identifier[],
  stated: StatedPerson,
): PlanConflict & { readonly key: Buffer } {
  const carried = new Set((known.identifier ?? []).map((number) => sameKeyOf(reading, systemValueOf(number))));
  const own = identifyingNumbers(numbers).map(systemValueOf);
  // Numbers of a record that was joined into this one lead here, too.
  const leading = own.some((number) => carried.has(sameKeyOf(reading, number)))
    ? own.filter((one) => carried.has(sameKeyOf(reading, one)))
    : own;
  const sorted = leading.map(keyOf).sort();
  return {
    patientId: known.id!,
    numbers: leading,
    key: createHash('sha256')
      .update(JSON.stringify([sorted, statementKey(stated)]))
      .digest(),
  };
}

/**
 * What a message that names a patient says of name and birth date where the record knows none. Nothing where the other one differs:
 * that may be another person.
 */
export function unknownUntilNow(
  reading: Reading,
  pid: Er7Segment,
  known: Patient,
): Pick<Patient, 'name' | 'birthDate'> {
  const {
    birthDate: birth,
    givenName,
    familyName,
  } = compareIdentity(statedPersonOf(known.name ?? [], known.birthDate), statedIn(reading, pid));
  if (birth === 'conflict' || givenName === 'conflict' || familyName === 'differs') return {};
  const [name, birthDate] = [nameOf(pid.field(5).repetitions), birthDateOf(reading, pid)];
  return {
    ...(name === undefined || (known.name ?? []).length > 0 ? {} : { name: [name] }),
    ...(birthDate === undefined || known.birthDate !== undefined ? {} : { birthDate }),
  };
}

export function statedIn(reading: Reading, pid: Er7Segment): StatedPerson {
  const name = nameOf(pid.field(5).repetitions);
  return statedPersonOf(name === undefined ? [] : [name], birthDateOf(reading, pid));
}
