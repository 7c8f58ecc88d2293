import { Injectable } from '@nestjs/common';
import type { Reference, Resource } from '@medplum/fhirtypes';
import { OutcomeError, type OutcomeIssue } from '../../../standards/fhir/outcome/outcome-error.js';
import { identifierCriteria } from '../search/resource-search.js';
import { ResourceSearch } from '../search/resource-search.js';
import {
  ResourceStore,
  type ResourceTarget,
  type StoredResource,
} from '../../../standards/fhir/store/resource-store.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import type { FhirCall } from '../call/fhir-call.js';
import { elementsOf } from '../../../standards/fhir/types/elements.js';
import { referencesOf, targetOf, type FoundReference } from './reference-walk.js';
import { StandingResources } from './standing-resources.js';

/** Elements that name an actor, who may be another patient: a mother who photographs her child. */
const ACTOR =
  /\.(?:actor|agent|asserter|author|authenticator|individual|operator|owner|performer|recorder|requester|who)(?:\[\d+\])?\.reference$/;
/** R4 files the encounter of a newborn within its mother's. */
const OF_KIN = ['Encounter.partOf.reference'];
const CONTAINED = /^[A-Za-z]+\.contained\[/;

/** A place in a resource that names a patient. */
interface Claim {
  readonly expression: string;
  readonly patientId: string;
}

/** Checks that everything that a resource refers to is of one patient: its subject, and the photos, wounds, orders, encounters and findings that it names. */
@Injectable()
export class SubjectCheck {
  private readonly standing: StandingResources;

  constructor(
    private readonly store: ResourceStore,
    private readonly searching: ResourceSearch,
  ) {
    this.standing = new StandingResources(store);
  }

  /**
   * `fhir.business_rule` at the first place of each of these that names another patient's, about the resource. They may name each other. What was
   * entered in error is not looked at, so that a mistake can be withdrawn. Asks the store once, and only where a resource names one with a subject.
   */
  async refuseMixed(call: FhirCall, resources: readonly Resource[]): Promise<void> {
    const looked = resources.filter(
      (resource) => subjectElement(resource.resourceType) !== null && !isWithdrawn(resource),
    );
    const links = new Map(looked.map((resource) => [resource, linksOf(resource)]));
    const subjects = await this.subjectsOf(call, resources, [...links.values()].flat());
    for (const [resource, named] of links) {
      const claims = await this.claimsOf(call, resource, named, subjects);
      const issues = await this.issuesOf(call, resource, claims);
      if (issues.length > 0)
        throw new OutcomeError('fhir.business_rule', issues, {}, `${resource.resourceType}/${resource.id}`);
    }
  }

  /** The patients of the resources that the links lead to, by `Type/id`. */
  private async subjectsOf(
    call: FhirCall,
    together: readonly Resource[],
    links: readonly FoundReference[],
  ): Promise<ReadonlyMap<string, string>> {
    const wanted = new Map<string, ResourceTarget>();
    for (const { reference } of links) {
      const target = targetOf(reference)!;
      if (target.type !== 'Patient') wanted.set(keyOf(target), target);
    }
    const here = together.filter((resource) => wanted.delete(keyOf(resource)));
    const stored = wanted.size === 0 ? [] : await this.store.findAll(call.transaction, [...wanted.values()]);
    const subjects = new Map<string, string>();
    for (const resource of [...here, ...stored.map(({ resource: kept }) => kept)]) {
      const patientId = patientOf(resource);
      if (patientId !== null) subjects.set(keyOf(resource), patientId);
    }
    return subjects;
  }

  private async claimsOf(
    call: FhirCall,
    resource: Resource,
    links: readonly FoundReference[],
    subjects: ReadonlyMap<string, string>,
  ): Promise<Claim[]> {
    const others = links.flatMap(({ reference, expression }): Claim[] => {
      const target = targetOf(reference)!;
      const patientId = target.type === 'Patient' ? target.id : subjects.get(keyOf(target));
      return patientId === undefined ? [] : [{ expression, patientId }];
    });
    if (others.length === 0) return [];
    const own = await this.ownClaim(call, resource);
    return own === null ? others : [own, ...others];
  }

  /** The subject by a reference, or by an identifier that one Patient has. */
  private async ownClaim(call: FhirCall, resource: Resource): Promise<Claim | null> {
    const expression = `${resource.resourceType}.${subjectElement(resource.resourceType)}`;
    const patientId = patientOf(resource);
    if (patientId !== null) return { expression: `${expression}.reference`, patientId };
    const { reference, identifier } = subjectOf(resource) ?? {};
    if (reference !== undefined || identifier?.value === undefined) return null;
    const criteria = identifierCriteria([{ system: identifier.system ?? '', value: identifier.value }]);
    const [patient, another] = await this.standing.of(call, await this.searching.match(call, 'Patient', criteria, 2));
    return patient === undefined || another !== undefined
      ? null
      : { expression: `${expression}.identifier`, patientId: patient.resource.id! };
  }

  private async issuesOf(
    call: FhirCall,
    { resourceType }: Resource,
    [first, ...rest]: readonly Claim[],
  ): Promise<OutcomeIssue[]> {
    const different = rest.filter(({ patientId }) => patientId !== first!.patientId);
    if (different.length === 0) return [];
    // Merges are rare, so replacements are looked up only now.
    const present = await this.presentIds(call, [first!, ...different]);
    const details = `This is another patient’s than what ${resourceType === 'Task' ? 'the Task' : `the ${resourceType}`} names elsewhere. All that it refers to is of one patient.`;
    return different
      .filter(({ patientId }) => present.get(patientId) !== present.get(first!.patientId))
      .map(({ expression }) => ({ severity: 'error', code: 'business-rule', expression, details }));
  }

  /** The id under which each patient stands now. */
  private async presentIds(call: FhirCall, claims: readonly Claim[]): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(claims.map(({ patientId }) => patientId))];
    const patients = await this.store.findAll(
      call.transaction,
      ids.map((id) => ({ type: 'Patient', id })),
    );
    const present = new Map(ids.map((id) => [id, id]));
    for (const patient of patients) present.set(patient.resource.id!, await this.presentId(call, patient));
    return present;
  }

  private async presentId(call: FhirCall, patient: StoredResource): Promise<string> {
    const [standing = patient] = await this.standing.of(call, [patient]);
    return standing.resource.id!;
  }
}

/** References to patients and to their resources, apart from the subject itself and from actors. */
function linksOf(resource: Resource): FoundReference[] {
  const subject = `${resource.resourceType}.${subjectElement(resource.resourceType)}.reference`;
  return referencesOf(resource).filter(({ reference, expression }) => {
    const type = targetOf(reference)?.type;
    if (type === undefined || (type !== 'Patient' && subjectElement(type) === null)) return false;
    return (
      expression !== subject && !ACTOR.test(expression) && !OF_KIN.includes(expression) && !CONTAINED.test(expression)
    );
  });
}

function subjectOf(resource: Resource): Reference | undefined {
  return elementsOf(resource)[subjectElement(resource.resourceType) ?? ''] as Reference | undefined;
}

/** The Patient that the resource names as its subject by a literal reference of this server. */
function patientOf(resource: Resource): string | null {
  const target = targetOf(subjectOf(resource)?.reference ?? '');
  return target?.type === 'Patient' ? target.id : null;
}

function isWithdrawn(resource: Resource): boolean {
  return (resource as { status?: unknown }).status === 'entered-in-error';
}

function keyOf(target: { readonly type: string; readonly id: string } | Resource): string {
  return 'resourceType' in target ? `${target.resourceType}/${target.id}` : `${target.type}/${target.id}`;
}

/** null: the type has no subject. */
function subjectElement(type: string): string | null {
  return rowOf(type)?.subject ?? null;
}
