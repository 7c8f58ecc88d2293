import type { Resource } from '@medplum/fhirtypes';
import { OutcomeError } from '../outcome/outcome-error.js';
import { uniqueIdentifiersOf, type UniqueIdentifiers } from './resource-identifiers.js';
import type { ResourceToInsert } from './resource-store.js';

/** Identifiers that no other resource of its type may have; null for the service, whose identifiers are its own matter. */
export function uniqueOf({ resource, author }: ResourceToInsert): UniqueIdentifiers | null {
  return author.kind === 'client' ? uniqueIdentifiersOf(resource) : null;
}

/** The first that has the id or an identifier of one before it: a statement does not see what it is writing itself. */
export function firstRepeated(resources: readonly ResourceToInsert[]): Resource | null {
  const seen = new Set<string>();
  for (const created of resources) {
    const { resourceType, id } = created.resource;
    const { scope, identifiers } = uniqueOf(created) ?? { scope: '', identifiers: [] };
    const claims = [
      `${resourceType}/${id}`,
      ...identifiers.map(({ system, value }) => JSON.stringify([resourceType, scope, system, value])),
    ];
    if (claims.some((claim) => seen.has(claim))) return created.resource;
    for (const claim of claims) seen.add(claim);
  }
  return null;
}

/** `fhir.duplicate`. Names the resource where several were written; for one alone the refusal says enough. */
export function duplicate({ resourceType, id }: Resource): OutcomeError {
  return new OutcomeError('fhir.duplicate', [], {}, `${resourceType}/${id}`);
}
