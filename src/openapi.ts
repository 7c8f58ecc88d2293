import 'reflect-metadata';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { createOpenApiDocument } from './doors/native/openapi/document.js';
import { AppModule } from './composition/app.module.js';
import { readSettings } from './platform/config/settings.js';
import { HttpAdapter } from './platform/http/http.adapter.js';
import { Logger } from './platform/logging/logger.js';

const TARGET = process.argv[2] ?? 'docs/openapi.json';

/** Writes the OpenAPI document of the whole application to a file. Starts nothing: preview mode only looks at the routes. */
async function writeDocument(): Promise<void> {
  const settings = readSettings({});
  const application = AppModule.register(settings, Logger.create('silent'), 'postgres://preview.invalid/none');
  const app = await NestFactory.create(application, new HttpAdapter(settings), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  const document = await createOpenApiDocument(app);
  await mkdir(dirname(TARGET), { recursive: true });
  await writeFile(TARGET, `${JSON.stringify(document, null, 2)}\n`);
}

await writeDocument();
