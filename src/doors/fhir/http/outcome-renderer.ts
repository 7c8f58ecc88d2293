import type { SuturaError } from '../../../core/errors/sutura-error.js';
import { problemHeaders, type ProblemOccasion } from '../../../platform/http/problem.js';
import type { RenderedRefusal } from '../../../platform/http/refusal-formats.js';
import { outcomeStatus, toOperationOutcome } from '../../../standards/fhir/outcome/operation-outcome.js';
import type { ResourceXml } from '../../../standards/fhir/xml/resource-xml.js';
import { AnswerForm } from './answer-form.js';
import { queryOf } from './fhir-exchange.js';

/**
 * Renders every refusal at and below the base, those of the framework included, in the form that the caller accepts. The headers are those
 * of the native door.
 */
export function renderOutcome(error: SuturaError, occasion: ProblemOccasion, xml: ResourceXml): RenderedRefusal {
  const form = AnswerForm.of(occasion.request, queryOf(occasion.url), xml);
  return {
    status: outcomeStatus(error),
    headers: { ...problemHeaders(error), ...form.headers },
    body: form.textOf(toOperationOutcome(error, occasion.requestId)),
  };
}
