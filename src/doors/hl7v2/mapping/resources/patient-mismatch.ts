import type { Patient } from '@medplum/fhirtypes';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { placeIn, type PatientUse, type Reading } from '../reading/message-reading.js';
import { birthDateOf, nameOf } from '../reading/persons.js';

/**
 * Warns where a message has the number of one person and the name or birth date of another: the number may be mistyped.
 * An announcement may change either, but hardly ever both. The warning repeats neither name nor date.
 */
export function warnOfOther(reading: Reading, pid: Er7Segment, known: Patient, use: PatientUse): void {
  const { hasOtherName, hasOtherBirth } = differencesOf(reading, pid, known);
  if (use === 'announce' ? !(hasOtherName && hasOtherBirth) : !hasOtherName && !hasOtherBirth) return;
  const text =
    use === 'announce'
      ? 'The record of this number had another name and another birth date until now; both were changed. Check that the number is that of this patient.'
      : undefined;
  reading.draft.warn('patient.differs', placeIn(pid, hasOtherBirth ? 7 : 5), text);
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
  const { hasOtherName, hasOtherBirth } = differencesOf(reading, pid, known);
  if (hasOtherName || hasOtherBirth) return {};
  const [name, birthDate] = [nameOf(pid.field(5).repetitions), birthDateOf(reading, pid)];
  return {
    ...(name === undefined || (known.name ?? []).length > 0 ? {} : { name: [name] }),
    ...(birthDate === undefined || known.birthDate !== undefined ? {} : { birthDate }),
  };
}

interface Differences {
  readonly hasOtherName: boolean;
  readonly hasOtherBirth: boolean;
}

function differencesOf(reading: Reading, pid: Er7Segment, known: Patient): Differences {
  const family = nameOf(pid.field(5).repetitions)?.family;
  const names = (known.name ?? []).map((name) => name.family ?? name.text);
  return {
    hasOtherName: isOtherName(family, names),
    hasOtherBirth: isOtherDay(birthDateOf(reading, pid), known.birthDate),
  };
}

/** Compares letters alone, since case, accents, hyphens and blanks vary between systems. */
function isOtherName(said: string | undefined, known: readonly (string | undefined)[]): boolean {
  const names = known.flatMap((name) => (name === undefined ? [] : [lettersOf(name)])).filter((name) => name !== '');
  const name = lettersOf(said ?? '');
  return name !== '' && names.length > 0 && !names.some((one) => one.includes(name) || name.includes(one));
}

/** Compares as far as both are precise: a year and a day of that year do not differ. */
function isOtherDay(said: string | undefined, known: string | undefined): boolean {
  return said !== undefined && known !== undefined && !said.startsWith(known) && !known.startsWith(said);
}

function lettersOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/ae|oe|ue/g, (pair) => pair[0]!)
    .normalize('NFD')
    .replaceAll(/[^\p{L}]/gu, '');
}
