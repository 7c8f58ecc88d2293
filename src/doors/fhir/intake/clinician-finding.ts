import type { CodeableConcept, Observation, ObservationComponent, Quantity } from '@medplum/fhirtypes';
import {
  isClockPosition,
  isUnderminingCm,
  type ClinicianObservations,
} from '../../../core/analysis/clinician-observations.js';
import { infectionSignsIn, signCodesIn, stageIn } from './stated-signs.js';
import {
  SIGN_CODES,
  CLOCK,
  CLOCK_POSITIONS,
  LOINC,
  SNOMED,
  CLINICIAN_CODES,
  CLINICIAN_VALUES,
  clinicianNameOf,
  WOUND_OBSERVATION,
  type CodedField,
  type ClinicianField,
} from '../../../reports/index.js';

/** null: nothing that a report's fields can hold. 'bad': a value that the field cannot have. */
type Stated = ClinicianObservations | 'bad' | null;
type Reader = (observation: Observation) => Stated;
type Value = Pick<
  Observation & ObservationComponent,
  'valueQuantity' | 'valueInteger' | 'valueString' | 'valueCodeableConcept'
>;

const CENTIMETRES_PER: Readonly<Record<string, number>> = { cm: 1, mm: 0.1 };
/** Limits of the native API. */
const MAX_CENTIMETRES = 200;
const MOST_PAIN = 10;

/** What a clinician's Observation of this code states. */
export function observationsIn(code: string, observation: Observation): Stated {
  return READERS.get(code)?.(observation) ?? null;
}

/** Whether a code is of a field that reports state. */
export function isFieldCode(code: string): boolean {
  return READERS.has(code);
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...(['depthCm', 'lengthCm', 'widthCm'] as const).map(
    (field) => [CLINICIAN_CODES[field].code, lengthReader(field)] as const,
  ),
  // Length and width with LOINC's own codes: what a clinician sends is by hand.
  ['39126-8', lengthReader('lengthCm')],
  ['39125-0', lengthReader('widthCm')],
  [CLINICIAN_CODES.painNrs.code, painIn],
  ...(Object.keys(CLINICIAN_VALUES) as CodedField[]).map(
    (field) => [CLINICIAN_CODES[field].code, codedReader(field)] as const,
  ),
  [CLINICIAN_CODES.undermining.code, underminingIn],
  [CLINICIAN_CODES.tunnelling.code, tunnelIn],
  // The panels of the two, with the depth as a component.
  ['72295-9', underminingIn],
  ['72298-3', tunnelIn],
  [CLINICIAN_CODES.infectionSigns.code, infectionSignsIn],
  [CLINICIAN_CODES.infectionSignCodes.code, signCodesIn],
  ...Object.values(SIGN_CODES).map(({ code }) => [code, signCodesIn] as const),
  [CLINICIAN_CODES.stage.code, stageIn],
]);

function lengthReader(field: 'depthCm' | 'lengthCm' | 'widthCm'): Reader {
  return ({ valueQuantity }) => {
    if (valueQuantity === undefined) return null;
    const centimetres = centimetresOf(valueQuantity);
    return centimetres >= 0 && centimetres <= MAX_CENTIMETRES ? { [field]: centimetres } : 'bad';
  };
}

/** NaN for an unknown unit. */
function centimetresOf({ value = Number.NaN, code, unit }: Quantity): number {
  return Math.round(value * (CENTIMETRES_PER[code ?? unit ?? ''] ?? Number.NaN) * 1000) / 1000;
}

function painIn(observation: Observation): Stated {
  const painNrs = numberIn(observation);
  if (painNrs === null) return null;
  return Number.isInteger(painNrs) && painNrs >= 0 && painNrs <= MOST_PAIN ? { painNrs } : 'bad';
}

/** A field with one value takes the first that it knows; a list takes all of them. */
function codedReader(field: CodedField): Reader {
  return (observation) => {
    const names = [...new Set(valuesOf(field, observation).flatMap((concept) => nameIn(field, concept) ?? []))];
    if (names.length === 0) return null;
    return field === 'edges' || field === 'periwound'
      ? ({ [field]: names } as ClinicianObservations)
      : ({ [field]: names[0] } as ClinicianObservations);
  };
}

/** The Observation's own value, and those of components with its code. */
function valuesOf(field: ClinicianField, { valueCodeableConcept, component }: Observation): CodeableConcept[] {
  const parts = (component ?? []).filter(({ code }) => hasCode(code, CLINICIAN_CODES[field].code));
  return [valueCodeableConcept, ...parts.map((part) => part.valueCodeableConcept)].flatMap((value) => value ?? []);
}

function nameIn(field: CodedField, { coding }: CodeableConcept): string | undefined {
  return coding?.map((code) => clinicianNameOf(field, code)).find((name) => name !== undefined);
}

/** Of two hours without our codes the first is where the stretch begins. One end alone is half of what was meant. */
function underminingIn(observation: Observation): Stated {
  const depthCm = depthIn(observation, CLINICIAN_CODES.undermining.code);
  if (depthCm === null || depthCm === 'bad') return depthCm;
  const hours = (observation.component ?? []).filter(({ code }) => hasCode(code, CLOCK.undermining.code));
  const [first, second, ...others] = hours;
  if (first === undefined || others.length > 0) return null;
  const isFrom = ({ code }: ObservationComponent) => hasCode(code, CLOCK.from.code);
  const isTo = ({ code }: ObservationComponent) => hasCode(code, CLOCK.to.code);
  if (second === undefined && (isFrom(first) || isTo(first))) return null;
  const isTurned = second !== undefined && (isTo(first) || isFrom(second));
  const clocks = (isTurned ? hours.toReversed() : hours).map(clockOf);
  if (clocks.some((clock) => clock === null)) return null;
  const [fromClock, toClock] = clocks as [number, number?];
  if (!isClockPosition(fromClock) || (toClock !== undefined && !isClockPosition(toClock))) return 'bad';
  return { undermining: [{ fromClock, ...(toClock === undefined ? {} : { toClock }), depthCm }] };
}

function tunnelIn(observation: Observation): Stated {
  const depthCm = depthIn(observation, CLINICIAN_CODES.tunnelling.code);
  if (depthCm === null || depthCm === 'bad') return depthCm;
  const [hour, another] = (observation.component ?? []).filter(({ code }) => hasCode(code, CLOCK.tunnelling.code));
  const clock = hour === undefined || another !== undefined ? null : clockOf(hour);
  if (clock === null) return null;
  return isClockPosition(clock) ? { tunnelling: [{ clock, depthCm }] } : 'bad';
}

/** 0: there is none. null, too, where there are several depths or none in a known unit. */
function depthIn({ valueQuantity, component }: Observation, code: string): number | 'bad' | null {
  const parts = (component ?? []).filter((part) => hasCode(part.code, code));
  const [quantity, another] = [valueQuantity, ...parts.map((part) => part.valueQuantity)].flatMap((one) => one ?? []);
  const depthCm = quantity === undefined || another !== undefined ? Number.NaN : centimetresOf(quantity);
  if (Number.isNaN(depthCm) || depthCm === 0) return null;
  return isUnderminingCm(depthCm) ? depthCm : 'bad';
}

function clockOf(value: Value): number | null {
  const position = value.valueCodeableConcept?.coding?.find(
    ({ system, code }) => system === SNOMED && code !== undefined && CLOCK_POSITIONS.includes(code),
  );
  return position === undefined ? numberIn(value) : CLOCK_POSITIONS.indexOf(position.code!) + 1;
}

/** A bare number: as such, as a quantity, or as text. */
function numberIn({ valueInteger, valueQuantity, valueString }: Value): number | null {
  if (valueInteger !== undefined) return valueInteger;
  if (valueQuantity?.value !== undefined) return valueQuantity.value;
  const text = valueString?.trim() ?? '';
  return /^\d{1,3}$/.test(text) ? Number(text) : null;
}

function hasCode({ coding }: CodeableConcept, wanted: string): boolean {
  return (
    coding?.some(({ system, code }) => code === wanted && (system === LOINC || system === WOUND_OBSERVATION)) ?? false
  );
}
