import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredMediaType, Produces } from '../platform/http/accept.guard.js';
import { ApiExcludeController } from '../platform/http/openapi.decorators.js';
import { PublicRoute } from '../platform/http/route-access.js';
import { KEY_SET_LIFE_S, PublishedKeys } from './published-keys.js';

/** RFC 7517 8.5; readers that know JSON alone are many. */
const TYPES = ['application/json', 'application/jwk-set+json'] as const;

/** The public keys by which EHRs check what this service signs (RFC 7517). */
@ApiExcludeController()
@Controller('.well-known')
export class PublishedKeysController {
  constructor(private readonly keys: PublishedKeys) {}

  @Get('jwks.json')
  @PublicRoute()
  @Produces(...TYPES)
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const keys = await this.keys.keySet();
    const type = preferredMediaType(request.headers.accept, TYPES) ?? TYPES[0];
    void reply
      .code(200)
      .headers({ 'content-type': type, 'cache-control': `public, max-age=${KEY_SET_LIFE_S}` })
      .send(JSON.stringify(keys));
  }
}
