import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import type { Resource, ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { warningOutcome } from '../../../standards/fhir/outcome/operation-outcome.js';
import { ResourceStore, type StoredResource } from '../../../standards/fhir/store/resource-store.js';
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
      if (ifMatch !== undefined)
        throw new SuturaError('fhir.version_conflict', {
          detail: 'There is no version that the change could be made from. Leave out If-Match to create the resource.',
        });
      throw new AbsentResource();
    }
    requireMatch(ifMatch, current.version, this.settings.fhir.requireIfMatch);
    return this.replace(call, current, next);
  }

  async patch(
    call: FhirCall,
    type: string,
    id: string,
    patch: SentPatch,
    { ifMatch }: Preconditions,
  ): Promise<FhirAnswer> {
    permit(call.caller, type, 'patch');
    const current = await this.find(call, type, id);
    if (current === null) throw new SuturaError('fhir.not_found');
    requireMatch(ifMatch, current.version, this.settings.fhir.requireIfMatch);
    return this.replace(call, current, await this.check.valid(call.caller, type, withPatch(current.resource, patch)));
  }

  /** null also for a resource that the caller could not read: the answer to a change would show its content. */
  private async find(call: FhirCall, type: string, id: string): Promise<StoredResource | null> {
    const stored = await this.store.findForUpdate(call.transaction, type as ResourceType, id);
    return stored !== null && mayRead(call.caller, type, stored) ? stored : null;
  }

  private async replace(call: FhirCall, current: StoredResource, valid: Resource): Promise<FhirAnswer> {
    const next = underId(await this.references.localised(call, valid), current.resource.id!);
    refuseUnreadable(next, current.resource);
    this.references.refuseUnresolved(next);
    await this.references.refuseMissing(call, [next]);
    await this.subjects.refuseMixed(call, [next]);
    const amended = (await this.intakes.of(next.resourceType)?.amend(call, current, next)) ?? next;
    const stored = await this.store.replace(call.transaction, current, amended, {
      kind: 'client',
      keyId: call.caller.keyId,
    });
    const intake = this.intakes.of(next.resourceType);
    await intake?.changed(call, current, stored);
    const outcome = warningOutcome((await intake?.advice(call, stored)) ?? []);
    return {
      status: 200,
      body: stored,
      location: `${next.resourceType}/${next.id}/_history/${stored.version}`,
      ...(outcome === undefined ? {} : { outcome }),
    };
  }
}
