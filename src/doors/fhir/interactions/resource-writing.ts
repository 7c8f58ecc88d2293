import { Injectable } from '@nestjs/common';
import type { OperationOutcome, Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { IdSource } from '../../../core/ports/id-source.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { warningOutcome } from '../../../standards/fhir/outcome/operation-outcome.js';
import { ResourceStore, type StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import { underId } from './client-claims.js';
import type { FhirCall } from '../call/fhir-call.js';
import { IntakeDirectory } from './resource-intake.js';
import { refuseUnreadable } from './identifier-check.js';
import { permit } from './interaction-check.js';
import { ReferenceCheck } from './reference-check.js';
import type { Prepared } from './resource-intake.js';
import { SubjectCheck } from './subject-check.js';
import { SubmissionCheck } from './submission-check.js';

/** A resource that may be created or put: valid by structure and profile, its bytes prepared. */
export interface Submission<T extends Resource = Resource> {
  readonly resource: T;
  readonly prepared: Prepared<T>;
}

/** A resource that is ready to be inserted, and the call that it is part of. */
export interface AdmittedResource {
  readonly call: FhirCall;
  readonly resource: Resource;
}

/** create, in its steps. */
@Injectable()
export class ResourceWriting {
  constructor(
    private readonly store: ResourceStore,
    private readonly intakes: IntakeDirectory,
    private readonly check: SubmissionCheck,
    private readonly references: ReferenceCheck,
    private readonly subjects: SubjectCheck,
    private readonly ids: IdSource,
  ) {}

  /**
   * Outside any transaction: validates, then prepares. The caller calls `prepared.discard` where the transaction fails, and where nothing is
   * created because the criteria match. `fhir.structure`, `fhir.profile`, `fhir.image`, `fhir.url_refused`.
   */
  async submit(caller: Caller, type: string, body: unknown): Promise<Submission> {
    permit(caller, type, 'create');
    const resource = await this.check.valid(caller, type, body);
    const prepared = (await this.intakes.of(resource.resourceType)?.prepare(caller, resource)) ?? { resource };
    return { resource: prepared.resource, prepared };
  }

  /** The id that the new resource will have: see ResourceIntake.bind. `gone`: the id of what was deleted and comes to life again. */
  async assignId(call: FhirCall, { resource, prepared }: Submission, gone?: string): Promise<string> {
    const bound = await this.intakes
      .of(resource.resourceType)
      ?.bind(call, await this.references.localised(call, resource));
    return bound ?? prepared.id ?? gone ?? this.ids.next();
  }

  /** True if the create has no further effects, so that it may share a transaction with other requests. */
  standsAlone({ resource, prepared }: Submission): boolean {
    return prepared.keep === undefined && (this.intakes.of(resource.resourceType)?.standsAlone(resource) ?? true);
  }

  /** Calls `prepared.keep` and the intake's admit; links are rewritten by now. The resource as it is to be inserted. */
  async admit(call: FhirCall, { resource, prepared }: Submission, id: string): Promise<AdmittedResource> {
    const relative = underId(await this.references.localised(call, resource), id);
    refuseUnreadable(relative, null);
    this.references.refuseUnresolved(relative);
    await prepared.keep?.(call);
    return {
      call,
      resource: (await this.intakes.of(resource.resourceType)?.admit(call, relative, prepared)) ?? relative,
    };
  }

  /**
   * Inserts everything that is created in the transaction, and checks that what it refers to is there: `fhir.duplicate` or `fhir.reference`,
   * an OutcomeError whose `about` says which resource. `settle` follows.
   */
  async insert(admitted: readonly AdmittedResource[]): Promise<readonly StoredResource[]> {
    const [first] = admitted;
    if (first === undefined) return [];
    const { transaction } = first.call;
    const resources = admitted.map(({ call, resource }) => ({
      resource,
      author: { kind: 'client', keyId: call.caller.keyId } as const,
    }));
    const submitted = resources.map(({ resource }) => resource);
    const [stored] = await Promise.all([
      this.store.insertAll(transaction, resources),
      this.references.refuseMissing(first.call, submitted),
      this.subjects.refuseMixed(first.call, submitted),
    ]);
    for (const { resource } of stored) await this.subjects.noteAwaited(first.call, null, resource);
    return stored;
  }

  /** admit and insert of one. */
  async create(call: FhirCall, submission: Submission, id: string): Promise<StoredResource> {
    const [stored] = await this.insert([await this.admit(call, submission, id)]);
    return stored!;
  }

  /** Settles the intakes of what was inserted. The resources as they then are, in the same order. */
  async settle(call: FhirCall, created: readonly StoredResource[]): Promise<readonly StoredResource[]> {
    const rankOf = ({ resource }: StoredResource): number => rowOf(resource.resourceType)?.transaction?.settleRank ?? 0;
    for (const stored of [...created].sort((first, second) => rankOf(first) - rankOf(second))) {
      try {
        await this.intakes.of(stored.resource.resourceType)?.settle(call, stored);
      } catch (thrown) {
        throw about(stored.resource, thrown);
      }
    }
    return Promise.all(created.map((stored) => this.present(call, stored)));
  }

  /** Warnings for the sender of a created resource, once it is settled; undefined: none. */
  async advice(
    call: FhirCall,
    created: StoredResource,
    { warnings = [] }: Pick<Prepared, 'warnings'> = {},
  ): Promise<OperationOutcome | undefined> {
    const advice = (await this.intakes.of(created.resource.resourceType)?.advice(call, created)) ?? [];
    return warningOutcome([...warnings, ...advice]);
  }

  private async present(call: FhirCall, stored: StoredResource): Promise<StoredResource> {
    const { resourceType, id } = stored.resource;
    if (this.intakes.of(resourceType)?.changesWhenSettled !== true) return stored;
    return (await this.store.find(call.transaction, resourceType, id!)) ?? stored;
  }
}

/** A refusal that says which of several resources it is about. */
function about({ resourceType, id }: Resource, thrown: unknown): unknown {
  if (!(thrown instanceof SuturaError)) return thrown;
  const issues = thrown instanceof OutcomeError ? thrown.issues : [];
  return new OutcomeError(
    thrown.code,
    issues,
    { ...thrown.facts, kind: thrown.kind, detail: thrown.detail },
    `${resourceType}/${id}`,
  );
}
