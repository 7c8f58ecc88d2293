import type { ClinicianObservations, Tunnel, Undermining } from '../../../core/analysis/clinician-observations.js';
import type { WoundStage } from '../../../core/analysis/wound-stage.js';
import { CLINICIAN_FIELDS, stageCodeOf, type CodedField, type ClinicianField } from '../../../reports/index.js';
import type { CodedValue } from '../../../standards/hl7v2/er7/message-writer.js';
import {
  CLOCK_ROW,
  METHOD,
  CLINICIAN_ROW,
  clinicianValue,
  SIGN_ROW,
  toCoded,
  unitOf,
  YES_OR_NO,
} from '../settings/local-codes.js';
import { figure } from './figure.js';
import type { ResultRow, RowValue } from './result-row.js';

const WOUND = '1';
/** OBX-4 of the first entry of each list, beyond all numbers of tissues. Receivers match rows by it: never renumber. */
const FIRST_OF_LIST = { undermining: 101, tunnelling: 201, infectionSigns: 301 } as const;

/** The rows of what a clinician stated, in the order of the contract. `snomed`: whether codes of SNOMED CT may be used. */
export function toClinicianRows(
  given: ClinicianObservations | null,
  { snomed }: { readonly snomed: boolean },
): ResultRow[] {
  if (given === null) return [];
  return CLINICIAN_FIELDS.flatMap((field) => {
    const statedAt = given.statedAt?.[field];
    const rows = rowsOf(field, given, snomed);
    return statedAt === undefined ? rows : rows.map((one) => ({ ...one, statedAt }));
  });
}

function rowsOf(field: ClinicianField, given: ClinicianObservations, snomed: boolean): ResultRow[] {
  switch (field) {
    case 'depthCm':
    case 'lengthCm':
    case 'widthCm':
      return given[field] === undefined ? [] : [centimetres(CLINICIAN_ROW[field], given[field], WOUND)];
    case 'painNrs':
      return given.painNrs === undefined
        ? []
        : [row(CLINICIAN_ROW.painNrs, { type: 'NM', text: figure(given.painNrs, 0) }, WOUND)];
    case 'undermining':
    case 'tunnelling':
      return (given[field] ?? []).flatMap((place, index) => underminingRows(field, place, subIdOf(field, index)));
    case 'infectionSigns':
      return (given.infectionSigns ?? []).map((text, index) =>
        row(CLINICIAN_ROW.infectionSigns, { type: 'ST', text }, subIdOf(field, index)),
      );
    case 'infectionSignCodes':
      return (given.infectionSignCodes ?? []).map(({ sign, status }) =>
        row(SIGN_ROW[sign], { type: 'CWE', values: [YES_OR_NO[status]] }, WOUND),
      );
    case 'stage':
      return given.stage === undefined ? [] : [stageRow(given.stage)];
    case 'exudate':
    case 'exudateType':
    case 'odour':
    case 'edges':
    case 'periwound':
      return codedRow(field, given, snomed);
  }
}

function codedRow(field: CodedField, given: ClinicianObservations, snomed: boolean): ResultRow[] {
  const said: string | readonly string[] = given[field] ?? [];
  const values = (typeof said === 'string' ? [said] : said).map((name) => clinicianValue(field, name, snomed));
  return values.length === 0 ? [] : [row(CLINICIAN_ROW[field], { type: 'CWE', values }, WOUND)];
}

function stageRow({ statedAt, ...stage }: WoundStage): ResultRow {
  const one = row(CLINICIAN_ROW.stage, { type: 'CWE', values: [toCoded(stageCodeOf(stage))] }, WOUND);
  return statedAt === undefined ? one : { ...one, statedAt };
}

/** The depth, and the clock position beside it: a range for undermining. */
function underminingRows(field: 'undermining' | 'tunnelling', place: Undermining | Tunnel, subId: string): ResultRow[] {
  const clock: RowValue = 'clock' in place ? { type: 'NM', text: figure(place.clock, 0) } : rangeOf(place);
  return [centimetres(CLINICIAN_ROW[field], place.depthCm, subId), row(CLOCK_ROW[field], clock, subId)];
}

function rangeOf({ fromClock, toClock }: Undermining): RowValue {
  return { type: 'SN', from: figure(fromClock, 0), to: toClock === undefined ? null : figure(toClock, 0) };
}

function centimetres(code: CodedValue, value: number, subId: string): ResultRow {
  return { ...row(code, { type: 'NM', text: figure(value, 0) }, subId), unit: unitOf('cm') };
}

/** Without a reviewer: these observations are not the reviewer's. */
function row(code: CodedValue, value: RowValue, subId: string): ResultRow {
  return {
    code,
    subId,
    type: value.type,
    value,
    unit: null,
    interpretation: '',
    method: METHOD.stated,
    model: null,
    analysedAt: null,
    observed: false,
  };
}

function subIdOf(field: keyof typeof FIRST_OF_LIST, index: number): string {
  return `${WOUND}.${FIRST_OF_LIST[field] + index}`;
}
