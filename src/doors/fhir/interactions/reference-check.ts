import { Injectable } from '@nestjs/common';
import type { Resource, ResourceType } from '@medplum/fhirtypes';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { ResourceStore, type ResourceTarget } from '../../../standards/fhir/store/resource-store.js';
import { error, type ResourceIssue } from '../../../standards/fhir/validation/resource-issue.js';
import type { FhirCall } from '../call/fhir-call.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import { KnownPatients } from './known-patients.js';
import {
  isReference,
  needsBundle,
  referencesOf,
  targetOf,
  versionOf,
  withReferences,
  withRelativeReferences,
} from './reference-walk.js';
import { SubjectResolution } from './subject-resolution.js';

/** Accesses are never in the store, so a reference to one is refused. */
const CHECKED_ORIGINS: readonly unknown[] = ['store', 'trail'];

/** Checks that the targets of a client's references exist. Addresses of other servers, and types that are not served, are kept unchecked. */
@Injectable()
export class ReferenceCheck {
  constructor(
    private readonly store: ResourceStore,
    private readonly patients: KnownPatients,
    private readonly subjects: SubjectResolution,
  ) {}

  /** The resource with references into our own base relative, those to a client's own ids leading to the ids here, and its patient named where a number alone says who it is. */
  async localised<T extends Resource>(call: FhirCall, resource: T): Promise<T> {
    const relative = withRelativeReferences(resource, call.base);
    const targets = linksOf(relative).map(({ target }) => target);
    const known =
      targets.length === 0 ? new Map<string, string>() : await this.store.resolve(call.transaction, targets);
    return this.subjects.resolved(
      call.transaction,
      known.size === 0 ? relative : withReferences(relative, (reference) => hereOf(reference, known)),
      call.confirmsIdentity,
    );
  }

  /** `fhir.reference` for a reference that only a Bundle can resolve, or that it could not, and for what R4 knows as no reference. */
  refuseUnresolved(resource: Resource): void {
    const issues = referencesOf(resource).flatMap(({ reference, expression }) => {
      if (needsBundle(reference))
        return [error('invalid', expression, 'The reference names no entry of this Bundle, or stands outside of one.')];
      return isReference(reference)
        ? []
        : [
            error(
              'value',
              expression,
              'A reference is Type/[id], an address from its scheme on, or #[id] of what is contained.',
            ),
          ];
    });
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
    const missing = await this.missing(call, [...targets.values()]);
    for (const { resource, links } of wanted) {
      const issues = [
        ...links
          .filter(({ target }) => missing.has(keyOf(target)))
          .map(({ target, expression }) => error('value', expression, `There is no such ${target.type}.`)),
        ...(await this.missingVersions(call, resource)),
      ];
      if (issues.length > 0)
        throw new OutcomeError('fhir.reference', issues, {}, `${resource.resourceType}/${resource.id}`);
    }
  }

  /** A patient of another door is shown as a Patient by the first reference to them. */
  private async missing({ transaction }: FhirCall, targets: readonly ResourceTarget[]): Promise<ReadonlySet<string>> {
    const missing = targets.length === 0 ? [] : await this.store.missing(transaction, targets);
    const patientIds = missing.flatMap(({ type, id }) => (type === 'Patient' ? [id] : []));
    const unknown = patientIds.length === 0 ? [] : await this.patients.show(transaction, patientIds);
    return new Set(missing.filter(({ type, id }) => type !== 'Patient' || unknown.includes(id)).map(keyOf));
  }

  private async missingVersions({ transaction }: FhirCall, resource: Resource): Promise<ResourceIssue[]> {
    const issues: ResourceIssue[] = [];
    for (const { target, version, expression } of linksOf(resource)) {
      if (version === null) continue;
      const stored = /^[1-9]\d{0,8}$/.test(version)
        ? await this.store.findVersion(transaction, target.type as ResourceType, target.id, Number(version))
        : null;
      if (stored === null) issues.push(error('value', expression, `There is no such version of the ${target.type}.`));
    }
    return issues;
  }
}

interface Link {
  readonly target: ResourceTarget;
  /** null: the present one. */
  readonly version: string | null;
  readonly expression: string;
}

function linksOf(resource: Resource): Link[] {
  return referencesOf(resource).flatMap(({ reference, expression }) => {
    const target = targetOf(reference);
    return target !== null && CHECKED_ORIGINS.includes(rowOf(target.type)?.origin)
      ? [{ target, version: versionOf(reference), expression }]
      : [];
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
