import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiExcludeController } from '../platform/http/openapi.decorators.js';
import { PublicRoute } from '../platform/http/route-access.js';

/** Counted from the page, below whatever path a proxy has put before it. */
const PLACES = {
  docs: 'docs/',
  api: 'api-docs',
  openapi: 'api-docs/openapi.json',
  console: 'console',
  health: 'health/ready',
};

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sutura</title>
<h1>Sutura</h1>
<p>This gateway is running.</p>
<ul>
<li><a href="${PLACES.docs}">Documentation</a></li>
<li><a href="${PLACES.api}">The REST API</a> (<a href="${PLACES.openapi}?audience=tenant">OpenAPI</a>)</li>
<li><a href="${PLACES.console}">Console for operators</a></li>
</ul>
</html>
`;

/** What the printed address shows: where everything is, as a page for a person and as JSON for a program. It holds no data. */
@ApiExcludeController()
@Controller()
export class RootController {
  @Get()
  @PublicRoute()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    void reply.header('vary', 'accept');
    if (/\btext\/html\b/i.test(request.headers.accept ?? '')) await reply.type('text/html; charset=utf-8').send(PAGE);
    else await reply.send({ service: 'sutura', links: PLACES });
  }
}
