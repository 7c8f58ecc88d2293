import type { Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { mergePatched } from '../../../platform/merge-patch.js';
import { RESOURCE_LIMITS, weigh } from '../../../standards/fhir/validation/resource-weight.js';
import { elementsOf } from '../../../standards/fhir/types/elements.js';
import { DEPTH_LIMIT } from './patch-budget.js';

/**
 * A JSON Merge Patch (RFC 7396) applied to a copy of the resource. `fhir.patch` where it is no object; `request.too_large` where it, or what it
 * makes, holds more than a resource may.
 */
export function mergedInto<T extends Resource>(resource: T, patch: unknown): T {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    throw new SuturaError('fhir.patch', {
      detail: 'A JSON Merge Patch is an object with the elements to change, null for those to remove.',
    });
  // Checked first, since merging goes as deep as the patch does.
  refuseHeavy(patch);
  const merged: unknown = mergePatched(elementsOf(resource), patch as Readonly<Record<string, unknown>>);
  refuseHeavy(merged);
  return merged as T;
}

function refuseHeavy(value: unknown): void {
  const { values, depth } = weigh(value, RESOURCE_LIMITS.values);
  if (values > RESOURCE_LIMITS.values || depth > DEPTH_LIMIT)
    throw new SuturaError('request.too_large', {
      detail: 'The patch makes more than a resource may hold. Send what it adds in parts, or replace the resource.',
    });
}
