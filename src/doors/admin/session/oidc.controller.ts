import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { UserDirectory } from '../../../core/users/user-directory.js';
import { readUserName } from '../../../core/users/user.js';
import { Settings } from '../../../platform/config/settings.js';
import { ApiExcludeController } from '../../../platform/http/openapi.decorators.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { PublicRoute } from '../../../platform/http/route-access.js';
import { SessionOperations } from './session-operations.js';
import { isSecure, sessionCookie } from '../../../identity/sessions/session-cookie.js';
import { LoginThrottle } from '../../../identity/throttle/login.throttle.js';
import { IdentityProvider } from '../../../identity/oidc/identity-provider.js';
import { claimValues, rightsOf } from '../../../identity/oidc/role-claims.js';
import { readStateCookie, stateCookie } from './state-cookie.js';

const PATH = '/admin/v1/session/oidc';
const LONGEST_SUBJECT = 255;

/** Logins by the hospital's identity provider. Without its settings the routes do not exist. */
@ApiExcludeController()
@Controller('admin/v1/session/oidc')
export class OidcController {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly directory: UserDirectory,
    private readonly sessions: SessionOperations,
    private readonly throttle: LoginThrottle,
    private readonly address: PublicAddress,
    private readonly settings: Settings,
  ) {}

  /** Sends the browser to the provider. `route.not_found`, `rate.limited`, `login.provider`. */
  @Get()
  @PublicRoute()
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.requireOn();
    this.throttle.countTry(request.ip);
    const { address, state } = await this.provider.begin(this.callback);
    void reply.header('set-cookie', stateCookie(state, isSecure(request, this.address.url))).redirect(address, 302);
  }

  /** Where the provider sends the browser back. `route.not_found`, `rate.limited`, `login.provider|no_role|refused`, `user.name_taken`. */
  @Get('callback')
  @PublicRoute()
  async complete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.requireOn();
    this.throttle.countTry(request.ip);
    const secure = isSecure(request, this.address.url);
    const asked = new URL(`${this.callback}${new URL(request.url, 'http://any').search}`);
    const { claims, tokens } = await this.provider.complete(asked, readStateCookie(request.headers.cookie));
    const { oidc } = this.settings;
    const rights = rightsOf(claimValues(claims, oidc.roleClaim), oidc.roles);
    if (rights === null) throw new SuturaError('login.no_role');
    const { name, displayName } = namesOf(claims, oidc.nameClaim);
    const identity = { issuer: claims.iss, subject: claims.sub };
    const user = await this.directory.admit(identity, { name, displayName, ...rights });
    const identified = { ...user, provider: { tokens } };
    const { opened } = await this.sessions.admit({ requestId: request.id, address: request.ip }, identified, 'oidc');
    void reply
      .header('set-cookie', [sessionCookie(opened.text, secure), stateCookie(null, secure)])
      .redirect(oidc.returnTo, 303);
  }

  private get callback(): string {
    return `${this.address.url}${PATH}/callback`;
  }

  private requireOn(): void {
    if (this.settings.oidc.issuer === undefined) throw new SuturaError('route.not_found');
  }
}

/** `login.provider` for a person without a name that this service can take. */
function namesOf(claims: Readonly<Record<string, unknown>>, nameClaim: string): { name: string; displayName: string } {
  const [stated = ''] = claimValues(claims, nameClaim);
  const name = readUserName(stated);
  if (name === null || String(claims['sub']).length > LONGEST_SUBJECT)
    throw new SuturaError('login.provider', {
      detail: `The claim ${nameClaim} of the identity provider is missing, or no name that can be taken here. Ask the operator to choose another claim.`,
    });
  const [displayName = name] = claimValues(claims, 'name');
  return { name, displayName: displayName.slice(0, 255) };
}
