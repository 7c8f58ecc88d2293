import type { Binary } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { parseStrictJson } from '../../../platform/http/strict-json.js';
import { mediaTypeOf } from '../../../platform/http/unread-bodies.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import type { ResourceInteractions } from '../interactions/resource-interactions.js';
import { PATCH_TYPES, type SentPatch } from '../interactions/sent-patch.js';
import type { BundleEntry } from './bundle-entry.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

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
      return interactions.histories.ofInstance(call, target.type, target.id, target.query);
    case 'version':
      return interactions.reading.readVersion(call, target.type, target.id, target.version);
  }
}

/** A PATCH of an entry. `fhir.patch` for a patch that is none. */
export async function answerPatch(
  interactions: ResourceInteractions,
  call: FhirCall,
  { target, conditions, resource }: BundleEntry,
): Promise<FhirAnswer> {
  if (target.kind !== 'instance') throw new Error('Only a resource is changed.');
  return interactions.changing.patch(call, target.type, target.id, readPatch(resource), conditions);
}

/** R4 carries a patch in a Binary (http.html 3.1.0.8.1). */
function readPatch(resource: unknown): SentPatch {
  const { resourceType, contentType, data } = (
    typeof resource === 'object' && resource !== null ? resource : {}
  ) as Partial<Binary>;
  const mediaType = typeof contentType === 'string' ? mediaTypeOf(contentType) : '';
  if (
    resourceType !== 'Binary' ||
    !PATCH_TYPES.includes(mediaType) ||
    typeof data !== 'string' ||
    !BASE64.test(data.replaceAll(/\s/g, ''))
  ) {
    throw new SuturaError('fhir.patch', {
      detail: `A PATCH carries a Binary with the contentType ${PATCH_TYPES.join(' or ')} and the patch as base64.`,
    });
  }
  try {
    return { mediaType, content: parseStrictJson(Buffer.from(data, 'base64')) };
  } catch (thrown) {
    throw thrown instanceof SuturaError ? new SuturaError('fhir.patch', { detail: thrown.detail }) : thrown;
  }
}
