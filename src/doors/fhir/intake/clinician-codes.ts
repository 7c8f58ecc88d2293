import type { CodeableConcept, Observation, Quantity } from '@medplum/fhirtypes';
import type { ClinicianObservations } from '../../../core/analysis/clinician-observations.js';
import {
  LOINC,
  MM_PER_PIXEL_CODES,
  OBSERVABLE,
  FINDING_CODES,
  FINDING_LOINC,
  UCUM,
  WOUND_OBSERVATION,
} from '../../../reports/index.js';
import { observationsIn } from './clinician-finding.js';

const PIXEL_SPACING = OBSERVABLE.pixelSpacing.code;

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
      ((system === LOINC && FINDING_LOINC.has(code)) || (system === WOUND_OBSERVATION && FINDING_CODES.has(code))),
  );
  return coding?.code ?? null;
}

/** False for one that was withdrawn, or states no result yet. */
export function isInUse({ status }: Observation): boolean {
  return COUNTS.includes(status);
}

/** null: an Observation that is kept and changes no analysis. 'bad': its value cannot be used. */
export function findingOf(observation: Observation): Finding | 'bad' | null {
  if (!isInUse(observation)) return null;
  const named = clinicianCodeOf(observation.code);
  if (named === null) return null;
  if (named === PIXEL_SPACING) return spacingOf(observation.valueQuantity);
  const observations = observationsIn(named, observation);
  return observations === null || observations === 'bad' ? observations : { observations };
}

/** The number alone says nothing: 2 may be meant as pixels a millimetre. */
function spacingOf(quantity: Quantity | undefined): Finding | 'bad' {
  const { value = Number.NaN, unit = '', system, code } = quantity ?? {};
  const isStated =
    system === UCUM && code !== undefined && MM_PER_PIXEL_CODES.includes(code) && !PIXELS_PER_LENGTH.test(unit);
  return isStated && value > 0 ? { mmPerPixel: value } : 'bad';
}
