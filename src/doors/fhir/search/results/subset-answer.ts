import type { Resource } from '@medplum/fhirtypes';
import { isStored, type FhirAnswer } from '../../call/fhir-call.js';
import { readSubset } from '../query/result-options.js';
import { subsetResource } from './subset-resource.js';

/** The answer to a read as `_summary` and `_elements` ask for it, as a search shows its matches. `fhir.search`. */
export function subsetAnswer(answer: FhirAnswer, type: string, query: URLSearchParams): FhirAnswer {
  const { body } = answer;
  const wanted = readSubset(type, query);
  if (body === null || wanted === null) return answer;
  return isStored(body)
    ? { ...answer, body: { ...body, resource: subsetResource(body.resource, wanted) } }
    : { ...answer, body: subsetResource(body as Resource, wanted) };
}
