import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The conditional headers and preferences of a read. */
export interface ReadConditions {
  readonly ifNoneMatch: string | undefined;
  readonly prefer: string | undefined;
  /** Aborted when the client goes away. */
  readonly gone: AbortSignal;
}

/** Hands the conditions of a read to a controller method. */
export const Conditions = createParamDecorator((_: unknown, context: ExecutionContext): ReadConditions => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  const { prefer } = headers;
  return {
    ifNoneMatch: headers['if-none-match'],
    prefer: Array.isArray(prefer) ? prefer.join(',') : prefer,
    gone: signalOfClose(raw),
  };
});

function signalOfClose(raw: FastifyReply['raw']): AbortSignal {
  const closed = new AbortController();
  raw.once('close', () => closed.abort());
  return closed.signal;
}
