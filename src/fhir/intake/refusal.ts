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
