import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { readIdempotencyKey } from '../../../platform/http/idempotency-key.js';

/** Hands the caller's `Idempotency-Key`, or null, to a controller method. */
export const IdempotencyKeyHeader = createParamDecorator((_: unknown, context: ExecutionContext): string | null =>
  readIdempotencyKey(context.switchToHttp().getRequest<FastifyRequest>().headers['idempotency-key']),
);
