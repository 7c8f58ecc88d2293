import type { FastifyRequest } from 'fastify';
import { RECORD_JSON_LIMITS } from '../../platform/http/limits.js';
import { parseLargeStrictJson, parseStrictJson } from '../../platform/http/strict-json.js';
import { readUnread } from '../../platform/http/unread-bodies.js';
import { FHIR_BODY_LIMIT_BYTES, FHIR_BODY_TIMEOUT_MS, FORM_LIMIT_BYTES } from './fhir-limits.js';

/** A few milliseconds of parsing. */
const LARGE_BYTES = 1024 * 1024;

/** The JSON of a body, undefined where it is empty. `request.invalid`, `request.too_large`, `request.timeout`. */
export async function readJson(request: FastifyRequest): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  return bytes.length < LARGE_BYTES
    ? parseStrictJson(bytes, RECORD_JSON_LIMITS)
    : parseLargeStrictJson(bytes, RECORD_JSON_LIMITS);
}

export async function readForm(request: FastifyRequest): Promise<URLSearchParams> {
  return new URLSearchParams((await readBytes(request, FORM_LIMIT_BYTES)).toString('utf8'));
}

export function readBytes(request: FastifyRequest, limitBytes = FHIR_BODY_LIMIT_BYTES): Promise<Buffer> {
  return readUnread(request, { limitBytes, timeoutMs: FHIR_BODY_TIMEOUT_MS });
}
