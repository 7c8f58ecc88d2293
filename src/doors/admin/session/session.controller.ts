import { Controller, Delete, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SERVICE_TENANT } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import type { RequestOrigin } from '../../../core/tenancy/api-key.js';
import { browserOf } from '../../../core/users/login-devices.js';
import type { UserRecord } from '../../../core/users/user.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { PublicRoute } from '../../../platform/http/route-access.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { AdminRoute, NeedsSession } from '../../../identity/guards/admin-route.decorator.js';
import { CurrentOperator, CurrentSession, type HeldSession } from '../../../identity/guards/operator-of-request.js';
import { deviceCookie, readDeviceCookie } from '../../../identity/sessions/device-cookie.js';
import { isSecure, requireOwnSite, sessionCookie } from '../../../identity/sessions/session-cookie.js';
import { LoginThrottle } from '../../../identity/throttle/login.throttle.js';
import { DescribesAdmin } from '../../../identity/index.js';
import { SessionOperations } from './session-operations.js';
import { USER_EXAMPLES } from '../users/users.examples.js';
import { LOGIN, SETUP, type LoginInput, type SetupInput } from '../users/users.schema.js';
import { SESSION_VIEW, USER_VIEW, type SessionView, type UserView } from '../users/users.views.js';

const PASSWORD = 'correct horse battery staple';
const LOGIN_REFUSALS = ['login.refused', 'login.code_required', 'login.locked', 'login.busy'] as const;

/** Logging in and out of the admin API: what sets the cookie of the browser, and counts its tries. */
@Controller('admin/v1/session')
export class SessionController {
  constructor(
    private readonly operations: SessionOperations,
    private readonly throttle: LoginThrottle,
    private readonly address: PublicAddress,
  ) {}

  @Post()
  @PublicRoute()
  @NeverPacked()
  @HttpCode(200)
  @DescribesAdmin({
    isOpen: true,
    operationId: 'logIn',
    summary: 'Log in: a cookie that scripts cannot read, and the token that each change needs as X-CSRF-Token',
    body: LOGIN,
    example: { name: 'anna', password: PASSWORD, code: '123456' },
    status: 200,
    answer: USER_EXAMPLES.session,
    schema: SESSION_VIEW,
    refusals: [...LOGIN_REFUSALS],
  })
  async logIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @JsonBody(LOGIN) input: LoginInput,
  ): Promise<SessionView> {
    requireOwnSite(request, this.address.url);
    const secure = isSecure(request, this.address.url);
    const device = await this.operations.deviceOf(input.name, readDeviceCookie(request, secure));
    // A browser that is known is not held up by others of its address.
    this.throttle.countTry(device === null ? request.ip : browserOf(device));
    const attempt = { ...input, device };
    const logged = await this.operations.logIn(originOf(request), attempt, (user) => note(request, user));
    const cookies = [sessionCookie(logged.opened.text, secure), deviceCookie(logged.device.text, secure)];
    void reply.header('set-cookie', cookies);
    return logged.view;
  }

  @Post('setup')
  @PublicRoute()
  @HttpCode(200)
  @DescribesAdmin({
    isOpen: true,
    operationId: 'setUpUser',
    summary: 'Set a password by the set-up code, which works once; then log in',
    body: SETUP,
    example: { setupCode: USER_EXAMPLES.invitedUser.setupCode, password: PASSWORD },
    status: 200,
    answer: USER_EXAMPLES.user,
    schema: USER_VIEW,
    refusals: ['user.setup', 'user.password', 'login.busy'],
  })
  async setUp(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @JsonBody(SETUP) input: SetupInput,
  ): Promise<UserView> {
    requireOwnSite(request, this.address.url);
    this.throttle.countTry(request.ip);
    const { device, view } = await this.operations.setUp(originOf(request), input);
    void reply.header('set-cookie', deviceCookie(device.text, isSecure(request, this.address.url)));
    return view;
  }

  @Delete()
  @AdminRoute()
  @NeedsSession()
  @HttpCode(204)
  @DescribesAdmin({ operationId: 'logOut', summary: 'Log out', status: 204, answer: null })
  async logOut(
    @CurrentOperator() operator: Operator,
    @CurrentSession() session: HeldSession,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.operations.logOut(session, operator);
    void reply.header('set-cookie', sessionCookie(null, isSecure(request, this.address.url)));
  }
}

function originOf({ id, ip }: FastifyRequest): RequestOrigin {
  return { requestId: id, address: ip };
}

/** So that a refused login is told under the name of an account that there is, and never under what was typed. */
function note(request: FastifyRequest, { name }: UserRecord): void {
  if (request.note !== null) request.note.caller = { ...SERVICE_TENANT, keyId: `user:${name}` };
}
