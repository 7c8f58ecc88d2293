import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Operator } from '../../core/tenancy/operator.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { UserRecord } from '../../core/users/user.js';

/** The session of a request, with the text that its cookie holds. */
export interface HeldSession {
  readonly user: UserRecord;
  readonly expiresAt: Date;
  readonly held: string;
}

interface Admitted {
  readonly operator: Operator;
  /** Absent with the admin token. */
  readonly session?: HeldSession;
}

const admitted = new WeakMap<FastifyRequest, Admitted>();

export function rememberOperator(request: FastifyRequest, found: Admitted): void {
  admitted.set(request, found);
}

function admittedOf(context: ExecutionContext): Admitted {
  const found = admitted.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (found === undefined) throw new Error('This route asks for its operator but carries no AdminRoute.');
  return found;
}

/** The operator who makes the request, for a controller method. Only on routes with AdminRoute. */
export const CurrentOperator = createParamDecorator((_: unknown, context: ExecutionContext): Operator => {
  return admittedOf(context).operator;
});

/** The session of the request; `auth.session` with the admin token, which has no user. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): HeldSession => {
  const { session } = admittedOf(context);
  if (session === undefined) throw new SuturaError('auth.session');
  return session;
});
