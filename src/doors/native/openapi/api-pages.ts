import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { openSwagger } from '../../../platform/http/openapi.decorators.js';
import { createOpenApiDocument } from './document.js';

@Module({})
class ApiPagesModule {}

/** A server without a port that has the document of `app` at `/<path>/openapi.json` and as a page, with its files, at `/<path>`. */
export async function openApiPages(
  app: NestFastifyApplication,
  path: string,
  publicUrl: string,
): Promise<FastifyInstance> {
  const { SwaggerModule } = await openSwagger();
  const pages = await NestFactory.create<NestFastifyApplication>(ApiPagesModule, new FastifyAdapter(), {
    logger: false,
    abortOnError: false,
  });
  SwaggerModule.setup(path, pages, await createOpenApiDocument(app, publicUrl), {
    jsonDocumentUrl: `${path}/openapi.json`,
    raw: ['json'],
    customSiteTitle: 'Sutura API',
    // Without this the page would send the document's address to validator.swagger.io.
    swaggerOptions: { validatorUrl: null },
  });
  await pages.init();
  const server = (pages.getHttpAdapter() as FastifyAdapter).getInstance<FastifyInstance>();
  await server.ready();
  return server;
}
