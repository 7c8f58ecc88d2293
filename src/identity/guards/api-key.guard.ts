import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { isSuturaError, SuturaError } from '../../core/errors/sutura-error.js';
import { BrowserOrigins } from '../../core/organizations/browser-origins.js';
import { hasScope, type Caller } from '../../core/tenancy/api-key.js';
import { foreignOriginOf } from '../../platform/http/page-origins.js';
import { ROUTE_ACCESS, type RouteAccess } from '../../platform/http/route-access.js';
import { KeyAuthenticator } from '../keys/key-authenticator.js';
import { FailedLoginThrottle } from '../throttle/failed-login.throttle.js';
import { ReadThrottle } from '../throttle/read.throttle.js';
import { WriteThrottle } from '../throttle/write.throttle.js';
import { rememberCaller } from './caller-of-request.js';
import { readCredential } from './credential.js';
import { personBehind } from './person-of-request.js';

/**
 * Checks key with its networks, throttle, the page that sent it, the person whom it names, and scope, in this order. The throttle counts by key, so it comes second; the scope comes
 * last, so that trying out the scopes of a key is throttled too.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly authenticator: KeyAuthenticator,
    private readonly readThrottle: ReadThrottle,
    private readonly writeThrottle: WriteThrottle,
    private readonly failures: FailedLoginThrottle,
    private readonly origins: BrowserOrigins,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const access = this.accessOf(context);
    const caller = await this.authenticate(
      request,
      access?.kind === 'key' && access.takesBasic === true && !isOfAnotherSite(request),
    );
    if (isRead(request)) this.readThrottle.countRead(caller.keyId);
    else this.writeThrottle.countWrite(caller);
    const page = foreignOriginOf(request);
    if (page !== null) await this.origins.require(caller, page);
    const person = notedPerson(request, caller);
    refuseMissingScope(access, caller);
    rememberCaller(request, { ...caller, ...person, origin: { requestId: request.id, address: request.ip } });
    return true;
  }

  private async authenticate(request: FastifyRequest, takesBasic: boolean): Promise<Caller> {
    try {
      const credential = readCredential(request.headers, { takesBasic });
      return await this.authenticator.authenticate(credential, request.ip, (key) => {
        if (request.note !== null) request.note.caller = key;
      });
    } catch (error) {
      const fault = isSuturaError(error, 'auth.invalid') ? this.failures.throttledFault(request.ip, error) : error;
      throw takesBasic ? challenging(fault) : fault;
    }
  }

  private accessOf(context: ExecutionContext): RouteAccess | undefined {
    return this.reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
  }
}

/** Made by a page of another site: a browser that once was told the key would add it by itself. */
function isOfAnotherSite({ headers }: FastifyRequest): boolean {
  return ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
}

/** Some clients send a password only once they were asked for it. */
function challenging(fault: unknown): unknown {
  if (!isSuturaError(fault) || fault.kind !== 'unauthenticated') return fault;
  return new SuturaError(fault.code, { ...fault.facts, challenge: 'Bearer, Basic realm="sutura", charset="UTF-8"' });
}

function refuseMissingScope(access: RouteAccess | undefined, caller: Caller): void {
  if (access?.kind === 'key') return;
  if (access?.kind !== 'scope')
    throw new Error('A route with the key guard carries neither RequiresScope nor RequiresKey.');
  if (hasScope(caller, access.scope)) return;
  throw new SuturaError('auth.scope', {
    detail: `The key lacks the scope "${access.scope}". Use a key that has it.`,
  });
}

/** The person whom it names, once the caller is trusted for it: refusals that follow are theirs, too. */
function notedPerson(request: FastifyRequest, caller: Caller): Pick<Caller, 'person'> {
  const person = personBehind(request, caller);
  if (person === null) return {};
  const { note } = request;
  if (note !== null && note.caller !== null) note.caller = { ...note.caller, person };
  return { person };
}

/** A posted search is a read, too: it keeps its criteria out of addresses (R4 http.html 3.1.0.9). */
function isRead({ method, url }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || (method === 'POST' && /\/_search(\?|$)/.test(url));
}
