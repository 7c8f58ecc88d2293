import type { OperationOutcome } from '@medplum/fhirtypes';
import type { StoredResource } from '../store/resource-store.js';
import type { FhirAnswer } from '../call/fhir-call.js';

/** What a create with an If-None-Exist that matches comes to. */
export function matchedAnswer(match: StoredResource): FhirAnswer {
  return { status: 200, body: match, location: locationOf(match) };
}

/** `outcome`: what the sender has to know of it; undefined: nothing. */
export function createdAnswer(created: StoredResource, outcome?: OperationOutcome): FhirAnswer {
  return { status: 201, body: created, location: locationOf(created), ...(outcome === undefined ? {} : { outcome }) };
}

function locationOf({ resource, version }: StoredResource): string {
  return `${resource.resourceType}/${resource.id}/_history/${version}`;
}
