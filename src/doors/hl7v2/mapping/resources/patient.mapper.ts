import type { Identifier, Patient } from '@medplum/fhirtypes';
import { identifyingNumbers } from '../../../../core/patients/patient-numbers.js';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { isAtLeastVersion } from '../../../../standards/hl7v2/er7/message-writer.js';
import { bareSystemOf, identifierOfCx, keyOf, noteTogether, sameKeyOf, systemValueOf } from '../reading/identifiers.js';
import { authoritiesOf } from '../reading/hl7-source.js';
import { asksWhose } from './unassigned-numbers.js';
import {
  isSameResource,
  placeIn,
  definedOnly,
  timeOf,
  type PatientUse,
  type Reading,
} from '../reading/message-reading.js';
import { SAID_SINCE } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import { isLeftAsOutdated, isOutdatedBy } from '../reading/earlier-handling.js';
import { carriesOneOf, refuseJoined, firstRecordOf } from './merged-patients.js';
import { isDecidedSame, isSamePerson, statedIn, unknownUntilNow } from './patient-mismatch.js';
import { addressOf, birthDateOf, contactOf, nameOf } from '../reading/persons.js';
import type { ProblemPlace } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { knownPartOf } from '../../../../standards/hl7v2/er7/hl7-time.js';
import type { PlannedResource } from '../plan/plan-draft.js';
import { lookUp } from '../../../../standards/hl7v2/er7/table-lookup.js';

/** Table 0001. */
const GENDER: Readonly<Record<string, Patient['gender']>> = {
  F: 'female',
  M: 'male',
  O: 'other',
  U: 'unknown',
  A: 'other',
  N: 'other',
};
export const SEXES: readonly string[] = Object.keys(GENDER);

/** Fields that identified patients until 2.7 withdrew them, with the type of their numbers. */
const OLDER_NUMBERS: readonly (readonly [field: number, type: string | undefined])[] = [
  [2, 'PI'],
  [4, 'PI'],
];
const NAMED_OTHERWISE =
  'The message was taken over before, and no record has its number any more, or none by today’s settings. Nothing was done, as its content would be filed a second time.';
/** The patient of a message. */
export interface PlannedPatient extends PlannedResource {
  /** The stored patient; null: new. */
  readonly before: Patient | null;
  readonly identifiers: readonly Identifier[];
}

/** null: the patient is refused. */
export async function planPatient(
  reading: Reading,
  pid: Er7Segment | null,
  use: PatientUse,
): Promise<PlannedPatient | null> {
  const { draft } = reading;
  if (pid === null)
    return draft.refuse(
      'segment.missing',
      { segment: 'PID', sequence: 1 },
      'The PID segment is required in this message.',
    );
  const identifiers = patientNumbersOf(reading, pid);
  if (identifiers.length === 0)
    return draft.isRefused
      ? null
      : draft.refuse('field.required', placeIn(pid, 3), 'PID-3 needs at least one identifier of the patient.');
  const found = await findPatient(reading, pid, identifiers);
  if (found === 'refused') return null;
  if (found === null && (await asksWhose(reading, identifiers, statedIn(reading, pid), placeIn(pid, 3)))) return null;
  if (found !== null && !(await isAsNumbered(reading, pid, found, identifiers, use))) return null;
  if (use === 'name' && !mayBeNamed(reading, found, identifiers, placeIn(pid, 3))) return null;
  if (found === null && reading.earlier?.kind === 'taken')
    return draft.refuse('patient.unknown', placeIn(pid, 3), NAMED_OTHERWISE);
  const key = found === null ? `Patient ${keyOf(systemValueOf(identifiers[0]!))}` : `Patient/${found.id}`;
  const planned = await draft.once(key, () =>
    Promise.resolve(
      found === null ? createPatient(reading, pid, identifiers) : changePatient(reading, pid, found, identifiers, use),
    ),
  );
  return planned === null ? null : { ...planned, before: found, identifiers };
}

/** False where only patients who are known may be named, and this one is not. Where the message waits for whoever announces them, it is planned on. */
function mayBeNamed(
  reading: Reading,
  found: Patient | null,
  identifiers: readonly Identifier[],
  place: ProblemPlace,
): boolean {
  const { draft, source, settled } = reading;
  const isHeld = source.unknownPatient === 'hold';
  const numbers = isHeld ? identifyingNumbers(identifiers).map(systemValueOf) : [];
  const accepted = new Set(settled.accepted.map((number) => sameKeyOf(reading, number)));
  const isAccepted = numbers.some((number) => accepted.has(sameKeyOf(reading, number)));
  if (found !== null || isAccepted) draft.namePatient(numbers);
  else if (source.unknownPatient !== 'create' && settled.authorities.size === 0) {
    if (!isHeld) return draft.refuse('patient.unknown', place) !== null;
    draft.awaitPatient(numbers, place);
  }
  return true;
}

/** The numbers in PID-3; if it is empty, those of the fields that older versions had. */
export function patientNumbersOf(reading: Reading, pid: Er7Segment): Identifier[] {
  const numbers = numbersIn(reading, pid, 3);
  if (numbers.length > 0 || isAtLeastVersion(reading.header.versionId, '2.7')) return ordered(numbers);
  return ordered(OLDER_NUMBERS.flatMap(([field, type]) => numbersIn(reading, pid, field, type)));
}

/** Numbers of authorities other than those of the source do not identify a patient. */
export function numbersIn(reading: Reading, segment: Er7Segment, field: number, fallbackType?: string): Identifier[] {
  const { patientAuthorities: own } = reading.source;
  const numbers = segment.field(field).repetitions.flatMap((repetition, index) => {
    const number = identifierOfCx(reading, segment, field, index, fallbackType);
    if (number === null) return [];
    const isBare = repetition.text(4).trim() === '' && bareSystemOf(reading) !== undefined;
    return own.length === 0 || isBare || [1, 2].some((part) => own.includes(repetition.text(4, part).trim()))
      ? number
      : { ...number, use: 'secondary' as const };
  });
  if (own.length > 0 && numbers.length > 0 && numbers.every(({ use }) => use === 'secondary')) {
    reading.draft.refuse(
      'field.required',
      placeIn(segment, field),
      'A number of one of the patient authorities of this connection is required.',
    );
    return [];
  }
  const distinct = distinctNumbers(reading, numbers);
  noteTogether(reading, identifyingNumbers(distinct).map(systemValueOf), placeIn(segment, field));
  return distinct;
}

function distinctNumbers(reading: Reading, numbers: readonly Identifier[]): Identifier[] {
  return [
    ...new Map([...numbers].reverse().map((number) => [sameKeyOf(reading, systemValueOf(number)), number])).values(),
  ].reverse();
}

function ordered(numbers: readonly Identifier[]): Identifier[] {
  const known = identifyingNumbers(numbers);
  return [...known, ...numbers.filter((number) => !known.includes(number))];
}

/** Whether the message may use the record in this way; a merged record cannot be announced. */
async function isAsNumbered(
  reading: Reading,
  pid: Er7Segment,
  found: Patient,
  identifiers: readonly Identifier[],
  use: PatientUse,
): Promise<boolean> {
  if (await carriesOneOf(reading, found, identifiers)) return isSamePerson(reading, pid, found, identifiers, use);
  return !refuseJoined(reading, pid, use);
}

async function findPatient(
  reading: Reading,
  pid: Er7Segment,
  identifiers: readonly Identifier[],
): Promise<Patient | null | 'refused'> {
  const { records, source, draft } = reading;
  const found = await records.findByIdentifier<Patient>(
    source,
    'Patient',
    identifyingNumbers(identifiers).map(systemValueOf),
  );
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
  const patient: Patient = {
    resourceType: 'Patient',
    identifier: identifiers,
    ...(reading.source.storeDemographics ? demographicsOf(reading, pid).said : {}),
  };
  // Without search criteria, which would match any use of one of the numbers. Of two concurrent messages the record
  // refuses one, which begins anew.
  return reading.draft.create(patient, placeIn(pid));
}

/** What a record that ends leaves to one that is made for it, where PID does not say it. */
const INHERITED = ['name', 'birthDate', 'gender', 'address', 'telecom'] as const;

/** What PID says of a record that nobody knew and that stays after a merge, and what the record that ends has beside that. */
export function demographicsOfSurvivor(reading: Reading, pid: Er7Segment, ends: Patient | undefined): Partial<Patient> {
  if (!reading.source.storeDemographics) return {};
  const { said } = demographicsOf(reading, pid);
  const missing = INHERITED.filter((name) => said[name] === undefined && ends?.[name] !== undefined);
  return { ...said, ...Object.fromEntries(missing.map((name) => [name, ends![name]])) };
}

function changePatient(
  reading: Reading,
  pid: Er7Segment,
  before: Patient,
  identifiers: readonly Identifier[],
  use: PatientUse,
): PlannedResource {
  const isOnlyFilledIn = use === 'name' || isOutdatedBy(reading.earlier, before);
  const after = isOnlyFilledIn
    ? filledIn(reading, pid, before, identifiers)
    : announced(reading, pid, before, identifiers);
  const isLeft = use === 'announce' && isLeftAsOutdated(reading.earlier, before);
  if (isLeft && !isSameResource(after, announced(reading, pid, after, identifiers)))
    reading.draft.warn('message.not_carried_out', placeIn(pid), SAID_SINCE);
  if (isSameResource(before, after)) return { reference: `Patient/${before.id}`, entry: null };
  return reading.draft.change(after, placeIn(pid));
}

/** A patient that is only named gets no further number, and nothing that is known is changed: a later announcement does both. */
function filledIn(reading: Reading, pid: Er7Segment, before: Patient, identifiers: readonly Identifier[]): Patient {
  const { source, earlier } = reading;
  if (!source.storeDemographics) return before;
  if (!isOutdatedBy(earlier, before) && isDecidedSame(reading, pid, before, identifiers)) {
    const { name, birthDate, gender } = demographicsOf(reading, pid).said;
    return { ...before, ...definedOnly<Patient>({ name, birthDate, gender }) };
  }
  const isAgain = earlier !== null && earlier.kind !== 'replayed';
  const gender = isAgain && before.gender === undefined ? genderOf(reading, pid) : undefined;
  return { ...before, ...unknownUntilNow(reading, pid, before), ...(gender === undefined ? {} : { gender }) };
}

function announced(reading: Reading, pid: Er7Segment, before: Patient, identifiers: readonly Identifier[]): Patient {
  const { said, deleted } = reading.source.storeDemographics ? demographicsOf(reading, pid) : { said: {}, deleted: [] };
  const kept = { ...before };
  for (const name of deleted) delete kept[name];
  return { ...kept, ...said, identifier: [...numbersAfter(reading, before.identifier ?? [], identifiers)] };
}

/**
 * The received list replaces the one before. Old numbers stay, and so do those of other senders' systems, which the
 * list does not mention.
 */
function numbersAfter(
  reading: Reading,
  before: readonly Identifier[],
  sent: readonly Identifier[],
): readonly Identifier[] {
  const numberOf = (number: Identifier): string => sameKeyOf(reading, systemValueOf(number));
  const authorities = authoritiesOf(reading.source);
  const said = new Set(sent.map(numberOf));
  const numberings = new Set(identifyingNumbers(sent).map(({ system = '' }) => authorities.canonical(system)));
  const known = identifyingNumbers(before);
  const stays = (number: Identifier): boolean =>
    number.use === 'old' || (known.includes(number) && !numberings.has(authorities.canonical(number.system ?? '')));
  return [...sent, ...before.filter((number) => !said.has(numberOf(number)) && stays(number))];
}

type Deletable = Exclude<keyof Patient, 'resourceType'>;

/** Present fields are written, `""` deletes, absent fields stay. */
function demographicsOf(
  reading: Reading,
  pid: Er7Segment,
): { readonly said: Partial<Patient>; readonly deleted: readonly Deletable[] } {
  const repeated = <T>(
    position: number,
    map: (repetition: ReturnType<Er7Segment['field']>['repetitions'][number]) => T | undefined,
  ): T[] => pid.field(position).repetitions.flatMap((one) => map(one) ?? []);
  const name = nameOf(pid.field(5).repetitions);
  const said = definedOnly<Patient>({
    name: name === undefined ? undefined : [name],
    birthDate: announcedBirth(reading, pid),
    gender: genderOf(reading, pid),
    address: repeated(11, addressOf),
    telecom: repeated(13, contactOf),
    ...deceasedOf(reading, pid),
  });
  const elements: readonly (readonly [number, readonly Deletable[]])[] = [
    [5, ['name']],
    [7, ['birthDate']],
    [8, ['gender']],
    [11, ['address']],
    [13, ['telecom']],
    [29, ['deceasedDateTime']],
    [30, ['deceasedBoolean', 'deceasedDateTime']],
  ];
  const deleted = elements.flatMap(([position, names]) => (pid.field(position).state === 'null' ? names : []));
  // A choice type has one value: the new one replaces the other.
  const replaced: readonly Deletable[] =
    'deceasedDateTime' in said ? ['deceasedBoolean'] : 'deceasedBoolean' in said ? ['deceasedDateTime'] : [];
  return { said, deleted: [...deleted, ...replaced] };
}

/** As far as it is known. Refuses what is no date, and warns of one that is known in part, or that is still to come. */
function announcedBirth(reading: Reading, pid: Er7Segment): string | undefined {
  const text = pid.field(7).text.trim();
  const place = placeIn(pid, 7);
  const known = knownPartOf(text);
  if (known === null && timeOf(reading, pid, 7) === null) return undefined;
  const date = birthDateOf(reading, pid);
  if (known === '') reading.draft.warn('value.date', place, 'The birth date is not known. It was left out.');
  else if (date === undefined)
    reading.draft.warn('value.date', place, 'The birth date is later than the message. It was left out.');
  else if (known !== null)
    reading.draft.warn('value.date', place, 'Month or day are not known. What is known of the date was kept.');
  return date;
}

function genderOf({ draft, source }: Reading, pid: Er7Segment): Patient['gender'] | undefined {
  const code = pid.field(8).text.trim().toUpperCase();
  if (code === '') return undefined;
  const gender = lookUp(GENDER, lookUp(source.sexCodes, code) ?? code);
  if (gender === undefined)
    draft.warn(
      'code.unknown',
      placeIn(pid, 8),
      'The code is not one of table 0001. The field was left out; have the code set in codes of this connection.',
    );
  return gender;
}

function deceasedOf(reading: Reading, pid: Er7Segment): Pick<Patient, 'deceasedDateTime' | 'deceasedBoolean'> {
  const time = timeOf(reading, pid, 29);
  if (time !== null) return { deceasedDateTime: time.dateTime };
  const code = pid.field(30).text.trim().toUpperCase();
  return code === 'Y' ? { deceasedBoolean: true } : code === 'N' ? { deceasedBoolean: false } : {};
}
