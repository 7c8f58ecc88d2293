import { Injectable } from '@nestjs/common';
import type { ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { Settings } from '../../../platform/config/settings.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import {
  ResourceStore,
  type ResourceTarget,
  type StoredResource,
} from '../../../standards/fhir/store/resource-store.js';
import { reachOf } from '../../../standards/fhir/types/type-access.js';
import { hasConditionalDelete } from '../../../standards/fhir/types/served-types.js';
import type { FhirAnswer, FhirCall, Preconditions } from '../call/fhir-call.js';
import { requireMatch, versionTag } from '../call/preconditions.js';
import { CriteriaMatch } from './criteria-match.js';
import { mayRead, notSupported, permit } from './interaction-check.js';
import { IntakeDirectory } from './resource-intake.js';

/** Of those that refer to a resource, as many are named. */
const NAMED_AT_MOST = 10;
/** What is left for a resource of the service's own, beside reading. */
const OF_THE_SERVICE = ['GET', 'HEAD', 'PATCH', 'PUT'];
const UNCONDITIONAL: Preconditions = {};

/** delete: a version that says that the resource is gone (docs/decisions/0104). Removing data is the erasure's. */
@Injectable()
export class ResourceDeleting {
  constructor(
    private readonly store: ResourceStore,
    private readonly intakes: IntakeDirectory,
    private readonly matches: CriteriaMatch,
    private readonly settings: Settings,
  ) {}

  /**
   * 204, also where it is gone already. What refers to it is for the end of the transaction to ask (`refuseReferred`). `fhir.not_found` for what never was,
   * `fhir.version_conflict`, `fhir.in_use`, `fhir.interaction_not_supported` for what the service made.
   */
  async delete(call: FhirCall, type: string, id: string, { ifMatch }: Preconditions): Promise<FhirAnswer> {
    permit(call.caller, type, 'delete');
    const current = await this.store.findToDelete(call.transaction, type as ResourceType, id);
    if (current === null || !mayRead(call.caller, type, current)) return this.goneBefore(call, type, id);
    requireMatch(ifMatch, current.version, this.settings.fhir.requireIfMatch);
    if (current.createdBy.kind === 'service')
      throw new SuturaError('fhir.interaction_not_supported', {
        allow: OF_THE_SERVICE,
        detail:
          'The service made this resource of its own record. A patient is erased by the operator, a photo removed by the native API.',
      });
    await this.refuseStanding(call, current);
    const { keyId } = call.caller;
    const gone = await this.store.delete(call.transaction, current, { kind: 'client', keyId });
    await this.intakes.of(current.resource.resourceType)?.deleted(call, current);
    return { status: 204, body: null, gone: current.resource, headers: { etag: versionTag(gone.version) } };
  }

  /** Deletes the match of criteria; 204 also without one, so that a repeat answers as the first time. `fhir.multiple_matches`, `fhir.search`. */
  async deleteMatch(call: FhirCall, type: string, criteria: string, conditions = UNCONDITIONAL): Promise<FhirAnswer> {
    const { row } = permit(call.caller, type, 'delete');
    if (!hasConditionalDelete(row))
      throw notSupported(`${type} has no conditional delete. Name the resource by its id.`);
    const match = await this.matches.matchingItself(call, type as ResourceType, criteria, 'http.query');
    return match === null ? { status: 204, body: null } : this.delete(call, type, match.resource.id!, conditions);
  }

  /** `fhir.in_use` about the first of these that something still refers to; what came to life again in the same transaction may be referred to. */
  async refuseReferred(call: FhirCall, answers: readonly FhirAnswer[]): Promise<void> {
    const targets = answers.flatMap(({ gone }) => (gone === undefined ? [] : [targetOf(gone)]));
    if (targets.length === 0) return;
    const referrers = await this.store.referrers(call.transaction, targets, NAMED_AT_MOST);
    if (referrers.length > 0) throw inUse(call.caller, targets[0]!.type, referrers, 'refers to it.');
  }

  private async goneBefore(call: FhirCall, type: string, id: string): Promise<FhirAnswer> {
    const deleted = await this.store.findDeleted(call.transaction, type as ResourceType, id);
    if (deleted === null || !mayRead(call.caller, type, deleted)) throw new SuturaError('fhir.not_found');
    return { status: 204, body: null, headers: { etag: versionTag(deleted.version) } };
  }

  /** Reports and analyses of core: their resources may be written a moment later. */
  private async refuseStanding(call: FhirCall, { resource }: StoredResource): Promise<void> {
    const target = targetOf(resource);
    const standing = [...(await this.store.standingOn(call.transaction, target))];
    for (const photo of this.intakes.of(resource.resourceType)?.photosOf(resource) ?? []) {
      const made = await this.store.standingOn(call.transaction, photo);
      standing.push(...made.filter(({ type }) => type === 'DiagnosticReport'));
    }
    if (standing.length > 0) throw inUse(call.caller, target.type, standing, 'stands on it.');
  }
}

/** Names what the caller may read. */
function inUse(caller: Caller, type: string, by: readonly ResourceTarget[], what: string): OutcomeError {
  const shown = by.filter((one) => reachOf(caller, one.type, 'read') === 'all');
  const texts =
    shown.length === 0
      ? [`A resource that this key may not read ${what}`]
      : shown.map((one) => `${one.type}/${one.id} ${what}`);
  return new OutcomeError(
    'fhir.in_use',
    texts.map((details) => ({ severity: 'error', code: 'conflict', expression: type, details })),
  );
}

function targetOf({ resourceType: type, id }: { readonly resourceType: string; readonly id?: string }): ResourceTarget {
  return { type, id: id! };
}
