import { SuturaError, type ErrorFacts } from '../../core/errors/sutura-error.js';
import type { OperationOutcomeIssue } from '@medplum/fhirtypes';
import type { ErrorCode } from '../../core/errors/catalogue.js';
import type { ResourceIssue } from '../validation/index.js';

/** A finding as validation makes them, or of any other of R4's issue types. */
export interface OutcomeIssue extends Omit<ResourceIssue, 'code'> {
  readonly code: NonNullable<OperationOutcomeIssue['code']>;
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
