import type { Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { fhirPathPatched } from './fhirpath-patch.js';
import { patched } from './json-patch.js';
import { mergedInto } from './merge-patch.js';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
/** Parameters of R4's own form of patches. */
const FHIRPATH_PATCH = 'application/fhir+json';

/** Some clients (fhirpy) send merge patches under this type. A list is a JSON Patch and Parameters are a FHIRPath Patch, so that the three can be told apart. */
const PLAIN_JSON = 'application/json';

/** The media types of patches. */
export const PATCH_TYPES: readonly string[] = [JSON_PATCH, MERGE_PATCH, FHIRPATH_PATCH];
/** Media types that the body of a PATCH may have. */
export const TAKEN_PATCH_TYPES: readonly string[] = [...PATCH_TYPES, PLAIN_JSON];

/** A patch as it was sent. */
export interface SentPatch {
  /** One of TAKEN_PATCH_TYPES. */
  readonly mediaType: string;
  readonly content: unknown;
}

/**
 * A copy of the resource with the whole patch applied. `fhir.patch` where it is no such patch, does not fit the resource, or
 * changes what it is; `fhir.patch_test` where a test does not hold; `request.too_large` where it makes more than a resource holds.
 */
export function withPatch<T extends Resource>(resource: T, { mediaType, content }: SentPatch): T {
  const next = appliedTo(resource, { mediaType, content });
  if (next.resourceType !== resource.resourceType || next.id !== resource.id)
    throw new SuturaError('fhir.patch', { detail: 'A patch changes neither the type nor the id of a resource.' });
  return next;
}

function appliedTo<T extends Resource>(resource: T, { mediaType, content }: SentPatch): T {
  const isParameters = (content as { resourceType?: unknown } | null | undefined)?.resourceType === 'Parameters';
  if (mediaType === FHIRPATH_PATCH || (mediaType === PLAIN_JSON && isParameters))
    return fhirPathPatched(resource, content);
  const isMerge = mediaType === MERGE_PATCH || (mediaType === PLAIN_JSON && !Array.isArray(content));
  return isMerge ? mergedInto(resource, content) : patched(resource, content);
}
