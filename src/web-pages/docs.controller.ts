import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiExcludeController } from '../platform/http/openapi.decorators.js';
import { PublicRoute } from '../platform/http/route-access.js';
import { DocsSite } from './docs-site.js';
import { sendPage } from './send-page.js';

/** Own files alone, nothing inside the page, no form, and in nobody's frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The documentation of this release, for everybody: it holds no data. */
@ApiExcludeController()
@Controller()
export class DocsController {
  constructor(private readonly site: DocsSite) {}

  /** Links of the pages count from the folder, below whatever path a proxy has put before it. */
  @Get('docs')
  @PublicRoute()
  async first(@Res() reply: FastifyReply): Promise<void> {
    await reply.status(302).header('location', 'docs/').send();
  }

  @Get('docs/*')
  @PublicRoute()
  async page(@Param('*') address: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    void reply.header('content-security-policy', POLICY);
    await sendPage(request, reply, await this.site.find(address), 'no-cache');
  }
}
