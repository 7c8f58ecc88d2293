import type { FastifyRequest } from 'fastify';
import { RECORD_JSON_LIMITS } from '../../../platform/http/limits.js';
import { parseLargeStrictJson, parseStrictJson } from '../../../platform/http/strict-json.js';
import type { ResourceXml } from '../../../standards/fhir/xml/resource-xml.js';
import { namedTypeOf, readUnread } from '../../../platform/http/unread-bodies.js';
import { SMALL_BODY_BYTES } from '../../../platform/turns/large-bodies.js';
import type { FhirExchange } from './fhir-exchange.js';
import { formatOfBody, requireBodyType } from './negotiation.js';
import { notePlaces } from './sent-places.js';

const MIB = 1024 * 1024;

/** Largest body below the base: a Bundle with its photos as base64 (standards 3.4). */
const FHIR_BODY_LIMIT_BYTES = 64 * MIB;
/** Longest wait for a complete body; the same as for an upload, since it may carry as much. */
const FHIR_BODY_TIMEOUT_MS = 900_000;
/** Longest body of a search by POST: as long as an address may be, with room for lists of ids. */
const FORM_LIMIT_BYTES = 64 * 1024;

/**
 * What a body says as JSON, whichever form it has; undefined where it is empty. `request.invalid`, `request.too_large`, `request.timeout`;
 * `fhir.structure` for XML that says what JSON could not.
 */
export async function readSent({ request, xml }: Pick<FhirExchange, 'request' | 'xml'>): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  await request.server.bodyBudget?.shareOf(request).unfold();
  if (formatOfBody(namedTypeOf(request)) === 'xml') return readXml(bytes, request, xml);
  return bytes.length <= SMALL_BODY_BYTES
    ? parseStrictJson(bytes, RECORD_JSON_LIMITS)
    : parseLargeStrictJson(bytes, RECORD_JSON_LIMITS);
}

async function readXml(bytes: Buffer, { raw }: FastifyRequest, xml: ResourceXml): Promise<unknown> {
  const sent = await xml.read(bytes);
  notePlaces(raw, sent);
  return sent.resource;
}

/** The parameters of a search: of the address, and of the form where it is sent by POST. `request.content_type`, `request.too_large`. */
export async function queryWithForm({ method, query, request }: FhirExchange): Promise<URLSearchParams> {
  if (method !== 'POST') return query;
  requireBodyType(namedTypeOf(request), 'form');
  return new URLSearchParams([...query, ...(await readForm(request))]);
}

async function readForm(request: FastifyRequest): Promise<URLSearchParams> {
  return new URLSearchParams((await readBytes(request, FORM_LIMIT_BYTES)).toString('utf8'));
}

export function readBytes(request: FastifyRequest, limitBytes = FHIR_BODY_LIMIT_BYTES): Promise<Buffer> {
  return readUnread(request, { limitBytes, timeoutMs: FHIR_BODY_TIMEOUT_MS });
}
