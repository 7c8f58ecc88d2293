import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { setUpApiDocs } from './api-v1/openapi/api-docs.js';
import { AppModule } from './app.module.js';
import { TenancyService } from './core/tenancy/tenancy.service.js';
import { prepareFirstStart, walkThrough } from './first-start.js';
import { lockDownDecoders } from './inference/index.js';
import { readSettings, SettingsError, type Settings } from './platform/config/settings.js';
import { openDatabase, type DatabaseHandle } from './platform/database/embedded-postgres.js';
import { migrate } from './platform/database/migrate.js';
import { Readiness } from './platform/health/readiness.js';
import { HttpAdapter } from './platform/http/http.adapter.js';
import { Logger } from './platform/logging/logger.js';

/** Longest stop, before the process ends whatever still runs. */
const STOP_DEADLINE_MS = 29_000;

interface RunningGateway {
  readonly app: NestFastifyApplication;
  readonly database: DatabaseHandle;
}

async function start(settings: Settings, logger: Logger): Promise<RunningGateway> {
  lockDownDecoders();
  const database = await openDatabase(settings, logger);
  try {
    await migrate(database.url, logger);
    const adapter = new HttpAdapter(settings);
    const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(settings, logger, database.url), adapter, {
      logger: false,
      abortOnError: false,
    });
    if (settings.environment.SUTURA_ROLES.includes('api')) setUpApiDocs(app);
    await app.listen(settings.environment.PORT, settings.environment.HOST);
    return { app, database };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** With PORT=0 the port, and with it our own address, is known only now. */
function announce(settings: Settings, app: NestFastifyApplication, logger: Logger): void {
  const address: unknown = app.getHttpServer().address();
  const port = typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : settings.environment.PORT;
  if (settings.environment.PUBLIC_URL === undefined) settings.publicUrl = settings.publicUrl.replace(/:\d+$/, `:${port}`);
  logger.info('server.listening', { port, url: settings.publicUrl, roles: settings.environment.SUTURA_ROLES });
}

async function greet(settings: Settings, app: NestFastifyApplication): Promise<void> {
  const { DATABASE_URL, SUTURA_ROLES } = settings.environment;
  if (DATABASE_URL !== undefined || !SUTURA_ROLES.includes('api')) return;
  const key = await prepareFirstStart(settings, app.get(TenancyService));
  if (key !== null) process.stdout.write(walkThrough(settings.publicUrl, key));
}

function stopOnSignal({ app, database }: RunningGateway, logger: Logger): void {
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info('server.stopping', { signal });
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    app.get(Readiness, { strict: false }).close();
    void app
      .close()
      .catch((error: unknown) => logger.error('server.stop_failed', {}, error))
      .then(() => database.stop())
      .catch((error: unknown) => logger.error('database.stop_failed', {}, error))
      .then(() => {
        logger.info('server.stopped');
        process.exit(0);
      });
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const logger = Logger.create(settings.environment.SUTURA_LOG_LEVEL);
  process.on('unhandledRejection', (reason) => logger.error('server.unhandled_rejection', {}, reason));
  const gateway = await start(settings, logger);
  stopOnSignal(gateway, logger);
  announce(settings, gateway.app, logger);
  await greet(settings, gateway.app);
}

main().catch((error: unknown) => {
  const known = error instanceof SettingsError;
  process.stderr.write(`Sutura did not start: ${known || error instanceof Error ? (error as Error).message : 'unknown fault'}\n`);
  if (!known && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
  process.exit(1);
});
