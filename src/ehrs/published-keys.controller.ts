import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiExcludeController } from '../platform/http/openapi.decorators.js';
import { PublicRoute } from '../platform/http/route-access.js';
import { KEY_SET_LIFE_S, PublishedKeys } from './published-keys.js';

/** The public keys by which EHRs check what this service signs (RFC 7517). */
@ApiExcludeController()
@Controller('.well-known')
export class PublishedKeysController {
  constructor(private readonly keys: PublishedKeys) {}

  @Get('jwks.json')
  @PublicRoute()
  async read(@Res() reply: FastifyReply): Promise<void> {
    const keys = await this.keys.keySet();
    void reply
      .code(200)
      .headers({ 'content-type': 'application/json', 'cache-control': `public, max-age=${KEY_SET_LIFE_S}` })
      .send(JSON.stringify(keys));
  }
}
