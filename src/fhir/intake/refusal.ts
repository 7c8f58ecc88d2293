import type { Patient } from '../../core/patients/patient.js';
import { OutcomeError } from '../outcome/index.js';

/** `fhir.business_rule` at one place of a resource. */
export function notPossible(expression: string, details: string): OutcomeError {
  return new OutcomeError('fhir.business_rule', [{ severity: 'error', code: 'business-rule', expression, details }]);
}

/** `fhir.image` at one place of a resource. */
export function notUsable(expression: string, details: string): OutcomeError {
  return new OutcomeError('fhir.image', [{ severity: 'error', code: 'value', expression, details }]);
}

/** `fhir.reference` at one place of a resource. */
export function notFound(expression: string, details: string): OutcomeError {
  return new OutcomeError('fhir.reference', [{ severity: 'error', code: 'value', expression, details }]);
}

/** `fhir.business_rule` for a patient whose record was joined into another: nothing is filed under it any more. */
export function refuseMerged({ mergedInto }: Pick<Patient, 'mergedInto'>, expression: string): void {
  if (mergedInto !== null)
    throw notPossible(expression, `The record was joined into another patient’s. Refer to Patient/${mergedInto}.`);
}
