import { STATUS_CODES } from 'node:http';
import type { BundleEntry as ResponseEntry, BundleEntryResponse, OperationOutcome } from '@medplum/fhirtypes';
import type { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { addressedAs } from '../interactions/answers.js';
import { isStored, type FhirAnswer } from '../call/fhir-call.js';
import { mayRead } from '../interactions/interaction-check.js';
import { versionTag } from '../call/preconditions.js';
import type { Preferences } from '../call/preferences.js';
import {
  informationOutcome,
  outcomeStatus,
  toOperationOutcome,
} from '../../../standards/fhir/outcome/operation-outcome.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import type { BundleEntry } from './bundle-entry.js';

/**
 * An interaction's answer as an entry of the response. What a read found is always shown; what was written only where it is asked for,
 * and where the caller could read it.
 */
export function toResponseEntry(
  { method, target }: Pick<BundleEntry, 'method' | 'target'>,
  given: FhirAnswer,
  preferred: Preferences['return'],
  caller: Caller,
): ResponseEntry {
  const answer =
    target.kind === 'instance' || target.kind === 'version' ? addressedAs(given, target.type, target.id) : given;
  const stored = isStored(answer.body) ? answer.body : null;
  const writes = method !== 'GET' && method !== 'HEAD';
  const outcome =
    writes && preferred === 'OperationOutcome' ? (answer.outcome ?? informationOutcome('Done.')) : answer.outcome;
  const shown =
    method === 'GET' ||
    (writes &&
      preferred === 'representation' &&
      stored !== null &&
      mayRead(caller, stored.resource.resourceType, stored));
  const resource = stored?.resource ?? (answer.body as ResponseEntry['resource'] | null);
  return {
    ...(shown && resource !== null && resource !== undefined ? { resource } : {}),
    response: responseOf(answer, stored, outcome),
  };
}

/** A refused entry of a batch. */
export function toRefusedEntry(error: SuturaError, requestId: string): ResponseEntry {
  return { response: { status: statusLine(outcomeStatus(error)), outcome: toOperationOutcome(error, requestId) } };
}

function responseOf(
  { status, location, headers }: FhirAnswer,
  stored: StoredResource | null,
  outcome: OperationOutcome | undefined,
): BundleEntryResponse {
  const etag = stored === null ? headers?.['etag'] : versionTag(stored.version);
  const lastModified = stored?.lastUpdated ?? dateOf(headers?.['last-modified']);
  return {
    status: statusLine(status),
    ...(location === undefined ? {} : { location }),
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified: lastModified.toISOString() }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

function dateOf(header: string | undefined): Date | undefined {
  return header === undefined ? undefined : new Date(header);
}

function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}
