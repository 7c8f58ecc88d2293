import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SuturaError } from '../../core/errors/sutura-error.js';
import { problemHeaders, toProblem } from './problem.js';

/** Renders a refusal as the native error body. To be used by every door whose protocol has no error format of its own. */
export function sendProblem(error: SuturaError, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblem(error, { requestId: request.id, url: request.raw.url ?? '' });
  void reply.code(problem.status).headers(problemHeaders(error)).send(JSON.stringify(problem));
}
