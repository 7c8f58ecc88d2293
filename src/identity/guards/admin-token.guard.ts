import { createHash, timingSafeEqual } from 'node:crypto';
import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { Settings } from '../../platform/config/settings.js';
import { ApiSecurity } from '../../platform/http/openapi.decorators.js';
import { ROUTE_ACCESS, type RouteAccess } from '../../platform/http/route-access.js';
import { FailedLoginThrottle } from '../throttle/failed-login.throttle.js';
import { readCredential } from './credential.js';
import type { Operator } from '../../core/audit/operator-trail.js';

export const ADMIN_SCHEME = 'adminToken';

/** Checks the operator's credential. Without SUTURA_ADMIN_TOKEN the admin API does not exist for callers. */
@Injectable()
class AdminTokenGuard implements CanActivate {
  private readonly expected: Buffer | null;

  constructor(
    settings: Settings,
    private readonly failures: FailedLoginThrottle,
  ) {
    const token = settings.admin.token;
    this.expected = token === undefined ? null : digest(token);
  }

  canActivate(context: ExecutionContext): boolean {
    if (this.expected === null) throw new SuturaError('route.not_found');
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = readCredential(request.headers);
    if (token === null)
      throw new SuturaError('auth.missing', {
        detail: 'Send the admin credential as "Authorization: Bearer <token>".',
      });
    // Digests all have one length, so the comparison does not give away the length of the token.
    if (timingSafeEqual(digest(token), this.expected)) return true;
    throw this.failures.judge(
      request.ip,
      new SuturaError('auth.invalid', {
        detail: 'The admin credential is not the one that this service was started with.',
      }),
    );
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** Marks a route of the admin API, whose credential is `SUTURA_ADMIN_TOKEN`. `route.not_found` if the API is off. */
export function AdminRoute(): ReturnType<typeof applyDecorators> {
  return applyDecorators(
    SetMetadata(ROUTE_ACCESS, { kind: 'admin' } satisfies RouteAccess),
    UseGuards(AdminTokenGuard),
    ApiSecurity(ADMIN_SCHEME),
  );
}

/** The operator who makes the request, for a controller method. Only on routes with AdminRoute. */
export const CurrentOperator = createParamDecorator((_: unknown, context: ExecutionContext): Operator => {
  const { id, ip } = context.switchToHttp().getRequest<FastifyRequest>();
  return { door: 'admin', name: 'operator', origin: { requestId: id, address: ip } };
});
