import { SuturaError } from '../../../core/errors/sutura-error.js';
import { entityTagOf } from '../../../platform/http/entity-tag.js';

/** Weak where the report came packed by gzip, which changes nothing of what was read. */
const TAG = /^(?:W\/)?"(\d{1,9})\.[\w-]+"$/;

/** A strong entity tag of these very bytes that also names the version, so that a decision can be about exactly what was read. */
export function reportTag(version: number, body: string | Uint8Array): string {
  return `"${version}.${entityTagOf(body).slice(1, -1)}"`;
}

/**
 * The version that an `If-Match` is about, whichever representation its tag came from.
 * `request.precondition_required` without one; `report.stale` for a tag that no report of this service had.
 */
export function versionOfTag(ifMatch: string | undefined): number {
  if (ifMatch === undefined) throw new SuturaError('request.precondition_required');
  const version = TAG.exec(ifMatch.trim())?.[1];
  if (version === undefined)
    throw new SuturaError('report.stale', {
      detail: 'If-Match must be the ETag of the report as you read it. Read it again.',
    });
  return Number(version);
}
