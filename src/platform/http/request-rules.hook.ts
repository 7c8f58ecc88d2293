import type { FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { codingOf, TAKEN_CODINGS } from './content-coding.js';
import { HEADERS_LIMIT_BYTES, URL_LIMIT } from './limits.js';
import { REQUEST_ID_HEADER } from './request-id.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** Runs before routing decisions are acted upon: stamps every answer and refuses what no route accepts. */
export function applyRequestRules(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  stampAnswer(request, reply);
  const refusal = refusalOf(request);
  if (refusal === null) return done();
  // The body is not read, so the connection cannot be used again.
  void reply.header('connection', 'close');
  done(refusal);
}

/** The headers that every answer carries, errors included. */
export function stampAnswer(request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({ ...SECURITY_HEADERS, [REQUEST_ID_HEADER]: request.id });
}

function refusalOf(request: FastifyRequest): SuturaError | null {
  if (request.raw.url !== undefined && request.raw.url.length > URL_LIMIT)
    return new SuturaError('request.uri_too_long');
  if (headerBytes(request.raw.rawHeaders) > HEADERS_LIMIT_BYTES) return new SuturaError('request.headers_too_large');
  if (codingOf(request.headers['content-encoding']) === null)
    return new SuturaError('request.content_type', {
      detail: 'Send the body as it is, or packed by gzip (Content-Encoding: gzip).',
      codings: TAKEN_CODINGS,
    });
  return null;
}

/** Names, values and what stands between them on the wire. */
function headerBytes(rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
}
