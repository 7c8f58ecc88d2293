import { createInferencePool } from './inference/worker/create-inference-pool.js';
import { readSettings, SettingsError } from './platform/config/settings.js';
import { openDatabase, type DatabaseHandle } from './platform/database/embedded-postgres.js';
import { Logger } from './platform/logging/logger.js';
import type { Gateway } from './gateway.js';

/** Longest stop, before the process ends whatever still runs. */
const STOP_DEADLINE_MS = 29_000;

function stopOnSignal(gateway: Gateway, database: DatabaseHandle, logger: Logger): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logger.info('server.stopping', { signal });
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    await gateway.stop().catch((error: unknown) => logger.error('server.stop_failed', {}, error));
    await database.stop().catch((error: unknown) => logger.error('database.stop_failed', {}, error));
    logger.info('server.stopped');
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
}

/** The database and the inference processes come up while the application's modules, half of the start's time, are still being read. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const logger = Logger.create(settings.environment.SUTURA_LOG_LEVEL);
  process.on('unhandledRejection', (reason) => logger.error('server.unhandled_rejection', {}, reason));
  const inference = settings.environment.SUTURA_ROLES.includes('worker') ? createInferencePool(settings, logger) : undefined;
  inference?.startFirst();
  const [database, { Gateway }] = await Promise.all([openDatabase(settings, logger), import('./gateway.js')]);
  try {
    const gateway = await Gateway.start({ settings, logger, databaseUrl: database.url, inference });
    stopOnSignal(gateway, database, logger);
    await gateway.greet();
  } catch (error) {
    await database.stop();
    throw error;
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`Sutura did not start: ${error instanceof Error ? error.message : 'unknown fault'}\n`);
  if (error instanceof Error && !(error instanceof SettingsError)) process.stderr.write(`${error.stack ?? ''}\n`);
  process.exit(1);
});
