import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { OpenAPIObject } from '@nestjs/swagger';
import { conditional } from '../../../platform/http/entity-tag.js';
import { sendAnswer } from '../../../platform/http/http-answer.js';
import { invalidInput } from '../../../platform/http/parse-input.js';
import { openApiPages } from './api-pages.js';
import { AUDIENCES, documentFor, type Audience } from './audience.js';

const DOCS_PATH = 'api-docs';
const DOCUMENT_PATH = `/${DOCS_PATH}/openapi.json`;

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
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const audience = audienceOf(request);
    return audience === 'all'
      ? passOn(await pages(), request, reply)
      : sendDocumentFor(audience, await pages(), request, reply);
  };
  for (const path of [`/${DOCS_PATH}`, `/${DOCS_PATH}/*`]) instance.get(path, serve);
}

/** `request.invalid` for one that there is not. */
function audienceOf({ url }: FastifyRequest): Audience {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const asked = searchParams.get('audience');
  if (pathname !== DOCUMENT_PATH || asked === null) return 'all';
  const audience = AUDIENCES.find((one) => one === asked);
  if (audience === undefined) throw invalidInput('/query/audience', `must be one of ${AUDIENCES.join(', ')}`);
  return audience;
}

async function sendDocumentFor(
  audience: Audience,
  pages: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { payload } = await pages.inject({ method: 'GET', url: DOCUMENT_PATH });
  const body = JSON.stringify(documentFor(audience, JSON.parse(payload) as OpenAPIObject));
  const answer = conditional(
    { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body },
    request.headers['if-none-match'],
  );
  sendAnswer(reply, answer);
  return reply;
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
