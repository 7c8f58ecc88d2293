import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 } from 'uuid';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { codingOf, TAKEN_CODINGS } from './content-coding.js';
import { HEADERS_LIMIT_BYTES, URL_LIMIT } from './limits.js';

export const REQUEST_ID_HEADER = 'x-request-id';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;
/** Sent with every answer. `no-store`: answers carry clinical data, which a shared cache must never keep. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** The caller's own request id if it is harmless to log and repeat, else a new UUIDv7. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && SANE.test(given) ? given : v7();
}

/** Runs before every route: refuses requests that no route accepts. */
export function applyRequestRules(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
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
  // A part would be taken for the whole (RFC 9110 14.4); refused before its first byte.
  if (request.headers['content-range'] !== undefined) return new SuturaError('request.partial');
  return null;
}

/** Bytes on the wire: names, values and the separators between them. */
function headerBytes(rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
}
