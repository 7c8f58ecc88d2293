import type { Binary } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { decodeBase64 } from '../../../platform/turns/base64.js';
import { parseStrictJson } from '../../../platform/http/strict-json.js';
import { mediaTypeOf } from '../../../platform/http/unread-bodies.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import type { ResourceInteractions } from '../interactions/resource-interactions.js';
import { PATCH_TYPES, type SentPatch } from '../interactions/sent-patch.js';
import { performDelete, performPatch } from '../interactions/perform-change.js';
import type { BundleEntry } from './bundle-entry.js';
import { choiceOf } from './read-entry.js';

/** Of a patch as base64: the JSON of a patch has less than a quarter of a megabyte. */
const PATCH_CHARACTERS = 512 * 1024;

/** A GET or HEAD of an entry. */
export function answerRead(
  interactions: ResourceInteractions,
  call: FhirCall,
  { target, conditions }: BundleEntry,
  strict: boolean,
): Promise<FhirAnswer> {
  switch (target.kind) {
    case 'type':
      return interactions.reading.search(call, target.type, target.query, strict);
    case 'instance':
      return interactions.reading.read(call, target.type, target.id, conditions);
    case 'history':
      return interactions.reading.histories.ofInstance(call, target.type, target.id, target.query);
    case 'version':
      return interactions.reading.readVersion(call, target.type, target.id, target.version);
  }
}

/** A PATCH entry. `fhir.patch` for a malformed patch. */
export async function answerPatch(
  interactions: ResourceInteractions,
  call: FhirCall,
  { target, conditions, resource }: BundleEntry,
): Promise<FhirAnswer> {
  const asked = { type: target.type, target: choiceOf(target), patch: readPatch(resource) };
  return performPatch(interactions, call, asked, conditions);
}

/** A DELETE entry; what refers to the resource is asked for at the end of the transaction. */
export function answerDelete(
  interactions: ResourceInteractions,
  call: FhirCall,
  { target, conditions }: BundleEntry,
): Promise<FhirAnswer> {
  return performDelete(interactions, call, target.type, choiceOf(target), conditions);
}

/** The patch of an entry: R4 carries it in a Binary (http.html 3.1.0.8.1), and a FHIRPath Patch as it is. `fhir.patch`. */
export function readPatch(resource: unknown): SentPatch {
  if ((resource as { resourceType?: unknown } | null)?.resourceType === 'Parameters')
    return { mediaType: 'application/fhir+json', content: resource };
  const { resourceType, contentType, data } = (
    typeof resource === 'object' && resource !== null ? resource : {}
  ) as Partial<Binary>;
  const mediaType = typeof contentType === 'string' ? mediaTypeOf(contentType) : '';
  if (
    resourceType !== 'Binary' ||
    !PATCH_TYPES.includes(mediaType) ||
    typeof data !== 'string' ||
    data.length > PATCH_CHARACTERS
  ) {
    throw noPatch();
  }
  const bytes = decodeBase64(data);
  if (bytes === null) throw noPatch();
  try {
    return { mediaType, content: parseStrictJson(bytes) };
  } catch (thrown) {
    throw thrown instanceof SuturaError ? new SuturaError('fhir.patch', { detail: thrown.detail }) : thrown;
  }
}

function noPatch(): SuturaError {
  return new SuturaError('fhir.patch', {
    detail: `A PATCH carries a FHIRPath Patch (Parameters), or a Binary with the contentType ${PATCH_TYPES.join(' or ')} and the patch as base64.`,
  });
}
