import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { SERVICE_TENANT } from '../../core/audit/operator-trail.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { ResourceOwners } from '../../core/users/resource-owners.js';
import { UserLogin } from '../../core/users/user-login.js';
import { UserRepository } from '../../core/users/user.repository.js';
import type { UserRecord } from '../../core/users/user.js';
import { mayAct } from '../../core/tenancy/roles.js';
import { Settings } from '../../platform/config/settings.js';
import { PublicAddress } from '../../platform/http/public-address.js';
import { isSecure, readSessionCookie, requireCsrfToken, requireOwnSite } from '../sessions/session-cookie.js';
import { FailedLoginThrottle } from '../throttle/failed-login.throttle.js';
import { organizationsAsked, type AdminNeed } from './admin-access.js';
import { readCredential } from './credential.js';
import { rememberOperator } from './operator-of-request.js';

export const ADMIN_NEED = 'sutura:admin-need';

/**
 * Lets in users with a session and the role that a route needs, and, until there is an installation admin, callers with SUTURA_ADMIN_TOKEN. Without that token and without users the admin API answers 404.
 */
@Injectable()
export class AdminGuard implements CanActivate {
  private readonly expected: Buffer | null;
  private readonly reflector = new Reflector();

  constructor(
    settings: Settings,
    private readonly failures: FailedLoginThrottle,
    private readonly users: UserRepository,
    private readonly login: UserLogin,
    private readonly owners: ResourceOwners,
    private readonly address: PublicAddress,
  ) {
    const token = settings.admin.token;
    this.expected = token === undefined ? null : digest(token);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const need = this.reflector.get<AdminNeed | undefined>(ADMIN_NEED, context.getHandler());
    const token = readCredential(request.headers);
    const held = token === null ? readSessionCookie(request, isSecure(request, this.address.url)) : null;
    if (held === null) await this.admitToken(request, token, need);
    else await this.admitUser(request, held, need);
    return true;
  }

  private async admitToken(request: FastifyRequest, token: string | null, need: AdminNeed | undefined): Promise<void> {
    if (this.expected === null && !(await this.users.hasUsers())) throw new SuturaError('route.not_found');
    if (token === null)
      throw new SuturaError('auth.missing', {
        detail: 'Log in at /admin/v1/session. Until there is a first user, send "Authorization: Bearer <admin token>".',
      });
    // Digests all have one length, so the comparison does not give away the length of the token.
    if (this.expected === null || !timingSafeEqual(digest(token), this.expected))
      throw this.failures.throttledFault(
        request.ip,
        new SuturaError('auth.invalid', {
          detail: 'The admin credential is not the one that this service was started with.',
        }),
      );
    if (await this.users.hasActiveAdmin())
      throw new SuturaError('auth.invalid', {
        detail: 'The admin token is for the first user alone, and there is an installation admin now. Log in instead.',
      });
    if (need?.kind === 'session') throw new SuturaError('auth.session');
    rememberOperator(request, { operator: { door: 'admin', name: 'operator', origin: originOf(request) } });
  }

  private async admitUser(request: FastifyRequest, held: string, need: AdminNeed | undefined): Promise<void> {
    requireOwnSite(request, this.address.url);
    const { user, expiresAt } = await this.login.sessionOf(held);
    const name = `user:${user.name}`;
    if (request.note !== null) request.note.caller = { ...SERVICE_TENANT, keyId: name };
    requireCsrfToken(request, held);
    await this.requireRole(request, user, need);
    const operator = { door: 'admin', name, origin: originOf(request), rights: user } as const;
    rememberOperator(request, { operator, session: { user, expiresAt, held } });
  }

  /** Unknown ids are refused like those of others, so that ids cannot be probed. */
  private async requireRole(request: FastifyRequest, user: UserRecord, need: AdminNeed | undefined): Promise<void> {
    if (user.isInstallationAdmin || need?.kind === 'session') return;
    if (need === undefined) throw new SuturaError('auth.role', { detail: 'This is for installation admins.' });
    const asked = await organizationsAsked(request, need.of, this.owners);
    if (asked.length > 0 && asked.every((id) => id !== null && mayAct(user, need.role, id))) return;
    const inWhich = asked.length === 0 ? 'Name one of your organizations by organizationId.' : '';
    throw new SuturaError('auth.role', {
      detail: `You lack the role "${need.role}" in the organization that this is about. ${inWhich}`.trim(),
    });
  }
}

function originOf({ id, ip }: FastifyRequest): { readonly requestId: string; readonly address: string } {
  return { requestId: id, address: ip };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
