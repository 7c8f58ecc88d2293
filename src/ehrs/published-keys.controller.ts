import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSuturaError } from '../core/errors/sutura-error.js';
import { LaunchThrottle } from '../identity/index.js';
import { preferredMediaType, Produces } from '../platform/http/accept.guard.js';
import { ApiExcludeController } from '../platform/http/openapi.decorators.js';
import { PublicRoute } from '../platform/http/route-access.js';
import { KEY_SET_LIFE_S, PublishedKeys, type PublishedKeySet } from './published-keys.js';

/** RFC 7517 8.5; readers that know JSON alone are many. */
const TYPES = ['application/json', 'application/jwk-set+json'] as const;

/**
 * The public keys by which EHRs check what an organization signs (RFC 7517). The address that names none is for installations of one organization, and
 * empty in every other.
 */
@ApiExcludeController()
@Controller()
export class PublishedKeysController {
  constructor(
    private readonly keys: PublishedKeys,
    private readonly throttle: LaunchThrottle,
  ) {}

  @Get('.well-known/jwks.json')
  @PublicRoute()
  @Produces(...TYPES)
  async ofOnly(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    answer(request, reply, await this.read(request, () => this.keys.keySet()));
  }

  /** `organization.not_found`. */
  @Get('organizations/:organizationId/jwks.json')
  @PublicRoute()
  @Produces(...TYPES)
  async ofOrganization(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('organizationId') organizationId: string,
  ): Promise<void> {
    answer(request, reply, await this.read(request, () => this.keys.keySetOf(organizationId)));
  }

  /** An empty set and an unknown organization are kept nowhere, and looked up each time: who asks for them too often waits. `rate.limited`. */
  private async read({ ip }: FastifyRequest, ask: () => Promise<PublishedKeySet>): Promise<PublishedKeySet> {
    this.throttle.requireTurn(ip);
    try {
      const found = await ask();
      if (found.keys.length === 0) this.throttle.failed(ip, null);
      return found;
    } catch (fault) {
      throw isSuturaError(fault, 'organization.not_found') ? this.throttle.failed(ip, fault) : fault;
    }
  }
}

/** A set that is still empty is not kept: the first registration fills it. */
function answer({ headers }: FastifyRequest, reply: FastifyReply, keys: PublishedKeySet): void {
  const type = preferredMediaType(headers.accept, TYPES) ?? TYPES[0];
  void reply
    .code(200)
    .headers({
      'content-type': type,
      'cache-control': keys.keys.length === 0 ? 'no-store' : `public, max-age=${KEY_SET_LIFE_S}`,
    })
    .send(JSON.stringify(keys));
}
