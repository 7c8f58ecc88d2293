import { createHash } from 'node:crypto';
import type { CodeableConcept, Procedure } from '@medplum/fhirtypes';
import { CLINICAL_EVENT_TYPES, type ClinicalEventType } from '../../../../core/followup/clinical-event.js';
import { identifyingNumbers } from '../../../../core/patients/patient-numbers.js';
import { EVENT, EVENT_SNOMED, SUTURA, TARGET_BODY_STRUCTURE } from '../../../../reports/index.js';
import type { Er7Repetition, Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import type { ProblemPlace } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { conceptOf, sentCodesOf } from '../reading/coded-values.js';
import { criteriaOf, keyOf, systemValueOf, type SystemValue } from '../reading/identifiers.js';
import { placeIn, plain, type Reading } from '../reading/message-reading.js';
import type { EventRow } from '../reading/observation-rows.js';
import { practitionerOf } from '../reading/persons.js';
import { referenceTo, type PlannedResource } from '../plan/plan-draft.js';
import { MAX_TEXT } from './finding-value.js';
import type { PlannedPatient } from './patient.mapper.js';

/** Of events as rows state them: the same one has the same number, however often it is sent. */
const EVENT_NUMBERS = `${SUTURA}/sid/hl7v2-event`;

/** The subjects of an event. */
export interface EventContext {
  readonly patient: PlannedPatient;
  readonly encounter: PlannedResource | null;
  readonly wound: (PlannedResource & { readonly name: SystemValue }) | null;
  readonly observedAt: string | undefined;
}

/** What a row or segment says was done to a wound that has a number. */
export interface StatedEvent {
  readonly patient: PlannedPatient;
  readonly encounter: PlannedResource | null;
  readonly wound: PlannedResource & { readonly name: SystemValue };
  /** FHIR dateTime, of a day at least. */
  readonly performed: string;
  /** The code of what was done, as sent. */
  readonly code: Er7Repetition;
  /** The event that it is read as; undefined: none that is known. */
  readonly known: ClinicalEventType | undefined;
  /** Words of the sender for a code that comes without any. */
  readonly words: string | undefined;
  readonly performer: ReturnType<typeof practitionerOf>;
  readonly notes: readonly string[];
  readonly place: ProblemPlace;
  readonly codePlace: ProblemPlace;
  /** Where it is said to correct what was sent before; null: it is not. */
  readonly correctionPlace: ProblemPlace | null;
}

/** Plans what was done to a wound: a Procedure for each repetition of OBX-5 that is not recorded yet. */
export async function planEvents(reading: Reading, row: EventRow, context: EventContext): Promise<void> {
  const { draft } = reading;
  const { obx, status } = row;
  const { patient, encounter, wound, observedAt } = context;
  if (wound === null) {
    draft.warn('finding.kept', placeIn(obx), 'An event is of a wound with a number: send it in a row wound-id.');
    return;
  }
  if (observedAt === undefined) {
    draft.refuse('field.required', placeIn(obx, 14), 'OBX-14 says when it was done; else OBR-7 does.');
    return;
  }
  for (const code of obx.field(5).repetitions)
    await planEvent(reading, {
      patient,
      encounter,
      wound,
      performed: observedAt,
      code,
      known: knownEventOf(reading, code),
      words: undefined,
      performer: practitionerOf(reading, obx.field(16).repetitions[0]),
      notes: linesOf(row.notes),
      place: placeIn(obx),
      codePlace: placeIn(obx, 5),
      correctionPlace: status === 'corrected' || status === 'amended' ? placeIn(obx, 11) : null,
    });
}

/** Plans the Procedure of one event, unless it is recorded. Nothing where the code is empty. */
export async function planEvent(reading: Reading, said: StatedEvent): Promise<void> {
  const { patient, encounter, wound, performed, performer, notes } = said;
  const code = eventOf(reading, said);
  if (code === undefined) return;
  const stated = statedConcept(reading, said);
  const procedure: Procedure = {
    resourceType: 'Procedure',
    extension: [{ url: TARGET_BODY_STRUCTURE, valueReference: referenceTo(wound) }],
    status: 'completed',
    code,
    subject: referenceTo(patient),
    ...(encounter === null ? {} : { encounter: referenceTo(encounter) }),
    performedDateTime: performed,
    ...(performer === undefined ? {} : { performer: [{ actor: performer }] }),
    ...(notes.length === 0 ? {} : { note: notes.map((text) => ({ text })) }),
  };
  const [told, inWordsOfSender] = [code, stated ?? code].map((one) => toldOf(wound.name, one, performed));
  await planOnce(reading, said, procedure, { told: told!, inWordsOfSender: inWordsOfSender! });
}

/** The lines of NTE segments. */
export function linesOf(notes: readonly Er7Segment[]): string[] {
  return notes.flatMap((note) => note.field(3).repetitions.flatMap((line) => plain(line.text(1), MAX_TEXT) ?? []));
}

/** The event that a code means by our own codes or SNOMED CT's; undefined: none that is known. */
function knownEventOf(
  reading: Pick<Reading, 'source'>,
  code: Er7Repetition | null | undefined,
): ClinicalEventType | undefined {
  const words = sentCodesOf(code).map((sent) => eventWordOf(sent.code));
  const sent = conceptOf(reading, code);
  const isMeant = (type: ClinicalEventType) => words.includes(type) || isInSnomed(sent, type);
  return CLINICAL_EVENT_TYPES.find(isMeant);
}

/** `negative_pressure` of `event-negative-pressure` or `Negative-Pressure`. */
export function eventWordOf(code: string): string {
  return code
    .toLowerCase()
    .replace(/^event-/, '')
    .replaceAll('-', '_');
}

/** Whether one of its codes is SNOMED CT's of this event. */
export function isInSnomed(concept: CodeableConcept | undefined, type: ClinicalEventType): boolean {
  const wanted = EVENT_SNOMED[type];
  return (concept?.coding ?? []).some(
    ({ system, code }) => wanted !== undefined && system === wanted.system && code === wanted.code,
  );
}

/** Of a known event its own code; of any other the sender's words, with a warning. */
function eventOf(reading: Reading, said: StatedEvent): CodeableConcept | undefined {
  if (said.known !== undefined) return { coding: [{ ...EVENT[said.known] }] };
  const stated = statedConcept(reading, said);
  if (stated === undefined) return undefined;
  reading.draft.warn(
    'code.unknown',
    said.codePlace,
    'It is none of the events that are known, and stands as another one: the area does not count anew after it.',
  );
  return stated;
}

/** The code and words of the sender; undefined: there are none. */
function statedConcept(reading: Reading, { code, words }: StatedEvent): CodeableConcept | undefined {
  const sent = conceptOf(reading, code);
  const text = sent?.text ?? sent?.coding?.[0]?.display ?? words ?? plain(code.text(1), MAX_TEXT);
  if (text === undefined && sent === undefined) return undefined;
  return { ...sent, ...(text === undefined ? {} : { text }) };
}

/** What was done to which wound, and when, whoever the patient is: as it is recorded, and by the code that its sender has for it. */
interface Told {
  readonly told: string;
  readonly inWordsOfSender: string;
}

/**
 * A sender repeats what was done in each message about the wound. One that was withdrawn does not come back by that, nor does one that was recorded
 * in the words of its sender before these were known for an event.
 */
async function planOnce(
  { draft, records, source }: Reading,
  { patient, place, correctionPlace }: StatedEvent,
  procedure: Procedure,
  { told, inWordsOfSender }: Told,
): Promise<void> {
  if (correctionPlace !== null) draft.warn('finding.kept', correctionPlace, CORRECTED);
  const numbers = numbersOf(patient, told);
  const [number] = numbers;
  if (number === undefined) {
    draft.create(procedure, place);
    return;
  }
  const former = numbersOf(patient, inWordsOfSender);
  const all = [...new Map([...numbers, ...former].map((one) => [one.value, one])).values()];
  const found = await records.findByIdentifier<Procedure>(source, 'Procedure', all);
  const ofPatient = found.filter(({ subject }) => subject.reference === patient.reference);
  if (ofPatient.length > 0) {
    if (!ofPatient.some((one) => hasOneOf(one, numbers))) draft.warn('finding.kept', place, AS_ANOTHER);
    return;
  }
  if (found.some((one) => hasOneOf(one, [number, ...former.slice(0, 1)]))) {
    draft.warn('finding.kept', place, OF_ANOTHER);
    return;
  }
  const create = () =>
    Promise.resolve(draft.create({ ...procedure, identifier: [number] }, place, criteriaOf([number])));
  await draft.once(`Procedure ${keyOf(former[0] ?? number)}`, () => draft.once(`Procedure ${keyOf(number)}`, create));
}

function hasOneOf({ identifier = [] }: Procedure, numbers: readonly SystemValue[]): boolean {
  return identifier.some(({ value }) => numbers.some((number) => number.value === value));
}

const AS_ANOTHER =
  'It is recorded already, as another event in the words of its sender, after which the area does not count anew. Withdraw that one over REST or FHIR and state this one there.';
const OF_ANOTHER =
  'The event is recorded already, of another patient who had this number. Withdraw it there over REST or FHIR where it was wrong, and state it of this one.';
const CORRECTED =
  'An event is recorded once by its kind and time: the same one is left as it is, one of another kind or time is recorded besides. Withdraw the former over REST or FHIR where it was wrong.';

/** By the wound’s number, what was done, and the moment or day. */
function toldOf(wound: SystemValue, { coding = [], text = '' }: CodeableConcept, performed: string): string {
  const what = coding.length === 0 ? text : coding.map(({ system = '', code = '' }) => `${system}|${code}`).join();
  const when = performed.includes('T') ? new Date(performed).toISOString() : performed;
  return JSON.stringify([keyOf(wound), what, when]);
}

/** The sender’s first; then one for each number that the patient is or was known by, so that a merge of records, or another sender, makes no second one. */
function numbersOf({ before, identifiers }: PlannedPatient, told: string): SystemValue[] {
  const all = [...identifyingNumbers(identifiers), ...(before?.identifier ?? [])];
  const values = all.map((patient) =>
    createHash('sha256')
      .update(JSON.stringify([keyOf(systemValueOf(patient)), told]))
      .digest('hex'),
  );
  return [...new Set(values)].map((value) => ({ system: EVENT_NUMBERS, value }));
}
