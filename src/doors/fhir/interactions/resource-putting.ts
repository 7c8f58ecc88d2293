import { Injectable } from '@nestjs/common';
import type { ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import {
  ResourceStore,
  type ResourceTarget,
  type StoredResource,
} from '../../../standards/fhir/store/resource-store.js';
import { isModelCardId } from '../../../reports/index.js';
import { hasConditionalUpdate } from '../../../standards/fhir/types/served-types.js';
import { error } from '../../../standards/fhir/validation/resource-issue.js';
import type { FhirCall } from '../call/fhir-call.js';
import { mayRead, notSupported, permit } from './interaction-check.js';
import { AbsentResource, clientIdOf, idInBody, type PutRequest } from './put-request.js';
import { CriteriaMatch } from './criteria-match.js';
import { ResourceWriting, type Submission } from './resource-writing.js';

const ID = /^[A-Za-z0-9\-.]{1,64}$/;

/** The id that a resource gets which is put where there was none. */
export interface BoundPut {
  readonly id: string;
  /** True: it exists, known to core by another identifier, and is to be updated. */
  readonly isKnown: boolean;
}

/** PUT where nothing may exist yet: update as create, and conditional update. `ResourceChanging` updates what exists. */
@Injectable()
export class ResourcePutting {
  constructor(
    private readonly store: ResourceStore,
    private readonly writing: ResourceWriting,
    private readonly matches: CriteriaMatch,
  ) {}

  /** The submission of a PUT that may create, as for a create. */
  async submit(caller: Caller, put: PutRequest): Promise<Submission> {
    const { type, target, body } = put;
    permit(caller, type, 'update');
    if (target.kind === 'id' && idInBody(body) !== target.id) throw new SuturaError('fhir.id_mismatch');
    if (!ID.test(clientIdOf(put) ?? 'none'))
      throw new OutcomeError('fhir.structure', [
        error('value', `${type}.id`, 'An id has at most 64 letters, digits, hyphens and full stops.'),
      ]);
    return this.writing.submit(caller, type, body);
  }

  /**
   * The resource that a PUT updates, or null where it is to create. The lock of the id, or of the criteria, comes first: of two callers the
   * second finds what the first made. `fhir.multiple_matches`, `fhir.id_mismatch`, `fhir.version_conflict`.
   */
  async claim(call: FhirCall, { type, target, body, conditions }: PutRequest): Promise<StoredResource | null> {
    const { row } = permit(call.caller, type, 'update');
    if (target.kind === 'criteria' && !hasConditionalUpdate(row))
      throw notSupported(`${type} has no conditional update. Name the resource by its id.`);
    const found =
      target.kind === 'id'
        ? await this.claimId(call, type, target.id)
        : await this.claimMatch(call, type, target.criteria, idInBody(body));
    if (found === null && conditions.ifMatch !== undefined)
      throw new SuturaError('fhir.version_conflict', {
        detail: 'There is no version that the change could be made from. Leave out If-Match to create the resource.',
      });
    return found;
  }

  /** After a claim that found nothing: as `assignId`, and from here on the client's id names the resource. `AbsentResource` for an id that is no client's to give. */
  async bind(call: FhirCall, put: PutRequest, submission: Submission): Promise<BoundPut> {
    const { type } = put;
    const clientId = clientIdOf(put);
    const gone =
      clientId === null ? null : await this.store.findDeleted(call.transaction, type as ResourceType, clientId);
    if (gone !== null && !mayRead(call.caller, type, gone)) throw new AbsentResource();
    const id = await this.writing.assignId(call, submission, gone?.resource.id);
    // Core knew the patient or the wound by another identifier: it is the same one.
    const known = await this.store.find(call.transaction, type as ResourceType, id);
    if (known !== null && !mayRead(call.caller, type, known)) throw new SuturaError('fhir.duplicate');
    if (clientId !== null && clientId !== id) await this.nameBy(call, { type, id: clientId }, id);
    return { id, isKnown: known !== null };
  }

  /** Whether the id is taken counts, and not how it looks. */
  private async nameBy({ transaction }: FhirCall, target: ResourceTarget, id: string): Promise<void> {
    if ((await this.store.isTaken(transaction, target)) || isModelCardId(target.id)) throw new AbsentResource();
    await this.store.keepClientId(transaction, target, id);
  }

  private async claimId(call: FhirCall, type: string, id: string): Promise<StoredResource | null> {
    await this.store.lockCriteria(call.transaction, type as ResourceType, `_id=${encodeURIComponent(id)}`);
    return this.store.find(call.transaction, type as ResourceType, id);
  }

  /** R4 http.html 3.1.0.10: with an id besides the criteria, both mean the same resource. */
  private async claimMatch(
    call: FhirCall,
    type: string,
    criteria: string,
    id: string | null,
  ): Promise<StoredResource | null> {
    const match = await this.matches.matching(call, type as ResourceType, criteria, 'http.query');
    const named =
      id === null
        ? null
        : match === null
          ? await this.claimId(call, type, id)
          : await this.store.find(call.transaction, type as ResourceType, id);
    if (match === null && named !== null)
      throw new SuturaError('fhir.duplicate', {
        detail:
          'The criteria match nothing, and the id is that of another resource. Leave out the id, or update the resource by it.',
      });
    if (match !== null && id !== null && named?.resource.id !== match.resource.id)
      throw new SuturaError('fhir.id_mismatch');
    return match;
  }
}
