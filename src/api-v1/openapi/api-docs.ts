import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { createOpenApiDocument } from './document.js';

const DOCS_PATH = 'api-docs';

/** The page brings its own scripts and style sheets; nothing is loaded from anywhere else, and it may talk to this service only. */
const PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** Serves the document at `/api-docs/openapi.json` and as a page at `/api-docs`. To be called before the application listens. */
export function setUpApiDocs(app: NestFastifyApplication): void {
  const instance = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  instance.addHook('onRequest', (request, reply, done) => {
    if (/^\/api-docs(?:[/?]|$)/.test(request.raw.url ?? '')) void reply.header('content-security-policy', PAGE_POLICY);
    done();
  });
  SwaggerModule.setup(DOCS_PATH, app, () => createOpenApiDocument(app), {
    jsonDocumentUrl: `${DOCS_PATH}/openapi.json`,
    raw: ['json'],
    customSiteTitle: 'Sutura API',
    // Without this the page would send the document's address to validator.swagger.io.
    swaggerOptions: { validatorUrl: null },
  });
}
