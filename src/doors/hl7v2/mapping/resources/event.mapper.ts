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
  /** One of our codes that the sender's is read as; undefined: none. */
  readonly readAs: string | undefined;
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
      readAs: undefined,
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
  await planOnce(reading, said, procedure, toldOf(wound.name, code, performed));
}

/** The lines of NTE segments. */
export function linesOf(notes: readonly Er7Segment[]): string[] {
  return notes.flatMap((note) => note.field(3).repetitions.flatMap((line) => plain(line.text(1), MAX_TEXT) ?? []));
}

/** The event that a code means by our own codes or SNOMED CT's; undefined: none that is known. */
export function knownEventOf(
  reading: Pick<Reading, 'source'>,
  code: Er7Repetition | null | undefined,
  readAs: string | undefined,
): ClinicalEventType | undefined {
  const names = [...(readAs === undefined ? [] : [readAs]), ...sentCodesOf(code).map((sent) => sent.code)];
  const words = names.map((name) =>
    name
      .toLowerCase()
      .replace(/^event-/, '')
      .replaceAll('-', '_'),
  );
  const sent = conceptOf(reading, code);
  const isMeant = (type: ClinicalEventType) =>
    words.includes(type) ||
    sent?.coding?.some(
      ({ system, code: one }) => system === EVENT_SNOMED[type]?.system && one === EVENT_SNOMED[type]?.code,
    );
  return CLINICAL_EVENT_TYPES.find(isMeant);
}

/** Of a known event its own code; of any other the sender's words, with a warning. */
function eventOf(reading: Reading, { code, readAs, words, codePlace }: StatedEvent): CodeableConcept | undefined {
  const known = knownEventOf(reading, code, readAs);
  if (known !== undefined) return { coding: [{ ...EVENT[known] }] };
  const sent = conceptOf(reading, code);
  const text = sent?.text ?? sent?.coding?.[0]?.display ?? words ?? plain(code.text(1), MAX_TEXT);
  if (text === undefined && sent === undefined) return undefined;
  reading.draft.warn(
    'code.unknown',
    codePlace,
    'It is none of the events that are known, and stands as another one: the area does not count anew after it.',
  );
  return { ...sent, ...(text === undefined ? {} : { text }) };
}

/**
 * A sender repeats what was done in each message about the wound. One that was withdrawn does not come back by that.
 * @param told what was done to which wound, and when, whoever the patient is
 */
async function planOnce(
  { draft, records, source }: Reading,
  { patient, place, correctionPlace }: StatedEvent,
  procedure: Procedure,
  told: string,
): Promise<void> {
  if (correctionPlace !== null) draft.warn('finding.kept', correctionPlace, CORRECTED);
  const numbers = numbersOf(patient, told);
  const [number] = numbers;
  if (number === undefined) {
    draft.create(procedure, place);
    return;
  }
  const found = await records.findByIdentifier<Procedure>(source, 'Procedure', numbers);
  if (found.some(({ subject }) => subject.reference === patient.reference)) return;
  if (found.some(({ identifier = [] }) => identifier.some(({ value }) => value === number.value))) {
    draft.warn('finding.kept', place, OF_ANOTHER);
    return;
  }
  await draft.once(`Procedure ${keyOf(number)}`, () =>
    Promise.resolve(draft.create({ ...procedure, identifier: [number] }, place, criteriaOf([number]))),
  );
}

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
