import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { Scope } from '../../core/tenancy/api-key.js';

/** The callers that a route accepts. Every route of every controller declares them, or the start fails. */
export type RouteAccess =
  | { readonly kind: 'public' }
  | { readonly kind: 'admin' }
  /** `takesBasic`: HTTP Basic authentication as well, the key as the password. */
  | { readonly kind: 'key'; readonly takesBasic?: boolean }
  | { readonly kind: 'scope'; readonly scope: Scope };

export const ROUTE_ACCESS = 'sutura:route-access';

/** For routes that need no API key: health, metrics, documents, and the upload whose signature is its own credential. */
export const PublicRoute = (): CustomDecorator => SetMetadata(ROUTE_ACCESS, { kind: 'public' } satisfies RouteAccess);
