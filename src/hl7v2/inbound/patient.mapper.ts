import type { Identifier, Patient } from '@medplum/fhirtypes';
import { isAtLeastVersion, type Er7Segment } from '../er7/index.js';
import { criteriaOf, identifiersOf, keyOf, systemValueOf } from './identifiers.js';
import { dayOf, isSameResource, placeIn, stated, timeOf, type Reading } from './message-reading.js';
import { addressOf, contactOf, nameOf } from './persons.js';
import type { PlannedResource } from './plan-draft.js';
import { firstRecordOf } from './record-links.js';
import { lookUp } from './table-lookup.js';

/** Table 0001. */
const GENDER: Readonly<Record<string, Patient['gender']>> = { F: 'female', M: 'male', O: 'other', U: 'unknown', A: 'other', N: 'other' };
/** Fields that identified patients before 2.7 withdrew them, and the type of what stands in them. */
const OLDER_NUMBERS: readonly (readonly [field: number, type: string | undefined])[] = [
  [2, 'PI'],
  [4, 'PI'],
];
/** Types of numbers that a record is known by; one without a type may be such a number. */
const KNOWN_BY: readonly (string | undefined)[] = ['MR', 'PI', undefined];

/** The patient of a message. */
export interface PlannedPatient extends PlannedResource {
  /** As it was; null: new. */
  readonly before: Patient | null;
  readonly identifiers: readonly Identifier[];
}

/** What a message may do with its patient: `announce` writes what PID says, `name` says no more than whose the rest is. */
export type PatientUse = 'announce' | 'name';

/** null: it is refused. */
export async function planPatient(reading: Reading, pid: Er7Segment | null, use: PatientUse): Promise<PlannedPatient | null> {
  const { draft, source } = reading;
  if (pid === null) return draft.refuse('segment.missing', { segment: 'PID', sequence: 1 }, 'The PID segment is required in this message.');
  const identifiers = patientNumbersOf(reading, pid);
  if (identifiers.length === 0) return draft.isRefused ? null : draft.refuse('field.required', placeIn(pid, 3), 'PID-3 needs at least one identifier of the patient.');
  const found = await findPatient(reading, pid, identifiers);
  if (found === 'refused') return null;
  if (found === null && use === 'name' && source.unknownPatient === 'reject') return draft.refuse('patient.unknown', placeIn(pid, 3));
  const key = found === null ? `Patient ${keyOf(systemValueOf(identifiers[0]!))}` : `Patient/${found.id}`;
  const planned = await draft.once(key, () => Promise.resolve(found === null ? createPatient(reading, pid, identifiers) : changePatient(reading, pid, found, identifiers, use)));
  return planned === null ? null : { ...planned, before: found, identifiers };
}

/** PID-3; where that is empty, the fields that older versions had for the same. */
export function patientNumbersOf(reading: Reading, pid: Er7Segment): Identifier[] {
  const numbers = identifiersOf(reading, pid, 3);
  if (numbers.length > 0 || isAtLeastVersion(reading.header.versionId, '2.7')) return numbers;
  return OLDER_NUMBERS.flatMap(([field, type]) => identifiersOf(reading, pid, field, type));
}

/** Numbers that a record is looked up by: those of type MR and PI and those without one, or all where there are none of these. */
export function knownBy(identifiers: readonly Identifier[]): readonly Identifier[] {
  const strong = identifiers.filter(({ type }) => KNOWN_BY.includes(type?.coding?.[0]?.code));
  return strong.length === 0 ? identifiers : strong;
}

async function findPatient(reading: Reading, pid: Er7Segment, identifiers: readonly Identifier[]): Promise<Patient | null | 'refused'> {
  const { records, source, draft } = reading;
  const found = await records.findByIdentifier<Patient>(source, 'Patient', knownBy(identifiers).map(systemValueOf));
  const standing = new Map<string, Patient>();
  for (const patient of found) {
    const survivor = await firstRecordOf(reading, patient);
    standing.set(survivor.id!, survivor);
  }
  if (standing.size <= 1) return [...standing.values()][0] ?? null;
  draft.refuse('patient.multiple_matches', placeIn(pid, 3));
  return 'refused';
}

function createPatient(reading: Reading, pid: Er7Segment, identifiers: Identifier[]): PlannedResource {
  const patient: Patient = { resourceType: 'Patient', identifier: identifiers, ...(reading.source.storeDemographics ? demographicsOf(reading, pid).said : {}) };
  return reading.draft.create(patient, placeIn(pid), criteriaOf(knownBy(identifiers).map(systemValueOf)));
}

function changePatient(reading: Reading, pid: Er7Segment, before: Patient, identifiers: readonly Identifier[], use: PatientUse): PlannedResource {
  const known = new Set((before.identifier ?? []).map((identifier) => keyOf(systemValueOf(identifier))));
  const added = identifiers.filter((identifier) => !known.has(keyOf(systemValueOf(identifier))));
  const { said, deleted } = use === 'announce' && reading.source.storeDemographics ? demographicsOf(reading, pid) : { said: {}, deleted: [] };
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => !deleted.includes(name))) as unknown as Patient;
  const after: Patient = { ...kept, ...said, ...(added.length === 0 ? {} : { identifier: [...(before.identifier ?? []), ...added] }) };
  // What is only named is not written for a number more: a later announcement brings it.
  if (use === 'name' || isSameResource(before, after)) return { reference: `Patient/${before.id}`, entry: null };
  return reading.draft.change(after, placeIn(pid));
}

/** Present fields are said, `""` deletes, and of absent ones nothing is said. */
function demographicsOf(reading: Reading, pid: Er7Segment): { readonly said: Partial<Patient>; readonly deleted: readonly string[] } {
  const repeated = <T>(position: number, map: (repetition: ReturnType<Er7Segment['field']>['repetitions'][number]) => T | undefined): T[] => pid.field(position).repetitions.flatMap((one) => map(one) ?? []);
  const name = nameOf(pid.field(5).repetitions);
  const said = stated<Patient>({
    name: name === undefined ? undefined : [name],
    birthDate: birthDateOf(reading, pid),
    gender: genderOf(reading, pid),
    address: repeated(11, addressOf),
    telecom: repeated(13, contactOf),
    ...deceasedOf(reading, pid),
  });
  const elements: readonly (readonly [number, readonly string[]])[] = [
    [5, ['name']],
    [7, ['birthDate']],
    [8, ['gender']],
    [11, ['address']],
    [13, ['telecom']],
    [29, ['deceasedDateTime']],
    [30, ['deceasedBoolean', 'deceasedDateTime']],
  ];
  const deleted = elements.flatMap(([position, names]) => (pid.field(position).state === 'null' ? names : []));
  // A choice has one form: the new one takes the place of the other.
  const replaced = 'deceasedDateTime' in said ? ['deceasedBoolean'] : 'deceasedBoolean' in said ? ['deceasedDateTime'] : [];
  return { said, deleted: [...deleted, ...replaced] };
}

function birthDateOf(reading: Reading, pid: Er7Segment): string | undefined {
  const time = timeOf(reading, pid, 7);
  return time === null ? undefined : dayOf(time);
}

function genderOf({ draft }: Reading, pid: Er7Segment): Patient['gender'] | undefined {
  const code = pid.field(8).text.trim().toUpperCase();
  if (code === '') return undefined;
  const gender = lookUp(GENDER, code);
  if (gender === undefined) draft.warn('code.unknown', placeIn(pid, 8), 'The code is not one of table 0001. The field was left out.');
  return gender;
}

function deceasedOf(reading: Reading, pid: Er7Segment): Pick<Patient, 'deceasedDateTime' | 'deceasedBoolean'> {
  const time = timeOf(reading, pid, 29);
  if (time !== null) return { deceasedDateTime: time.dateTime };
  const code = pid.field(30).text.trim().toUpperCase();
  return code === 'Y' ? { deceasedBoolean: true } : code === 'N' ? { deceasedBoolean: false } : {};
}
