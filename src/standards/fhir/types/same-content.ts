import type { Resource } from '@medplum/fhirtypes';
import { isSameJson } from '../../../core/report/same-content.js';

/** True where two versions say the same. */
export function isSameContent(one: Resource, other: Resource): boolean {
  return isSameJson(contentOf(one), contentOf(other));
}

/** The resource without the elements that the store sets in each version. */
function contentOf({ meta, ...rest }: Resource): object {
  const { versionId: _versionId, lastUpdated: _lastUpdated, ...kept } = meta ?? {};
  return { ...rest, meta: kept };
}
