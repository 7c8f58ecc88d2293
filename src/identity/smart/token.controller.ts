import { Controller, Post, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditTrail } from '../../core/audit/audit-trail.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { Caller } from '../../core/tenancy/api-key.js';
import type { ClientRecord } from '../../core/tenancy/client-record.js';
import type { HttpAdapter } from '../../platform/http/http.adapter.js';
import { ApiExcludeController } from '../../platform/http/openapi.decorators.js';
import { NeverPacked } from '../../platform/http/packed-answers.js';
import { PublicAddress } from '../../platform/http/public-address.js';
import { PublicRoute } from '../../platform/http/route-access.js';
import { mediaTypeOf, namedTypeOf, readUnread } from '../../platform/http/unread-bodies.js';
import { requireAllowedNetwork } from '../keys/allowed-networks.js';
import { AccessTokens, TOKEN_LIFE_S } from '../keys/access-tokens.js';
import { TokenThrottle } from '../throttle/token.throttle.js';
import { ClientAssertions } from './client-assertions.js';
import { renderOAuthRefusal } from './oauth-refusals.js';
import { TOKENS_PATH, tokenAddressOf } from './smart-addresses.js';
import { grantScopes, readTokenRequest } from './token-request.js';

const FORM = 'application/x-www-form-urlencoded';
/** An assertion has about 1 KiB. */
const BODY_LIMIT_BYTES = 32 * 1024;
const BODY_TIMEOUT_MS = 10_000;

/** The token endpoint of SMART Backend Services: who proves by a signed assertion to be a client gets a token of five minutes. */
@ApiExcludeController()
@Controller('auth')
export class TokenController {
  constructor(
    adapterHost: HttpAdapterHost<HttpAdapter>,
    private readonly assertions: ClientAssertions,
    private readonly tokens: AccessTokens,
    private readonly throttle: TokenThrottle,
    private readonly address: PublicAddress,
    private readonly trail: AuditTrail,
  ) {
    adapterHost.httpAdapter.unreadBodies.claim(TOKENS_PATH);
    adapterHost.httpAdapter.refusals.claim(TOKENS_PATH, renderOAuthRefusal);
  }

  /** `oauth.request`, `oauth.grant_type`, `oauth.client`, `oauth.scope`, `auth.network`, `auth.person`, `rate.limited`, `service.unavailable`. */
  @Post('token')
  @PublicRoute()
  @NeverPacked()
  async issue(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.throttle.countRequest(request.ip);
    const { assertion, scope } = readTokenRequest(await readForm(request));
    const { client, person } = await this.assertions.clientOf(assertion, tokenAddressOf(this.address.url), (proven) => {
      if (request.note !== null) request.note.caller = callerOf(proven);
    });
    requireAllowedNetwork(client.allowedNetworks, request.ip);
    const { grants, text } = grantScopes(scope, client.scopes);
    const token = await this.tokens.issue(client, grants, person);
    await this.record(request, { ...callerOf(client), ...(person === null ? {} : { person }) }, text);
    void reply
      .code(200)
      .headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
      .send({ access_token: token, token_type: 'bearer', expires_in: TOKEN_LIFE_S, scope: text });
  }

  /** A token that cannot be audited is not issued. */
  private record(request: FastifyRequest, caller: Omit<Caller, 'scopes'>, scope: string): Promise<void> {
    const origin = { requestId: request.id, address: request.ip };
    return this.trail.recordNow(
      { ...caller, scopes: [], origin },
      {
        door: 'rest',
        interaction: '$token',
        action: 'E',
        patients: [],
        resources: [`Device/${caller.keyId}`],
        query: `scope=${scope}`,
      },
    );
  }
}

function callerOf({ id, organizationId, environment }: ClientRecord) {
  return { keyId: id, organizationId, environment };
}

async function readForm(request: FastifyRequest): Promise<URLSearchParams> {
  if (mediaTypeOf(namedTypeOf(request)) !== FORM)
    throw new SuturaError('oauth.request', { detail: `Send the body as ${FORM}.` });
  const bytes = await readUnread(request, { limitBytes: BODY_LIMIT_BYTES, timeoutMs: BODY_TIMEOUT_MS });
  return new URLSearchParams(bytes.toString('utf8'));
}
