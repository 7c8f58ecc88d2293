import type { CodeableConcept, Observation, Quantity } from '@medplum/fhirtypes';
import type { ClinicianObservations, ExudateAmount } from '../../core/analysis/clinician-observations.js';
import { LOINC, MM_PER_PIXEL_CODES, OBSERVABLE, SNOMED, UCUM, WOUND_OBSERVATION } from '../../reports/index.js';

const LENGTH = '39126-8';
const WIDTH = '39125-0';
const DEPTH = '39127-6';
const EXUDATE = '39116-9';
const PIXEL_SPACING = OBSERVABLE.pixelSpacing.code;

/** LOINC codes of findings at the bedside (standards 1.1, "accept inbound"); length and width there are by hand. */
export const CLINICIAN_LOINC: readonly string[] = [
  ...[
    LENGTH,
    WIDTH,
    DEPTH,
    EXUDATE,
    '39114-4',
    '94083-3',
    '39132-6',
    '89255-4',
    '89256-2',
    '72304-9',
    '39133-4',
    '72289-2',
    '72290-0',
    '72288-4',
    '72291-8',
  ],
  ...['89259-6', '72298-3', '72296-7', '72297-5', '72295-9', '72293-4', '72294-2', '89258-8', '72301-5'],
];

/** SNOMED CT amounts of exudate (standards 1.2) in the words of the native API. */
const EXUDATE_AMOUNT: Readonly<Record<string, ExudateAmount>> = {
  '260413007': 'none',
  '263865001': 'light',
  '255507004': 'light',
  '6736007': 'moderate',
  '255509001': 'heavy',
};
const CENTIMETRES_PER: Readonly<Record<string, number>> = { cm: 1, mm: 0.1 };
/** Limits of the native API. */
const MAX_CENTIMETRES = 200;
/** A label that says the inverse of its code: one of the two is wrong. */
const PIXELS_PER_LENGTH = /^\s*(?:px|pixels?)\s*(?:\/|per\b)/i;
const COUNTS: readonly Observation['status'][] = ['final', 'amended', 'corrected', 'preliminary'];

/** The contribution of a clinician's Observation to an analysis. */
export interface Finding {
  readonly mmPerPixel?: number;
  readonly observations?: ClinicianObservations;
}

/** The code that makes an Observation one of a clinician's; null: not one that is taken. */
export function clinicianCodeOf(concept: CodeableConcept | undefined): string | null {
  const coding = concept?.coding?.find(
    ({ system, code }) =>
      code !== undefined &&
      ((system === LOINC && CLINICIAN_LOINC.includes(code)) ||
        (system === WOUND_OBSERVATION && code === PIXEL_SPACING)),
  );
  return coding?.code ?? null;
}

/** null: an Observation that is kept and changes no analysis. 'bad': its value cannot be used. */
export function findingOf({ code, status, valueQuantity, valueCodeableConcept }: Observation): Finding | 'bad' | null {
  if (!COUNTS.includes(status)) return null;
  const named = clinicianCodeOf(code);
  if (named === PIXEL_SPACING) return spacingOf(valueQuantity);
  if (named === EXUDATE) return exudateOf(valueCodeableConcept);
  const field = named === DEPTH ? 'depthCm' : named === LENGTH ? 'lengthCm' : named === WIDTH ? 'widthCm' : null;
  if (field === null || valueQuantity === undefined) return null;
  const centimetres =
    (valueQuantity.value ?? Number.NaN) *
    (CENTIMETRES_PER[valueQuantity.code ?? valueQuantity.unit ?? ''] ?? Number.NaN);
  return centimetres >= 0 && centimetres <= MAX_CENTIMETRES
    ? { observations: { [field]: Math.round(centimetres * 1000) / 1000 } }
    : 'bad';
}

/** The number alone says nothing: 2 may be meant as pixels a millimetre. */
function spacingOf(quantity: Quantity | undefined): Finding | 'bad' {
  const { value = Number.NaN, unit = '', system, code } = quantity ?? {};
  const isStated =
    system === UCUM && code !== undefined && MM_PER_PIXEL_CODES.includes(code) && !PIXELS_PER_LENGTH.test(unit);
  return isStated && value > 0 ? { mmPerPixel: value } : 'bad';
}

function exudateOf(concept: CodeableConcept | undefined): Finding | null {
  const exudate = concept?.coding?.flatMap(({ system, code }) =>
    system === SNOMED && code !== undefined ? (EXUDATE_AMOUNT[code] ?? []) : [],
  )[0];
  return exudate === undefined ? null : { observations: { exudate } };
}
