import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SuturaError } from '../../core/errors/sutura-error.js';
import type { RefusalFormats } from './refusal-formats.js';

/** Answers with a refusal in the form of the door that was called. */
export function sendRefusal(
  formats: RefusalFormats,
  error: SuturaError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (request.note !== null && request.note !== undefined) request.note.code = error.code;
  const { status, headers, body } = formats.render(error, { requestId: request.id, url: request.raw.url ?? '' });
  void reply.code(status).headers(headers).send(body);
}
