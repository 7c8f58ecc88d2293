import { applyDecorators, SetMetadata, UseGuards } from '@nestjs/common';
import type { Scope } from '../../core/tenancy/api-key.js';
import { ApiSecurity } from '../../platform/http/openapi.decorators.js';
import { ROUTE_ACCESS, type RouteAccess } from '../../platform/http/route-access.js';
import { ApiKeyGuard } from './api-key.guard.js';

/** Names of the security schemes in the OpenAPI document. */
export const BEARER_SCHEME = 'bearer';
export const API_KEY_SCHEME = 'apiKey';
export const BASIC_SCHEME = 'basic';

type MethodAndClassDecorator = ReturnType<typeof applyDecorators>;

/**
 * The route needs an API key with this scope. Adds ApiKeyGuard and the security schemes of the OpenAPI document.
 * `auth.missing|invalid|revoked|expired`, `rate.limited`, `auth.scope`.
 */
export function RequiresScope(scope: Scope): MethodAndClassDecorator {
  return applyDecorators(
    SetMetadata(ROUTE_ACCESS, { kind: 'scope', scope } satisfies RouteAccess),
    UseGuards(ApiKeyGuard),
    ApiSecurity(BEARER_SCHEME, [scope]),
    ApiSecurity(API_KEY_SCHEME, [scope]),
  );
}

/**
 * The route needs an API key with any scopes, as its answers belong to no tenant. `takesBasic`: also as the password of HTTP Basic
 * authentication, for senders that know nothing else.
 * `auth.missing|invalid|revoked|expired`, `rate.limited`.
 */
export function RequiresKey({ takesBasic = false }: { readonly takesBasic?: boolean } = {}): MethodAndClassDecorator {
  return applyDecorators(
    SetMetadata(ROUTE_ACCESS, { kind: 'key', takesBasic } satisfies RouteAccess),
    UseGuards(ApiKeyGuard),
    ApiSecurity(BEARER_SCHEME, []),
    ApiSecurity(API_KEY_SCHEME, []),
    ...(takesBasic ? [ApiSecurity(BASIC_SCHEME, [])] : []),
  );
}
