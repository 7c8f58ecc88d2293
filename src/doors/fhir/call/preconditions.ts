import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import type { FhirAnswer, Preconditions } from './fhir-call.js';

/** The weak entity tag of a version (R4 http.html 3.1.0.1.3). */
export function versionTag(version: number | string): string {
  return `W/"${version}"`;
}

/** The versions that a header names; a bare version is read like a quoted one. null: any. */
function versionsIn(header: string): string[] | null {
  const tags = header.split(',').map((part) => part.trim());
  return tags.includes('*') ? null : tags.map((tag) => tag.replace(/^W\//, '').replace(/^"(.*)"$/, '$1'));
}

/** `fhir.version_conflict` where `If-Match` names another version, or where there is none and one is required. */
export function requireMatch(ifMatch: string | undefined, version: number, required: boolean): void {
  if (ifMatch === undefined) {
    if (required)
      throw new SuturaError('fhir.version_conflict', {
        detail: 'Send If-Match with the ETag of the version that the change is made from.',
      });
    return;
  }
  const versions = versionsIn(ifMatch);
  if (versions !== null && !versions.includes(String(version))) throw new SuturaError('fhir.version_conflict');
}

/** The validators of a version, in lower case. */
export function validatorsOf(version: number | string, lastUpdated: Date): Record<string, string> {
  return { etag: versionTag(version), 'last-modified': lastUpdated.toUTCString() };
}

/** True where the caller has this version already (RFC 9110 13.2.2: If-Modified-Since counts only without If-None-Match). */
export function isUnchanged(
  { ifNoneMatch, ifModifiedSince }: Preconditions,
  version: number | string,
  lastUpdated: Date,
): boolean {
  if (ifNoneMatch !== undefined) {
    const versions = versionsIn(ifNoneMatch);
    return versions === null || versions.includes(String(version));
  }
  const since = ifModifiedSince === undefined ? NaN : Date.parse(ifModifiedSince);
  // HTTP dates have whole seconds.
  return Math.floor(lastUpdated.getTime() / 1000) * 1000 <= since;
}

/** A read's answer: 304 without a body where the caller has this version. */
export function conditionalRead(stored: StoredResource, conditions: Preconditions): FhirAnswer {
  if (!isUnchanged(conditions, stored.version, stored.lastUpdated)) return { status: 200, body: stored };
  return { status: 304, body: null, headers: validatorsOf(stored.version, stored.lastUpdated) };
}
