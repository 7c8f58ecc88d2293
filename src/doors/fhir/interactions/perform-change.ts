import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { ResourceType } from '@medplum/fhirtypes';
import type { FhirAnswer, FhirCall, Preconditions } from '../call/fhir-call.js';
import { hasConditionalPatch } from '../../../standards/fhir/types/served-types.js';
import { notSupported, permit } from './interaction-check.js';
import type { ResourceChoice } from './put-request.js';
import type { ResourceInteractions } from './resource-interactions.js';
import type { SentPatch } from './sent-patch.js';

interface AskedPatch {
  readonly type: string;
  readonly target: ResourceChoice;
  readonly patch: SentPatch;
}

/** Patches a resource, or the one that criteria match. `fhir.not_found` without a match, `fhir.multiple_matches`. */
export async function performPatch(
  { changing, matches }: ResourceInteractions,
  call: FhirCall,
  { type, target, patch }: AskedPatch,
  conditions: Preconditions,
): Promise<FhirAnswer> {
  if (target.kind === 'id') return changing.patch(call, type, target.id, patch, conditions);
  const { row } = permit(call.caller, type, 'patch');
  if (!hasConditionalPatch(row)) throw notSupported(`${type} has no conditional patch. Name the resource by its id.`);
  const match = await matches.matching(call, type as ResourceType, target.criteria, 'http.query');
  if (match === null)
    throw new SuturaError('fhir.not_found', {
      detail: 'The criteria match nothing that could be patched. Create it first.',
    });
  return changing.patch(call, type, match.resource.id!, patch, conditions);
}

/** Deletes a resource, or the one that criteria match. */
export function performDelete(
  { deleting }: ResourceInteractions,
  call: FhirCall,
  type: string,
  target: ResourceChoice,
  conditions: Preconditions,
): Promise<FhirAnswer> {
  return target.kind === 'id'
    ? deleting.delete(call, type, target.id, conditions)
    : deleting.deleteMatch(call, type, target.criteria, conditions);
}
