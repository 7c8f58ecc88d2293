import type { CodeableConcept, Observation, Quantity } from '@medplum/fhirtypes';
import { scaleFault } from '../../../core/measurement/scale-plausibility.js';
import { EXAM, LOINC, MM_PER_PIXEL_CODES, OBSERVABLE, SNOMED, UCUM, UNIT } from '../../../reports/index.js';
import type { Er7Repetition } from '../../er7/er7-message.js';
import { parseTime } from '../../er7/hl7-time.js';
import { codeSystemOf, conceptOf, sentCodesOf } from '../reading/coded-values.js';
import { EXUDATE_AMOUNT, EXUDATE_CODE, isLengthCode } from '../reading/finding-codes.js';
import { placeIn, plain, plainCode, stated, type Reading } from '../reading/message-reading.js';
import type { SortedRow } from '../reading/observation-rows.js';
import { practitionerOf } from '../reading/persons.js';
import { referenceTo, type PlannedResource } from '../plan/plan-draft.js';

export type FindingRow = SortedRow & { readonly kind: 'finding' };

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

const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/;
/** The record's limit for lengths measured by hand. */
const MAX_CENTIMETRES = 200;
/** The UCUM unit, and the spelling of senders without annotations. */
const SPACING_UNITS: readonly string[] = [...MM_PER_PIXEL_CODES, 'mm/pixel', 'mm/px'];
const MAX_TEXT = 4000;

/** Plans a clinician's finding. Values that the record cannot use are refused here, where the place is known. */
export function planFinding(reading: Reading, row: FindingRow, context: FindingContext): PlannedResource | null {
  const value = valueOf(reading, row);
  if (value === null) return null;
  const { patient, encounter, wound, order, photos, observedAt } = context;
  const performer = practitionerOf(reading, row.obx.field(16).repetitions[0]);
  const notes = row.notes.flatMap((note) =>
    note.field(3).repetitions.flatMap((line) => plain(line.text(1), MAX_TEXT) ?? []),
  );
  const method = conceptOf(reading, row.obx.field(17).repetitions[0]);
  const interpretation = conceptOf(reading, row.obx.field(8).repetitions[0]);
  const observation = {
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
  return reading.draft.create(observation, placeIn(row.obx));
}

/** The sender's codes; codes agreed with us get our own system. */
function codeOf(reading: Reading, row: FindingRow): CodeableConcept {
  if (row.system !== LOINC) return { coding: [{ ...OBSERVABLE.pixelSpacing }] };
  return conceptOf(reading, row.obx.field(3).repetitions[0]) ?? { coding: [{ system: LOINC, code: row.code }] };
}

/** null: the value is refused or empty. */
function valueOf(reading: Reading, row: FindingRow): Partial<Observation> | null {
  const { obx } = row;
  const repetitions = obx.field(5).repetitions;
  const [first] = repetitions;
  if (first === undefined) return null;
  const type = obx.field(2).text.trim();
  if (row.system !== LOINC && type !== 'NM')
    return reading.draft.refuse('value.type', placeIn(obx, 2), 'Pixel spacing is a number (NM).');
  switch (type) {
    case 'NM':
      return numericValue(reading, row, repetitions);
    case 'CE':
    case 'CWE':
    case 'CNE':
    case 'CF':
    case 'IS':
    case 'ID':
      return codedValue(reading, row, first);
    case 'ST':
    case 'TX':
    case 'FT':
      return textValue(row, repetitions);
    case 'DT':
    case 'TS':
    case 'DTM':
      return timeValue(reading, row, first);
    default:
      return reading.draft.warn(
        'finding.kept',
        placeIn(obx, 2),
        'Values of this type are not taken over. The row stays in the raw message.',
      );
  }
}

/** One value belongs to the Observation, several become components (v2-to-FHIR). */
function numericValue(
  reading: Reading,
  row: FindingRow,
  repetitions: readonly Er7Repetition[],
): Partial<Observation> | null {
  const quantities = repetitions.map((repetition, index) => quantityOf(reading, row, repetition, index));
  if (quantities.some((quantity) => quantity === null)) return null;
  if (quantities.length === 1) return { valueQuantity: quantities[0]! };
  return {
    component: quantities.map((valueQuantity) => ({ code: codeOf(reading, row), valueQuantity: valueQuantity! })),
  };
}

function quantityOf(reading: Reading, row: FindingRow, repetition: Er7Repetition, index: number): Quantity | null {
  const { draft } = reading;
  const text = repetition.text(1).trim();
  const value = Number(text);
  if (!NUMBER.test(text)) return draft.refuse('value.number', placeIn(row.obx, 5, index + 1));
  const unit = unitOf(reading, row);
  if (row.system !== LOINC) {
    if (unit.code === undefined || !SPACING_UNITS.includes(unit.code))
      return draft.refuse('value.unit', placeIn(row.obx, 6), 'Pixel spacing is in mm/{pixel}, and says so.');
    const fault = scaleFault(value, null);
    if (fault !== null) return draft.refuse('value.number', placeIn(row.obx, 5, index + 1), fault.detail);
    return { value, system: UCUM, ...UNIT.mmPerPixel };
  }
  if (!isLengthCode(row.code)) return { value, ...unit };
  const perCentimetre = unit.code === 'cm' ? 1 : unit.code === 'mm' ? 10 : null;
  if (perCentimetre === null) return draft.refuse('value.unit', placeIn(row.obx, 6), 'Lengths are in cm or mm.');
  if (!(value >= 0 && value / perCentimetre <= MAX_CENTIMETRES))
    return draft.refuse('value.number', placeIn(row.obx, 5, index + 1), 'Lengths are from 0 to 200 cm.');
  return { value, ...unit };
}

function unitOf(reading: Reading, { obx }: FindingRow): Partial<Quantity> {
  const unit = obx.field(6).repetitions[0];
  if (unit === undefined) return {};
  const code = plainCode(unit.text(1));
  const system = codeSystemOf(reading, unit.text(3)) ?? UCUM;
  return stated<Quantity>({
    unit: plain(unit.text(2), 255) ?? code,
    system: code === undefined ? undefined : system,
    code,
  });
}

/** Amounts of exudate in the sender's words get the SNOMED CT code as well. */
function codedValue(reading: Reading, row: FindingRow, repetition: Er7Repetition): Partial<Observation> | null {
  const concept = conceptOf(reading, repetition);
  if (concept === undefined) return null;
  const amount =
    row.code === EXUDATE_CODE
      ? sentCodesOf(repetition)
          .map(({ code }) => amountOf(code))
          .find((found) => found !== undefined)
      : undefined;
  return {
    valueCodeableConcept: amount === undefined ? concept : { ...concept, coding: [...(concept.coding ?? []), amount] },
  };
}

function textValue(row: FindingRow, repetitions: readonly Er7Repetition[]): Partial<Observation> | null {
  const text = repetitions.map((repetition) => repetition.text(1)).join('\n');
  const amount = row.code === EXUDATE_CODE ? amountOf(text) : undefined;
  const valueString = plain(text, MAX_TEXT);
  if (amount !== undefined)
    return { valueCodeableConcept: { coding: [amount], ...stated<CodeableConcept>({ text: valueString }) } };
  return valueString === undefined ? null : { valueString };
}

function timeValue(reading: Reading, { obx }: FindingRow, repetition: Er7Repetition): Partial<Observation> | null {
  const time = parseTime(repetition.text(1).trim(), reading.source.timeZone);
  return time === null ? reading.draft.refuse('value.date', placeIn(obx, 5)) : { valueDateTime: time.dateTime };
}

function amountOf(text: string): { system: string; code: string; display: string } | undefined {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(EXUDATE_AMOUNT, word) ? { system: SNOMED, ...EXUDATE_AMOUNT[word]! } : undefined;
}
