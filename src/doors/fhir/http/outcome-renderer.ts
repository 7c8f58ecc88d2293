import type { SuturaError } from '../../../core/errors/sutura-error.js';
import { problemHeaders, type ProblemOccasion } from '../../../platform/http/problem.js';
import type { RenderedRefusal } from '../../../platform/http/refusal-formats.js';
import { outcomeStatus, toOperationOutcome } from '../../../standards/fhir/outcome/operation-outcome.js';

const FHIR_CONTENT_TYPE = 'application/fhir+json; charset=utf-8';

/** Headers of every FHIR answer of this door. */
export const FHIR_HEADERS: Readonly<Record<string, string>> = {
  'content-type': FHIR_CONTENT_TYPE,
  'cache-control': 'private, no-store',
};

/** Renders every refusal at and below the base, those of the framework included. The headers are those of the native door. */
export function renderOutcome(error: SuturaError, occasion: ProblemOccasion): RenderedRefusal {
  return {
    status: outcomeStatus(error),
    headers: { ...problemHeaders(error), ...FHIR_HEADERS },
    body: JSON.stringify(toOperationOutcome(error, occasion.requestId)),
  };
}
