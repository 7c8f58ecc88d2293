import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { openApiPages } from './api-pages.js';

const DOCS_PATH = 'api-docs';

/** The page brings its own scripts and style sheets; nothing is loaded from anywhere else, and it may talk to this service only. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** Request headers that are passed to the pages, and answer headers that are taken from them. */
const ASKED = ['if-none-match', 'if-modified-since'] as const;
const ANSWERED = ['content-type', 'etag', 'last-modified'] as const;

/**
 * Serves the document at `/api-docs/openapi.json` and as a page at `/api-docs`; both are made with the first request for one of them.
 * To be called before the application listens.
 */
export function setUpApiDocs(app: NestFastifyApplication, publicUrl: () => string): void {
  const instance = (app.getHttpAdapter() as FastifyAdapter).getInstance<FastifyInstance>();
  let opened: Promise<FastifyInstance> | undefined;
  const pages = () =>
    (opened ??= openApiPages(app, DOCS_PATH, publicUrl()).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  instance.addHook('onRequest', (request, reply, done) => {
    if (/^\/api-docs(?:[/?]|$)/.test(request.raw.url ?? '')) void reply.header('content-security-policy', PAGE_POLICY);
    done();
  });
  const serve = async (request: FastifyRequest, reply: FastifyReply) => passOn(await pages(), request, reply);
  for (const path of [`/${DOCS_PATH}`, `/${DOCS_PATH}/*`]) instance.get(path, serve);
}

async function passOn(
  pages: FastifyInstance,
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = Object.fromEntries(
    ASKED.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  const page = await pages.inject({ method: 'GET', url, headers: asked });
  // The pages' own refusals are not shown.
  if (page.statusCode >= 400) throw new SuturaError(page.statusCode < 500 ? 'route.not_found' : 'service.internal');
  for (const name of ANSWERED) if (page.headers[name] !== undefined) void reply.header(name, page.headers[name]);
  return reply.status(page.statusCode).send(page.rawPayload);
}
