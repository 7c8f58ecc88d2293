import { isStored, type FhirAnswer } from '../call/fhir-call.js';
import type { OperationOutcome } from '@medplum/fhirtypes';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';

/** The answer to a create whose If-None-Exist matches. */
export function matchedAnswer(match: StoredResource): FhirAnswer {
  return { status: 200, body: match, location: locationOf(match) };
}

/** `outcome`: warnings for the sender; undefined: none. */
export function createdAnswer(created: StoredResource, outcome?: OperationOutcome): FhirAnswer {
  return { status: 201, body: created, location: locationOf(created), ...(outcome === undefined ? {} : { outcome }) };
}

function locationOf({ resource, version }: StoredResource): string {
  return `${resource.resourceType}/${resource.id}/_history/${version}`;
}

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
