import type { EhrAnswer } from '../../../ehrs/index.js';

/** What an EHR answered, with its resource where it sent one. */
export interface FhirAnswer {
  readonly status: number;
  /** null: there was none, or it is no JSON object. */
  readonly resource: AnsweredResource | null;
  /** There was no body at all. */
  readonly isEmpty: boolean;
  /** The type and id of what was created or changed; null: the answer does not say. */
  readonly type: string | null;
  readonly id: string | null;
  readonly versionId: string | null;
  /** null: absent, or malformed. */
  readonly retryAfterMs: number | null;
  /** Codes of its OperationOutcome, and never its words. */
  readonly codes: readonly string[];
}

/** A resource of another server: nothing about it is certain but that it is an object. */
export interface AnsweredResource {
  readonly resourceType?: unknown;
  readonly id?: unknown;
  readonly meta?: { readonly versionId?: unknown } | null;
}

/** Whether the EHR itself says that what was asked for is not there. */
export function isGone(answer: FhirAnswer): boolean {
  const { status, codes } = answer;
  return status === 410 || (status === 404 && !isPage(answer) && !codes.includes('not-supported'));
}

/** A 404 of what stands at the address while the EHR is away or was moved: it tells nothing of the chart. */
export function isPage({ status, resource }: FhirAnswer): boolean {
  return status === 404 && resource?.resourceType !== 'OperationOutcome';
}

/** An outcome among what was found that says that something could not be looked at. Warnings, such as that nothing was found, are none. */
export function isErrors(resource: AnsweredResource): boolean {
  if (resource.resourceType !== 'OperationOutcome') return false;
  const { issue } = resource as { readonly issue?: unknown };
  return listOf(issue).some((one) => {
    const { severity } = one as { readonly severity?: unknown };
    return severity === 'error' || severity === 'fatal';
  });
}

const MOST_CODES = 8;
const CODE = /^[A-Za-z0-9._-]{1,40}$/;
const ID = /^[A-Za-z0-9.-]{1,64}$/;

export function toFhirAnswer({ status, headers, body }: EhrAnswer, nowMs: number): FhirAnswer {
  const resource = readObject(body);
  const place = placeOf(headers.location ?? headers['content-location']);
  const { resourceType, id, meta } = resource ?? {};
  const isOutcome = resourceType === 'OperationOutcome';
  const stated = !isOutcome && typeof resourceType === 'string' && typeof id === 'string' && ID.test(id);
  return {
    status,
    resource,
    isEmpty: body.length === 0,
    type: place?.type ?? (stated ? resourceType : null),
    id: place?.id ?? (stated ? id : null),
    versionId: place?.versionId ?? versionOf(headers.etag) ?? textOf(isOutcome ? undefined : meta?.versionId),
    retryAfterMs: retryAfterOf(headers['retry-after'], nowMs),
    codes: isOutcome ? codesOf(resource) : [],
  };
}

/** Where something stands at an EHR. */
export interface Place {
  readonly type: string;
  readonly id: string;
  readonly versionId: string | null;
}

/** Type, id and version of an address such as `https://ehr.example/fhir/DocumentReference/1/_history/2`; null: it is none. */
export function placeOf(location: string | undefined): Place | null {
  const found = /(?:^|\/)([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})(?:\/_history\/([A-Za-z0-9.-]{1,64}))?\/?$/.exec(
    location ?? '',
  );
  return found === null ? null : { type: found[1]!, id: found[2]!, versionId: found[3] ?? null };
}

/** The version of a weak or strong ETag. */
export function versionOf(etag: string | undefined): string | null {
  return /^(?:W\/)?"([A-Za-z0-9.-]{1,64})"$/.exec(etag ?? '')?.[1] ?? null;
}

/** Codes of issues and of their details: an EHR's own numbers stand there. Texts may repeat the patient's data. */
function codesOf(outcome: unknown): readonly string[] {
  const { issue } = outcome as { readonly issue?: unknown };
  const codes = listOf(issue).flatMap((one) => {
    const { code, details } = one as { readonly code?: unknown; readonly details?: { readonly coding?: unknown } };
    return [code, ...listOf(details?.coding).map((coding) => (coding as { readonly code?: unknown }).code)];
  });
  const known = codes.filter((code): code is string => typeof code === 'string' && CODE.test(code));
  return [...new Set(known)].slice(0, MOST_CODES);
}

function readObject(body: Buffer): AnsweredResource | null {
  if (body.length === 0) return null;
  try {
    const read: unknown = JSON.parse(body.toString('utf8'));
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}

/** The objects of a list; of anything else none. */
export function listOf(value: unknown): readonly object[] {
  return Array.isArray(value) ? value.filter((one): one is object => typeof one === 'object' && one !== null) : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && ID.test(value) ? value : null;
}

/** Upper bound of what an EHR may ask for: a day. */
const LONGEST_ASKED_MS = 86_400_000;

/** Seconds, or an HTTP date (RFC 9110, 10.2.3). */
function retryAfterOf(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), LONGEST_ASKED_MS) : null;
}
