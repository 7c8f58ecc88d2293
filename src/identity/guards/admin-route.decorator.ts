import { applyDecorators, SetMetadata, UseGuards } from '@nestjs/common';
import type { Role } from '../../core/tenancy/roles.js';
import { ApiExtension, ApiSecurity } from '../../platform/http/openapi.decorators.js';
import { ROUTE_ACCESS, type RouteAccess } from '../../platform/http/route-access.js';
import type { AdminNeed, NamedIn } from './admin-access.js';
import { ADMIN_NEED, AdminGuard } from './admin.guard.js';

export const ADMIN_SCHEME = 'adminToken';
export const SESSION_SCHEME = 'session';

/**
 * Marks a route of the admin API. Without NeedsRole or NeedsSession on its method it is for installation admins alone. `route.not_found` if the
 * API is off, `auth.missing|invalid|session|csrf|role`.
 */
export function AdminRoute(): ReturnType<typeof applyDecorators> {
  return applyDecorators(
    SetMetadata(ROUTE_ACCESS, { kind: 'admin' } satisfies RouteAccess),
    UseGuards(AdminGuard),
    ApiSecurity(ADMIN_SCHEME),
    ApiSecurity(SESSION_SCHEME),
  );
}

/** The method is for users with this role in the organization that the request names there. */
export function NeedsRole(role: Role, of: NamedIn): MethodDecorator {
  return applyDecorators(
    SetMetadata(ADMIN_NEED, { kind: 'role', role, of } satisfies AdminNeed),
    ApiExtension('x-sutura-role', role),
  );
}

/** The method is about the session of its user, whatever their roles. */
export function NeedsSession(): MethodDecorator {
  return applyDecorators(
    SetMetadata(ADMIN_NEED, { kind: 'session' } satisfies AdminNeed),
    ApiExtension('x-sutura-role', 'session'),
  );
}
