import type { FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { mediaTypeOf, namedTypeOf, readUnread } from '../../platform/http/unread-bodies.js';

const BODY_TIMEOUT_MS = 120_000;
const DEFAULT_TYPE = 'application/hl7-v2';
/** HAPI's "HL7 over HTTP" and what engines send in its place. */
const TAKEN: readonly string[] = [DEFAULT_TYPE, 'x-application/hl7-v2+er7', 'text/plain'];

/** The media type that a message came in, which the answer has, too. `request.content_type`. */
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
