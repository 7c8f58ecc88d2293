import type { CodeableConcept, Procedure } from '@medplum/fhirtypes';
import { CLINICAL_EVENT_TYPES, type ClinicalEventType } from '../../../../core/followup/clinical-event.js';
import { EVENT, EVENT_SNOMED, TARGET_BODY_STRUCTURE } from '../../../../reports/index.js';
import type { Er7Repetition } from '../../../../standards/hl7v2/er7/er7-message.js';
import { conceptOf, sentCodesOf } from '../reading/coded-values.js';
import { placeIn, plain, type Reading } from '../reading/message-reading.js';
import type { EventRow } from '../reading/observation-rows.js';
import { practitionerOf } from '../reading/persons.js';
import { referenceTo, type PlannedResource } from '../plan/plan-draft.js';
import { MAX_TEXT } from './finding-value.js';

/** The subjects of an event. */
export interface EventContext {
  readonly patient: PlannedResource;
  readonly encounter: PlannedResource | null;
  readonly wound: PlannedResource | null;
  readonly observedAt: string | undefined;
}

/** Plans what was done to a wound: a Procedure for each repetition of OBX-5. */
export function planEvents(reading: Reading, row: EventRow, context: EventContext): void {
  const { draft } = reading;
  const { obx } = row;
  const { patient, encounter, wound, observedAt } = context;
  if (wound === null) {
    draft.warn('finding.kept', placeIn(obx), 'An event is of a wound with a number: send it in a row wound-id.');
    return;
  }
  if (observedAt === undefined) {
    draft.refuse('field.required', placeIn(obx, 14), 'OBX-14 says when it was done; else OBR-7 does.');
    return;
  }
  const performer = practitionerOf(reading, obx.field(16).repetitions[0]);
  const notes = row.notes.flatMap((note) =>
    note.field(3).repetitions.flatMap((line) => plain(line.text(1), MAX_TEXT) ?? []),
  );
  for (const repetition of obx.field(5).repetitions) {
    const code = eventOf(reading, row, repetition);
    if (code === undefined) continue;
    const procedure: Procedure = {
      resourceType: 'Procedure',
      extension: [{ url: TARGET_BODY_STRUCTURE, valueReference: referenceTo(wound) }],
      status: 'completed',
      code,
      subject: referenceTo(patient),
      ...(encounter === null ? {} : { encounter: referenceTo(encounter) }),
      performedDateTime: observedAt,
      ...(performer === undefined ? {} : { performer: [{ actor: performer }] }),
      ...(notes.length === 0 ? {} : { note: notes.map((text) => ({ text })) }),
    };
    draft.create(procedure, placeIn(obx));
  }
}

/** Of a known event its own code; of any other the sender's words, with a warning. */
function eventOf(reading: Reading, { obx }: EventRow, repetition: Er7Repetition): CodeableConcept | undefined {
  const words = sentCodesOf(repetition).map(({ code }) =>
    code
      .toLowerCase()
      .replace(/^event-/, '')
      .replaceAll('-', '_'),
  );
  const sent = conceptOf(reading, repetition);
  const isMeant = (type: ClinicalEventType) =>
    words.includes(type) ||
    sent?.coding?.some(
      ({ system, code }) => system === EVENT_SNOMED[type]?.system && code === EVENT_SNOMED[type]?.code,
    );
  const known = CLINICAL_EVENT_TYPES.find(isMeant);
  if (known !== undefined) return { coding: [{ ...EVENT[known] }] };
  const text = sent?.text ?? sent?.coding?.[0]?.display ?? plain(repetition.text(1), MAX_TEXT);
  if (text === undefined && sent === undefined) return undefined;
  reading.draft.warn(
    'code.unknown',
    placeIn(obx, 5),
    'It is none of the events that are known, and stands as another one: the area does not count anew after it.',
  );
  return { ...sent, ...(text === undefined ? {} : { text }) };
}
