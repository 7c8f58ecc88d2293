import type { CodeableConcept, Observation } from '@medplum/fhirtypes';
import { EXAM, FINDING_CODES, LOINC } from '../../../../reports/index.js';
import { conceptOf } from '../reading/coded-values.js';
import { placeIn, plain, type Reading } from '../reading/message-reading.js';
import type { FindingRow } from '../reading/observation-rows.js';
import { practitionerOf } from '../reading/persons.js';
import { referenceTo, type PlannedResource } from '../plan/plan-draft.js';
import { MAX_TEXT, valueOf, type FindingValue } from './finding-value.js';
import { isStatedSince } from './restated-findings.js';

/** The subjects of a finding. */
export interface FindingContext {
  readonly patient: PlannedResource;
  readonly encounter: PlannedResource | null;
  readonly wound: PlannedResource | null;
  readonly order: PlannedResource | null;
  /** Photos that the finding was made with. */
  readonly photos: readonly PlannedResource[];
  readonly observedAt: string | undefined;
}

/**
 * Plans a clinician's finding, or refuses it where somebody has stated it anew since. Values that the record cannot use are refused here, where the
 * place is known. `value`: read already, from several rows; null: refused or empty.
 */
export async function planFinding(
  reading: Reading,
  row: FindingRow,
  context: FindingContext,
  value: FindingValue | null = valueOf(reading, row, codeOf(reading, row)),
): Promise<PlannedResource | null> {
  const observation = findingOf(reading, row, context, value);
  if (observation === null) return null;
  const place = placeIn(row.obx);
  const { draft, earlier } = reading;
  if (!(await isStatedSince(reading, observation))) return draft.create(observation, place);
  // The rest of a message that was taken stands, and is added to.
  return earlier?.kind === 'taken'
    ? draft.warn('finding.said_since', place, STATED_SINCE)
    : draft.refuse('finding.said_since', place, STATED_SINCE);
}

const STATED_SINCE =
  'The finding was stated anew of the same moment since this message came, and what was stated then stands. Replay this message alone where it is to count as well, which states both.';

function findingOf(
  reading: Reading,
  row: FindingRow,
  context: FindingContext,
  value: FindingValue | null,
): Observation | null {
  if (value === null) return null;
  const { patient, encounter, wound, order, photos, observedAt } = context;
  const performer = practitionerOf(reading, row.obx.field(16).repetitions[0]);
  const notes = row.notes.flatMap((note) =>
    note.field(3).repetitions.flatMap((line) => plain(line.text(1), MAX_TEXT) ?? []),
  );
  const method = conceptOf(reading, row.obx.field(17).repetitions[0]);
  const interpretation = conceptOf(reading, row.obx.field(8).repetitions[0]);
  return {
    resourceType: 'Observation',
    ...(order === null ? {} : { basedOn: [referenceTo(order)] }),
    status: row.status,
    category: [{ coding: [{ ...EXAM }] }],
    code: codeOf(reading, row),
    subject: referenceTo(patient),
    ...(wound === null ? {} : { focus: [referenceTo(wound)] }),
    ...(encounter === null ? {} : { encounter: referenceTo(encounter) }),
    ...(observedAt === undefined ? {} : { effectiveDateTime: observedAt }),
    ...(performer === undefined ? {} : { performer: [performer as never] }),
    ...value,
    ...(interpretation === undefined ? {} : { interpretation: [interpretation] }),
    ...(notes.length === 0 ? {} : { note: notes.map((text) => ({ text })) }),
    ...(method === undefined ? {} : { method }),
    ...(photos.length === 0 ? {} : { derivedFrom: photos.map(referenceTo) }),
  } as Observation;
}

/** The sender's codes; codes agreed with us get our own system. */
function codeOf(reading: Reading, row: FindingRow): CodeableConcept {
  if (row.system !== LOINC) return { coding: [{ ...FINDING_CODES.get(row.code.toLowerCase())! }] };
  const sent = conceptOf(reading, row.obx.field(3).repetitions[0]);
  const coding = sent?.coding ?? [];
  const isNamed = coding.some(({ system, code }) => system === LOINC && code === row.code);
  return isNamed ? sent! : { ...sent, coding: [{ system: LOINC, code: row.code }, ...coding] };
}
