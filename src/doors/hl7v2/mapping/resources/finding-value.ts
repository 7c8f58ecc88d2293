import type { CodeableConcept, Coding, Observation, ObservationComponent, Quantity } from '@medplum/fhirtypes';
import {
  isInfectionSign,
  isUnderminingCm,
  MOST_LISTED,
  MOST_UNDERMINING_CM,
} from '../../../../core/analysis/clinician-observations.js';
import { scaleFault } from '../../../../core/measurement/scale-plausibility.js';
import {
  MM_PER_PIXEL_CODES,
  OBSERVABLE,
  SNOMED,
  CLINICIAN_CODES,
  clinicianNameOf,
  signAnswerOf,
  signOfCode,
  stageOf,
  type SentConcept,
  WOUND_OBSERVATION,
  UCUM,
  UNIT,
} from '../../../../reports/index.js';
import type { Er7Repetition } from '../../../../standards/hl7v2/er7/er7-message.js';
import { parseTime } from '../../../../standards/hl7v2/er7/hl7-time.js';
import { codeSystemOf, conceptOf, sentCodesOf } from '../reading/coded-values.js';
import { codedFieldOf, EXUDATE_AMOUNT, EXUDATE_CODE, isLengthCode, ownValueOf } from '../reading/finding-codes.js';
import { placeIn, plain, plainCode, definedOnly, type Reading } from '../reading/message-reading.js';
import type { FindingRow } from '../reading/observation-rows.js';

/** What an Observation states. */
export type FindingValue = Partial<Observation>;

export const MAX_TEXT = 4000;
const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/;
/** The record's limit for lengths measured by hand. */
const MAX_CENTIMETRES = 200;
const MOST_PAIN = 10;
/** The UCUM unit, and the spelling of senders without annotations. */
const SPACING_UNITS: readonly string[] = [...MM_PER_PIXEL_CODES, 'mm/pixel', 'mm/px'];
const CODED_TYPES: readonly string[] = ['CE', 'CWE', 'CNE', 'CF', 'IS', 'ID'];
const UNDERMINING_AND_TUNNELLING: readonly string[] = [
  CLINICIAN_CODES.undermining.code,
  CLINICIAN_CODES.tunnelling.code,
];
/** Of all signs of infection together, many times what they may have. */
const MOST_CHARACTERS = 64 * 1024;
const LINE_END = /\r\n|[\r\n]/;

/** null: the value is refused or empty. `code`: that of the Observation, which several values repeat as components. */
export function valueOf(reading: Reading, row: FindingRow, code: CodeableConcept): FindingValue | null {
  const { obx } = row;
  const repetitions = obx.field(5).repetitions;
  const [first] = repetitions;
  if (first === undefined) return null;
  const type = obx.field(2).text.trim();
  if (isSpacing(row) && type !== 'NM')
    return reading.draft.refuse('value.type', placeIn(obx, 2), 'Pixel spacing is a number (NM).');
  if (isSpacing(row) && repetitions.length > 1)
    return reading.draft.refuse('value.number', placeIn(obx, 5, 2), 'A photo has one scale.');
  if (type === 'NM') return numericValue(reading, row, repetitions, code);
  if (CODED_TYPES.includes(type)) return codedValue(reading, row, repetitions, code);
  if (['ST', 'TX', 'FT'].includes(type)) return textValue(reading, row, repetitions, code);
  if (['DT', 'TS', 'DTM'].includes(type)) return timeValue(reading, row, first);
  return reading.draft.warn(
    'finding.kept',
    placeIn(obx, 2),
    'Values of this type are not taken over. The row stays in the raw message.',
  );
}

/** One value belongs to the Observation, several become components (v2-to-FHIR). */
function oneOrMore(code: CodeableConcept, values: readonly Partial<ObservationComponent>[]): FindingValue {
  const [first, ...others] = values;
  return others.length === 0 ? { ...first } : { component: values.map((value) => ({ code, ...value })) };
}

function numericValue(
  reading: Reading,
  row: FindingRow,
  repetitions: readonly Er7Repetition[],
  code: CodeableConcept,
): FindingValue | null {
  const quantities = repetitions.map((repetition, index) => quantityOf(reading, row, repetition, index));
  if (quantities.some((quantity) => quantity === null)) return null;
  const isYesOrNo = quantities.every((one) => one?.code === undefined && (one?.value === 0 || one?.value === 1));
  if (row.code === CLINICIAN_CODES.stage.code || (isSign(row) && !isYesOrNo))
    reading.draft.warn('finding.unread', placeIn(row.obx, 5));
  return oneOrMore(
    code,
    quantities.map((valueQuantity) => ({ valueQuantity: valueQuantity! })),
  );
}

/** null: refused. */
export function quantityOf(
  reading: Reading,
  row: FindingRow,
  repetition: Er7Repetition,
  index: number,
): Quantity | null {
  const { draft } = reading;
  const text = repetition.text(1).trim();
  const value = Number(text);
  const place = placeIn(row.obx, 5, index + 1);
  if (!NUMBER.test(text)) return draft.refuse('value.number', place);
  const unit = unitOf(reading, row);
  if (isSpacing(row)) {
    if (unit.code === undefined || !SPACING_UNITS.includes(unit.code))
      return draft.refuse('value.unit', placeIn(row.obx, 6), 'Pixel spacing is in mm/{pixel}, and says so.');
    const fault = scaleFault(value, null);
    return fault === null
      ? { value, system: UCUM, ...UNIT.mmPerPixel }
      : draft.refuse('value.number', place, fault.detail);
  }
  if (row.code === CLINICIAN_CODES.painNrs.code && !(Number.isInteger(value) && value >= 0 && value <= MOST_PAIN))
    return draft.refuse('value.number', place, 'Pain is a whole number from 0 to 10.');
  const perCentimetre = unit.code === 'cm' ? 1 : unit.code === 'mm' ? 10 : null;
  if (UNDERMINING_AND_TUNNELLING.includes(row.code)) {
    if (perCentimetre === null) draft.warn('finding.unread', placeIn(row.obx, 6));
    else if (value !== 0 && !isUnderminingCm(value / perCentimetre))
      return draft.refuse('value.number', place, `Undermining and tunnels are at most ${MOST_UNDERMINING_CM} cm deep.`);
  }
  if (!isLengthCode(row.code)) return { value, ...unit };
  if (perCentimetre === null) return draft.refuse('value.unit', placeIn(row.obx, 6), 'Lengths are in cm or mm.');
  if (!(value >= 0 && value / perCentimetre <= MAX_CENTIMETRES))
    return draft.refuse('value.number', place, 'Lengths are from 0 to 200 cm.');
  return { value, ...unit };
}

function unitOf(reading: Reading, { obx }: FindingRow): Partial<Quantity> {
  const unit = obx.field(6).repetitions[0];
  if (unit === undefined) return {};
  const code = plainCode(unit.text(1));
  const system = codeSystemOf(reading, unit.text(3)) ?? UCUM;
  return definedOnly<Quantity>({
    unit: plain(unit.text(2), 255) ?? code,
    system: code === undefined ? undefined : system,
    code,
  });
}

/** Several values are read for the lists of the contract, else the first. */
function codedValue(
  reading: Reading,
  row: FindingRow,
  repetitions: readonly Er7Repetition[],
  code: CodeableConcept,
): FindingValue | null {
  if (row.code === CLINICIAN_CODES.infectionSigns.code && !repetitions.some((one) => isNamedSign(reading, one)))
    return infectionSigns(
      reading,
      row,
      repetitions.map((one) => wordsOf(reading, one)),
      code,
    );
  const concepts = repetitions
    .slice(0, isList(row) ? undefined : 1)
    .flatMap((repetition) => conceptOf(reading, repetition) ?? [])
    .map((concept, index) =>
      withKnownCode(
        row,
        concept,
        sentCodesOf(repetitions[index]).map((sent) => sent.code),
      ),
    );
  if (concepts.length === 0) return null;
  warnOfUnread(reading, row, concepts);
  return oneOrMore(
    code,
    concepts.map((valueCodeableConcept) => ({ valueCodeableConcept })),
  );
}

/** A sign of ours among the values of the field for words. */
function isNamedSign(reading: Reading, repetition: Er7Repetition): boolean {
  return conceptOf(reading, repetition)?.coding?.some((coding) => signOfCode(coding) !== undefined) === true;
}

/** A coded value in words; a code for no is "No", and one for not known is nothing. */
function wordsOf(reading: Reading, repetition: Er7Repetition): string {
  const answer = signAnswerOf((conceptOf(reading, repetition) ?? {}) as SentConcept);
  if (answer === 'unknown') return '';
  if (answer === 'absent') return 'No';
  return [9, 2, 5, 1].map((component) => repetition.text(component).trim()).find((text) => text !== '') ?? '';
}

function textValue(
  reading: Reading,
  row: FindingRow,
  repetitions: readonly Er7Repetition[],
  code: CodeableConcept,
): FindingValue | null {
  const texts = repetitions.map((repetition) => repetition.text(1));
  if (row.code === CLINICIAN_CODES.infectionSigns.code) return infectionSigns(reading, row, texts, code);
  const concepts = (isList(row) ? texts : [texts.join('\n')]).map((text) =>
    withKnownCode(row, definedOnly<CodeableConcept>({ text: plain(text, MAX_TEXT) }), [text]),
  );
  warnOfUnread(reading, row, concepts);
  if (concepts.some(({ coding }) => coding !== undefined))
    return oneOrMore(
      code,
      concepts.map((valueCodeableConcept) => ({ valueCodeableConcept })),
    );
  const valueString = plain(texts.join('\n'), MAX_TEXT);
  return valueString === undefined ? null : { valueString };
}

/** Each line is a sign of its own, in the sender's words. */
function infectionSigns(
  reading: Reading,
  row: FindingRow,
  texts: readonly string[],
  code: CodeableConcept,
): FindingValue | null {
  if (texts.some(({ length }) => length > MOST_CHARACTERS)) return tooLong(reading, row);
  const signs = texts.flatMap((text) => text.split(LINE_END)).flatMap((line) => plain(line, MAX_TEXT) ?? []);
  if (signs.length === 0) return null;
  if (!signs.every(isInfectionSign)) return tooLong(reading, row);
  if (new Set(signs).size > MOST_LISTED) return reading.draft.refuse('finding.too_many', placeIn(row.obx, 5));
  return oneOrMore(
    code,
    signs.map((valueString) => ({ valueString })),
  );
}

function tooLong({ draft }: Reading, { obx }: FindingRow): null {
  return draft.refuse(
    'value.too_long',
    placeIn(obx, 5),
    'A sign of infection is a line of at most 200 characters, without control characters.',
  );
}

function timeValue(reading: Reading, { obx }: FindingRow, repetition: Er7Repetition): FindingValue | null {
  const time = parseTime(repetition.text(1).trim(), reading.source.timeZone);
  return time === null ? reading.draft.refuse('value.date', placeIn(obx, 5)) : { valueDateTime: time.dateTime };
}

/** Words of the contract get their code as well. */
function withKnownCode(row: FindingRow, concept: CodeableConcept, words: readonly string[]): CodeableConcept {
  const known = words.map((word) => knownCode(row, word)).find((found) => found !== undefined);
  const coding = concept.coding ?? [];
  if (known === undefined || coding.some(({ system, code }) => system === known.system && code === known.code))
    return concept;
  return { ...concept, coding: [...coding, known] };
}

function knownCode(row: FindingRow, text: string): Coding | undefined {
  const word = text.trim().toLowerCase();
  if (row.code === EXUDATE_CODE && Object.hasOwn(EXUDATE_AMOUNT, word))
    return { system: SNOMED, ...EXUDATE_AMOUNT[word]! };
  const field = codedFieldOf(row.code);
  const own = field === undefined ? undefined : ownValueOf(field, word);
  return own === undefined ? undefined : { ...own };
}

function warnOfUnread(reading: Reading, row: FindingRow, concepts: readonly CodeableConcept[]): void {
  if (!isSignOrStageRead(row, concepts)) reading.draft.warn('finding.unread', placeIn(row.obx, 5));
  const field = codedFieldOf(row.code);
  if (
    field === undefined ||
    concepts.every(({ coding }) => coding?.some((code) => clinicianNameOf(field, code) !== undefined))
  )
    return;
  reading.draft.warn('finding.unread', placeIn(row.obx, 5));
}

/** True, too, for rows of anything else. */
function isSignOrStageRead({ code }: FindingRow, concepts: readonly CodeableConcept[]): boolean {
  const sent = concepts as readonly SentConcept[];
  if (code === CLINICIAN_CODES.stage.code) return sent.every((concept) => stageOf(concept) !== null);
  if (code === CLINICIAN_CODES.infectionSignCodes.code)
    return sent.every(({ coding = [] }) => coding.some((one) => signOfCode(one) !== undefined));
  return !isSign({ code }) || sent.every((concept) => signAnswerOf(concept) !== undefined);
}

function isSpacing(row: FindingRow): boolean {
  return row.code === OBSERVABLE.pixelSpacing.code;
}

function isList({ code }: FindingRow): boolean {
  const lists = [CLINICIAN_CODES.edges, CLINICIAN_CODES.periwound, CLINICIAN_CODES.infectionSigns];
  return isSign({ code }) || lists.some((list) => list.code === code);
}

/** One sign of infection, or the list of those that are ticked. */
function isSign({ code }: Pick<FindingRow, 'code'>): boolean {
  const isListed = code === CLINICIAN_CODES.infectionSignCodes.code;
  return isListed || signOfCode({ system: WOUND_OBSERVATION, code }) !== undefined;
}
