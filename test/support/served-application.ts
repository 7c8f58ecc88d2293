import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { setUpApiDocs } from '../../src/doors/native/openapi/api-docs.js';
import { AppModule } from '../../src/composition/app.module.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { HttpAdapter } from '../../src/platform/http/http.adapter.js';
import { Logger } from '../../src/platform/logging/logger.js';
import { createTestDatabase } from './test-database.js';

/** The whole application as the gateway puts it together, in this process and listening. */
export interface ServedApplication {
  readonly baseUrl: string;
  /** Every route of the router as `METHOD /pattern`, in alphabetical order. */
  readonly routes: readonly string[];
  close(): Promise<void>;
}

/** Starts it over a fresh database and data folder; both are removed at `close`. */
export async function serveApplication(): Promise<ServedApplication> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'sutura-served-'));
  const settings = readSettings({
    SUTURA_ROLES: 'api',
    SUTURA_DATA_DIR: dataDir,
    SUTURA_ADMIN_TOKEN: 'a-token-that-is-long-enough',
  });
  const adapter = new HttpAdapter(settings);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.register(settings, Logger.create('silent'), database.url),
    adapter,
    { logger: false, abortOnError: false },
  );
  setUpApiDocs(app, () => 'http://127.0.0.1:3000');
  await app.listen(0, '127.0.0.1');
  return {
    baseUrl: await app.getUrl(),
    routes: adapter.routes.list(),
    close: async () => {
      await app.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
