import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiExcludeController } from '../platform/http/openapi.decorators.js';
import { Settings } from '../platform/config/settings.js';
import { PublicRoute } from '../platform/http/route-access.js';

/** Counted from the page, below whatever path a proxy has put before it. */
const PLACES = {
  docs: 'docs/',
  api: 'api-docs',
  openapi: 'api-docs/openapi.json',
  health: 'health/ready',
};
const CONSOLE = 'console';

const pageWith = (hasConsole: boolean): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sutura</title>
<h1>Sutura</h1>
<p>This gateway is running.</p>
<ul>
<li><a href="${PLACES.docs}">Documentation</a></li>
<li><a href="${PLACES.api}">The REST API</a> (<a href="${PLACES.openapi}?audience=tenant">OpenAPI</a>)</li>
${hasConsole ? `<li><a href="${CONSOLE}">Console for operators</a></li>\n` : ''}</ul>
</html>
`;

/** What the printed address shows: where everything is, as a page for a person and as JSON for a program. It holds no data. */
@ApiExcludeController()
@Controller()
export class RootController {
  private readonly page: string;
  private readonly links: Readonly<Record<string, string>>;

  constructor({ console: { isOn } }: Settings) {
    this.page = pageWith(isOn);
    this.links = isOn ? { ...PLACES, console: CONSOLE } : PLACES;
  }

  @Get()
  @PublicRoute()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    void reply.header('vary', 'accept');
    if (/\btext\/html\b/i.test(request.headers.accept ?? ''))
      await reply.type('text/html; charset=utf-8').send(this.page);
    else await reply.send({ service: 'sutura', links: this.links });
  }
}
