import type { SuturaError } from '../../core/errors/sutura-error.js';
import { problemHeaders, PROBLEM_STATUS, type ProblemOccasion } from '../../platform/http/problem.js';
import type { RenderedRefusal } from '../../platform/http/refusal-formats.js';
import { toOperationOutcome } from '../../standards/fhir/outcome/operation-outcome.js';

/** A refusal of CDS Hooks as an OperationOutcome, which EHRs can show. */
export function renderCdsRefusal(error: SuturaError, { requestId }: ProblemOccasion): RenderedRefusal {
  return {
    status: PROBLEM_STATUS[error.kind],
    headers: { ...problemHeaders(error), 'content-type': 'application/fhir+json; charset=utf-8' },
    body: JSON.stringify(toOperationOutcome(error, requestId)),
  };
}
