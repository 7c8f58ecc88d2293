import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import type { Resource, ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { warningOutcome } from '../../../standards/fhir/outcome/operation-outcome.js';
import {
  ResourceStore,
  type DeletedResource,
  type StoredResource,
} from '../../../standards/fhir/store/resource-store.js';
import { isSameContent } from '../../../standards/fhir/types/same-content.js';
import { underId } from './client-claims.js';
import type { FhirAnswer, FhirCall, Preconditions } from '../call/fhir-call.js';
import { refuseUnreadable } from './identifier-check.js';
import { IntakeDirectory } from './resource-intake.js';
import { mayRead, permit } from './interaction-check.js';
import { requireMatch } from '../call/preconditions.js';
import { AbsentResource } from './put-request.js';
import { ReferenceCheck } from './reference-check.js';
import { withPatch, type SentPatch } from './sent-patch.js';
import { SubjectCheck } from './subject-check.js';
import { SubmissionCheck } from './submission-check.js';

/** update and patch. */
@Injectable()
export class ResourceChanging {
  constructor(
    private readonly store: ResourceStore,
    private readonly intakes: IntakeDirectory,
    private readonly check: SubmissionCheck,
    private readonly references: ReferenceCheck,
    private readonly subjects: SubjectCheck,
    private readonly settings: Settings,
  ) {}

  /** Outside any transaction: the body of an update, by structure and profile valid. `update` checks it again, with its links rewritten. */
  async valid(caller: Caller, type: string, body: unknown): Promise<Resource> {
    permit(caller, type, 'update');
    return this.check.valid(caller, type, body);
  }

  /** Replaces a resource, without inline bytes. `AbsentResource` if it does not exist. */
  async update(
    call: FhirCall,
    type: string,
    id: string,
    body: unknown,
    { ifMatch }: Preconditions,
  ): Promise<FhirAnswer> {
    const next = await this.valid(call.caller, type, body);
    const current = await this.find(call, type, id);
    // Either id that addresses the resource; a match of criteria need not be named.
    if (next.id !== id && next.id !== current?.resource.id) throw new SuturaError('fhir.id_mismatch');
    if (current === null) {
      const deleted = await this.findDeleted(call, type, id);
      if (deleted !== null) return this.revive(call, deleted, next, ifMatch);
      if (ifMatch !== undefined)
        throw new SuturaError('fhir.version_conflict', {
          detail: 'There is no version that the change could be made from. Leave out If-Match to create the resource.',
        });
      throw new AbsentResource();
    }
    requireMatch(ifMatch, current.version, this.settings.fhir.requireIfMatch);
    return this.replace(call, current, next);
  }

  patch(call: FhirCall, type: string, id: string, patch: SentPatch, conditions: Preconditions): Promise<FhirAnswer> {
    return this.mark(call, type, id, (resource) => withPatch(resource, patch), conditions);
  }

  /** As a patch that `change` makes of a resource; it leaves what it is given as it is. */
  async mark(
    call: FhirCall,
    type: string,
    id: string,
    change: (resource: Resource) => Resource,
    { ifMatch }: Preconditions,
  ): Promise<FhirAnswer> {
    permit(call.caller, type, 'patch');
    const current = await this.find(call, type, id);
    if (current === null) {
      if ((await this.findDeleted(call, type, id)) !== null) throw new SuturaError('fhir.gone');
      throw new SuturaError('fhir.not_found');
    }
    requireMatch(ifMatch, current.version, this.settings.fhir.requireIfMatch);
    return this.replace(call, current, await this.check.valid(call.caller, type, change(current.resource)));
  }

  /** null also for a resource that the caller could not read: the answer to a change would show its content. */
  private async find(call: FhirCall, type: string, id: string): Promise<StoredResource | null> {
    const stored = await this.store.findForUpdate(call.transaction, type as ResourceType, id);
    return stored !== null && mayRead(call.caller, type, stored) ? stored : null;
  }

  /** What it was is known: what went by age is created anew. */
  private async findDeleted(call: FhirCall, type: string, id: string): Promise<DeletedResource | null> {
    const deleted = await this.store.findDeletedForUpdate(call.transaction, type as ResourceType, id);
    return deleted !== null && mayRead(call.caller, type, deleted) ? deleted : null;
  }

  /** `AbsentResource` where only the deletion is left. */
  private async revive(
    call: FhirCall,
    deleted: DeletedResource,
    next: Resource,
    ifMatch: string | undefined,
  ): Promise<FhirAnswer> {
    requireMatch(ifMatch, deleted.version, false);
    if (!deleted.isKnown) throw new AbsentResource();
    return { ...(await this.replace(call, deleted, next)), status: 201 };
  }

  private async replace(call: FhirCall, current: StoredResource, valid: Resource): Promise<FhirAnswer> {
    const next = underId(await this.references.localised(call, valid), current.resource.id!);
    refuseUnreadable(next, current.resource);
    this.references.refuseUnresolved(next);
    await this.references.refuseMissing(call, [next]);
    await this.subjects.refuseMixed(call, [next]);
    const intake = this.intakes.of(next.resourceType);
    const amended = (await intake?.amend(call, current, next)) ?? next;
    const stored = await this.written(call, current, amended);
    if (stored !== current) await intake?.changed(call, current, stored);
    const outcome = warningOutcome((await intake?.advice(call, stored)) ?? []);
    return {
      status: 200,
      body: stored,
      location: `${next.resourceType}/${next.id}/_history/${stored.version}`,
      ...(outcome === undefined ? {} : { outcome }),
    };
  }

  /** What says the same as before makes no version: a system that sends its patients each time does not lengthen their histories. */
  private async written(call: FhirCall, current: StoredResource, next: Resource): Promise<StoredResource> {
    if (current.isDeletion !== true && isSameContent(current.resource, next)) return current;
    const { keyId } = call.caller;
    const stored = await this.store.replace(call.transaction, current, next, { kind: 'client', keyId });
    await this.subjects.noteAwaited(call, current.resource, stored.resource);
    return stored;
  }
}
