import type { FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { mediaTypeOf, namedTypeOf, readUnread } from '../../platform/http/unread-bodies.js';

const BODY_TIMEOUT_MS = 120_000;
const DEFAULT_TYPE = 'application/hl7-v2';
/** The media types of HAPI's "HL7 over HTTP", and those that engines send in their place. */
const TAKEN: readonly string[] = [DEFAULT_TYPE, 'x-application/hl7-v2+er7', 'text/plain'];

/** The media type of the request, which the response has as well. `request.content_type`. */
export function messageTypeOf(request: FastifyRequest): string {
  const type = mediaTypeOf(namedTypeOf(request) ?? DEFAULT_TYPE);
  if (!TAKEN.includes(type))
    throw new SuturaError('request.content_type', { detail: `Send the message as ${DEFAULT_TYPE}.` });
  return type;
}

/** `request.too_large`, `request.timeout`, `request.invalid`. */
export function readMessage(request: FastifyRequest, limitBytes: number): Promise<Buffer> {
  return readUnread(request, { limitBytes, timeoutMs: BODY_TIMEOUT_MS });
}
