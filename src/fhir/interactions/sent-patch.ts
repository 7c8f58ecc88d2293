import type { Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { patched } from './json-patch.js';
import { mergedInto } from './merge-patch.js';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';

/** The media types of patches that are understood. */
export const PATCH_TYPES: readonly string[] = [JSON_PATCH, MERGE_PATCH];

/** A patch as it was sent. */
export interface SentPatch {
  /** One of PATCH_TYPES. */
  readonly mediaType: string;
  readonly content: unknown;
}

/**
 * The resource with the patch applied to a copy of it: all of it or none. `fhir.patch` where it is no such patch, does not fit the resource, or
 * changes what it is; `fhir.patch_test` where a test does not hold; `request.too_large` where it makes more than a resource holds.
 */
export function withPatch<T extends Resource>(resource: T, { mediaType, content }: SentPatch): T {
  const next = mediaType === MERGE_PATCH ? mergedInto(resource, content) : patched(resource, content);
  if (next.resourceType !== resource.resourceType || next.id !== resource.id) throw new SuturaError('fhir.patch', { detail: 'A patch changes neither the type nor the id of a resource.' });
  return next;
}
