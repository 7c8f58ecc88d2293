import { isStored, type FhirAnswer } from '../call/fhir-call.js';

/** An answer to a request that named the resource by a client's own id: the resource carries the id that it was asked for by (R4 http.html 3.1.0.1.2). */
export function addressedAs(answer: FhirAnswer, type: string, id: string): FhirAnswer {
  const { body, location } = answer;
  const canonical = isStored(body) ? body.resource : null;
  if (canonical !== null && (canonical.resourceType !== type || canonical.id === id)) return answer;
  return {
    ...answer,
    ...(isStored(body) ? { body: { ...body, resource: { ...body.resource, id } } } : {}),
    ...(location === undefined ? {} : { location: location.replace(/^([A-Za-z]+)\/[^/]+/, `$1/${id}`) }),
  };
}
