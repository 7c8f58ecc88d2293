import { Injectable } from '@nestjs/common';
import type { Resource } from '@medplum/fhirtypes';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { ResourceStore, type ResourceTarget } from '../../../standards/fhir/store/resource-store.js';
import { error } from '../../../standards/fhir/validation/resource-issue.js';
import type { FhirCall } from '../call/fhir-call.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import { needsBundle, referencesOf, targetOf, withReferences, withRelativeReferences } from './reference-walk.js';

/** Accesses are never in the store, so a reference to one is refused. */
const CHECKED_ORIGINS: readonly unknown[] = ['store', 'trail'];

/** Checks that the targets of a client's references exist. Addresses of other servers, and types that are not served, are kept unchecked. */
@Injectable()
export class ReferenceCheck {
  constructor(private readonly store: ResourceStore) {}

  /** The resource with references into our own base relative, and those to a client's own ids leading to the ids here. */
  async localised<T extends Resource>(call: FhirCall, resource: T): Promise<T> {
    const relative = withRelativeReferences(resource, call.base);
    const targets = linksOf(relative).map(({ target }) => target);
    const known =
      targets.length === 0 ? new Map<string, string>() : await this.store.resolve(call.transaction, targets);
    return known.size === 0 ? relative : withReferences(relative, (reference) => hereOf(reference, known));
  }

  /** `fhir.reference` for a reference that only a Bundle can resolve, or that it could not. */
  refuseUnresolved(resource: Resource): void {
    const issues = referencesOf(resource)
      .filter(({ reference }) => needsBundle(reference))
      .map(({ expression }) =>
        error('invalid', expression, 'The reference names no entry of this Bundle, or stands outside of one.'),
      );
    if (issues.length > 0) throw new OutcomeError('fhir.reference', issues);
  }

  /** `fhir.reference` about the first of these with a literal reference to a resource that the tenant does not have. Asks the store once; what is there stays until the transaction ends. */
  async refuseMissing(call: FhirCall, resources: readonly Resource[]): Promise<void> {
    const known = new Set([
      ...resources.map(({ resourceType, id }) => `${resourceType}/${id}`),
      ...(call.together ?? []),
    ]);
    const wanted = resources.map((resource) => ({
      resource,
      links: linksOf(resource).filter(({ target }) => !known.has(keyOf(target))),
    }));
    const targets = new Map(
      wanted.flatMap(({ links }) => links.map(({ target }): [string, ResourceTarget] => [keyOf(target), target])),
    );
    if (targets.size === 0) return;
    const missing = new Set((await this.store.missing(call.transaction, [...targets.values()])).map(keyOf));
    for (const { resource, links } of wanted) {
      const issues = links
        .filter(({ target }) => missing.has(keyOf(target)))
        .map(({ target, expression }) => error('value', expression, `There is no such ${target.type}.`));
      if (issues.length > 0)
        throw new OutcomeError('fhir.reference', issues, {}, `${resource.resourceType}/${resource.id}`);
    }
  }
}

function linksOf(resource: Resource): { target: ResourceTarget; expression: string }[] {
  return referencesOf(resource).flatMap(({ reference, expression }) => {
    const target = targetOf(reference);
    return target !== null && CHECKED_ORIGINS.includes(rowOf(target.type)?.origin) ? [{ target, expression }] : [];
  });
}

/** A reference to a version stays one. */
function hereOf(reference: string, known: ReadonlyMap<string, string>): string {
  const target = targetOf(reference);
  const id = target === null ? undefined : known.get(keyOf(target));
  return id === undefined ? reference : reference.replace(/^([A-Za-z]+)\/[^/]+/, `$1/${id}`);
}

function keyOf({ type, id }: ResourceTarget): string {
  return `${type}/${id}`;
}
