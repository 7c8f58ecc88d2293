import type { Patient } from '../../../core/patients/patient.js';
import { SuturaError, type ErrorFacts } from '../../../core/errors/sutura-error.js';
import type { OperationOutcomeIssue } from '@medplum/fhirtypes';
import type { ErrorCode } from '../../../core/errors/catalogue.js';
import type { ResourceIssue } from '../validation/resource-issue.js';

/** A finding as validation makes them, or of any other of R4's issue types. */
export interface OutcomeIssue extends Omit<ResourceIssue, 'code'> {
  readonly code: NonNullable<OperationOutcomeIssue['code']>;
  /** The place in a body that is XML, as XPath. */
  readonly location?: string;
}

/** A refusal that points into a resource: rendered as one OperationOutcome issue each. `expression` starts at the resource, or at `Bundle.entry[n]`. */
export class OutcomeError extends SuturaError {
  constructor(
    code: ErrorCode,
    readonly issues: readonly OutcomeIssue[],
    facts: ErrorFacts = {},
    /** `Type/id` of the created resource that the issues point into, where several are looked at together. */
    readonly about: string | null = null,
  ) {
    super(code, facts);
  }
}

/** `fhir.business_rule` at one place of a resource. */
export function notPossible(expression: string, details: string): OutcomeError {
  return new OutcomeError('fhir.business_rule', [{ severity: 'error', code: 'business-rule', expression, details }]);
}

/** `fhir.image`, or `image.damaged`, at one place of a resource. */
export function notUsable(
  expression: string,
  details: string,
  code: 'fhir.image' | 'image.damaged' = 'fhir.image',
): OutcomeError {
  return new OutcomeError(code, [{ severity: 'error', code: 'value', expression, details }]);
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
