import { Injectable } from '@nestjs/common';
import type { Resource } from '@medplum/fhirtypes';
import { AuthorityDirectory } from '../../../core/patients/authority-table.js';
import { OutcomeError, type OutcomeIssue } from '../../../standards/fhir/outcome/outcome-error.js';
import {
  ResourceStore,
  type ResourceTarget,
  type StoredResource,
} from '../../../standards/fhir/store/resource-store.js';
import { AwaitedPatients } from '../../../standards/fhir/store/awaited-patients.js';
import type { FhirCall } from '../call/fhir-call.js';
import { referencesOf, targetOf, type FoundReference } from './reference-walk.js';
import { StandingResources } from './standing-resources.js';
import { keysOf, patientOf, statedSubject, subjectElement } from './stated-subject.js';
import { SubjectResolution } from './subject-resolution.js';

/** Elements that name an actor, who may be another patient: a mother who photographs her child. */
const ACTOR =
  /\.(?:actor|agent|asserter|author|authenticator|individual|operator|owner|performer|recorder|requester|who)(?:\[\d+\])?\.reference$/;
/** R4 files the encounter of a newborn within its mother's. */
const OF_KIN = ['Encounter.partOf.reference'];
const CONTAINED = /^[A-Za-z]+\.contained\[/;

/** Who a resource is of: a Patient of this server, or somebody who is not known here, by all that is said of them. */
type Subject = { readonly patientId: string } | { readonly keys: readonly string[] };

/** A place in a resource that names a patient. */
interface Claim {
  readonly expression: string;
  readonly subject: Subject;
}

/** Checks that everything that a resource refers to is of one patient: its subject, and the photos, wounds, orders, encounters and findings that it names. */
@Injectable()
export class SubjectCheck {
  private readonly standing: StandingResources;

  constructor(
    private readonly store: ResourceStore,
    private readonly resolution: SubjectResolution,
    private readonly awaited: AwaitedPatients,
    private readonly authorities: AuthorityDirectory,
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
      const claims = claimsOf(resource, named, subjects);
      const issues = await this.issuesOf(call, resource, claims);
      if (issues.length > 0)
        throw new OutcomeError('fhir.business_rule', issues, {}, `${resource.resourceType}/${resource.id}`);
    }
  }

  /** Keeps, or strikes off, that the resource waits for its patient. `before`: null, as it is new. A Task waits for its photo's and order's. */
  async noteAwaited({ transaction }: FhirCall, before: Resource | null, after: Resource): Promise<void> {
    if (after.resourceType === 'Task') return;
    const stated = isWithdrawn(after) || isRevoked(after) ? null : statedSubject(after);
    if (stated !== null) {
      const authorities = await this.authorities.of(transaction.tenant);
      await this.awaited.keep(transaction, after, authorities.assigned(stated.identifiers, { door: 'fhir' }));
    } else if (before !== null && statedSubject(before) !== null)
      await this.awaited.drop(transaction, { type: after.resourceType, id: after.id! });
  }

  /** The patients of the resources that the links lead to, by `Type/id`. */
  private async subjectsOf(
    call: FhirCall,
    together: readonly Resource[],
    links: readonly FoundReference[],
  ): Promise<ReadonlyMap<string, Subject>> {
    const wanted = new Map<string, ResourceTarget>();
    for (const { reference } of links) {
      const target = targetOf(reference)!;
      if (target.type !== 'Patient') wanted.set(keyOf(target), target);
    }
    const here = together.filter((resource) => wanted.delete(keyOf(resource)));
    const stored = wanted.size === 0 ? [] : await this.store.findAll(call.transaction, [...wanted.values()]);
    const subjects = new Map<string, Subject>();
    for (const kept of [...here, ...stored.map(({ resource }) => resource)]) {
      // Of a patient who has come since, and whose photo does not name them yet.
      const resource = await this.resolution.resolved(call.transaction, kept);
      const subject = subjectIn(resource);
      if (subject !== null) subjects.set(keyOf(resource), subject);
    }
    return subjects;
  }

  private async issuesOf(
    call: FhirCall,
    { resourceType }: Resource,
    [first, ...rest]: readonly Claim[],
  ): Promise<OutcomeIssue[]> {
    const different = rest.filter(({ subject }) => !isSame(subject, first!.subject));
    if (different.length === 0) return [];
    // Merges are rare, so replacements are looked up only now.
    const present = await this.presentIds(call, [first!, ...different]);
    const names = resourceType === 'Task' ? 'the Task' : `the ${resourceType}`;
    return different
      .filter(({ subject }) => !isSame(standingOf(subject, present), standingOf(first!.subject, present)))
      .map(({ expression, subject }) => ({
        severity: 'error',
        code: 'business-rule',
        expression,
        details:
          'keys' in subject || 'keys' in first!.subject
            ? `This and what ${names} names elsewhere cannot be told to be of one patient: one of the two is not known here. Send the Patient first, or name one who is known.`
            : `This is another patient’s than what ${names} names elsewhere. All that it refers to is of one patient.`,
      }));
  }

  /** The id under which each patient stands now. */
  private async presentIds(call: FhirCall, claims: readonly Claim[]): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(claims.flatMap(({ subject }) => ('keys' in subject ? [] : [subject.patientId])))];
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

/** The subject that the resource states itself, then those of what it refers to. */
function claimsOf(
  resource: Resource,
  links: readonly FoundReference[],
  subjects: ReadonlyMap<string, Subject>,
): Claim[] {
  const others = links.flatMap(({ reference, expression }): Claim[] => {
    const target = targetOf(reference)!;
    const subject = target.type === 'Patient' ? { patientId: target.id } : subjects.get(keyOf(target));
    return subject === undefined ? [] : [{ expression, subject }];
  });
  const own = subjectIn(resource);
  if (own === null || others.length === 0) return others;
  const expression = `${resource.resourceType}.${subjectElement(resource.resourceType)}`;
  return [{ expression: 'keys' in own ? expression : `${expression}.reference`, subject: own }, ...others];
}

function subjectIn(resource: Resource): Subject | null {
  const patientId = patientOf(resource);
  if (patientId !== null) return { patientId };
  const stated = statedSubject(resource);
  return stated === null ? null : { keys: keysOf(stated) };
}

function isSame(one: Subject, other: Subject): boolean {
  if ('keys' in one) return 'keys' in other && one.keys.some((key) => other.keys.includes(key));
  return 'patientId' in other && one.patientId === other.patientId;
}

/** As the subject is after merges. */
function standingOf(subject: Subject, present: ReadonlyMap<string, string>): Subject {
  return 'keys' in subject ? subject : { patientId: present.get(subject.patientId) ?? subject.patientId };
}

function isWithdrawn(resource: Resource): boolean {
  return (resource as { status?: unknown }).status === 'entered-in-error';
}

function isRevoked(resource: Resource): boolean {
  return resource.resourceType === 'ServiceRequest' && resource.status === 'revoked';
}

function keyOf(target: { readonly type: string; readonly id: string } | Resource): string {
  return 'resourceType' in target ? `${target.resourceType}/${target.id}` : `${target.type}/${target.id}`;
}
