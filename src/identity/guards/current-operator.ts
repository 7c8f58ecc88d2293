import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Operator } from '../../core/audit/operator-trail.js';

/** Hands whoever holds the operator's credential to a controller method. Only on routes with AdminRoute. */
export const CurrentOperator = createParamDecorator((_: unknown, context: ExecutionContext): Operator => {
  const { id, ip } = context.switchToHttp().getRequest<FastifyRequest>();
  return { door: 'admin', name: 'operator', origin: { requestId: id, address: ip } };
});
