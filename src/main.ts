import { createInferencePool } from './inference/worker/create-inference-pool.js';
import { mistypedSettings } from './platform/config/mistyped-settings.js';
import { readSettings, SettingsError } from './platform/config/settings.js';
import { DatabaseFault, openDatabase, type DatabaseHandle } from './platform/database/open-database.js';
import { DatabaseRefusal } from './platform/database/server-check.js';
import { Logger } from './platform/logging/logger.js';
import { withoutCredentials } from './platform/logging/without-credentials.js';
import { KILL_AFTER_MS, limitStop, STOP_DEADLINE_MS } from './platform/stop-limit.js';
import { startTracing, type StopTracing } from './platform/tracing/start-tracing.js';
import type { Gateway } from './composition/gateway.js';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const EXIT_CODE_OF_SIGTERM = 143;
/** Errors whose text says what to do, so that nobody needs to see where they were thrown. */
const ADVICE = [SettingsError, DatabaseRefusal, DatabaseFault];

/**
 * Ends a start that is still under way. Elsewhere the system does this, but the first process of a container is sent
 * no signal that it does not listen for (pid_namespaces(7)).
 */
function endStart(): void {
  process.exit(EXIT_CODE_OF_SIGTERM);
}

/** What a stop ends, in this order. */
interface Running {
  readonly gateway: Gateway;
  readonly database: DatabaseHandle;
  readonly stopTracing: StopTracing;
}

function stopOnSignal({ gateway, database, stopTracing }: Running, logger: Logger): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logger.info('server.stopping', { signal });
    void limitStop(KILL_AFTER_MS);
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    await gateway.stop().catch((error: unknown) => logger.error('server.stop_failed', {}, error));
    await Promise.all([
      database.stop().catch((error: unknown) => logger.error('database.stop_failed', {}, error)),
      stopTracing(),
    ]);
    logger.info('server.stopped');
    process.exit(0);
  };
  for (const signal of STOP_SIGNALS) process.off(signal, endStart).on(signal, () => void stop(signal));
}

/** Starts the database and an inference process while the modules of the application are being read. */
async function main(): Promise<void> {
  // The reader of our output may go away, which is no fault.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (process.pid === 1) for (const signal of STOP_SIGNALS) process.on(signal, endStart);
  const settings = readSettings(process.env);
  const logger = Logger.create(settings.process.logLevel);
  for (const mistyped of mistypedSettings(process.env)) logger.warn('settings.unknown', { ...mistyped });
  // Node and libraries print warnings as plain sentences between the lines of the log.
  process.removeAllListeners('warning').on('warning', ({ name, message }) => {
    logger.info('process.warning', { name, text: withoutCredentials(message) });
  });
  process.on('unhandledRejection', (reason) => logger.error('server.unhandled_rejection', {}, reason));
  const inference = settings.process.roles.includes('worker') ? createInferencePool(settings, logger) : undefined;
  inference?.startFirst();
  const tracing = startTracing(settings, logger);
  let goOn: () => void = () => undefined;
  const isWaiting = new Promise<void>((resolve) => (goOn = resolve));
  const opening = openDatabase(settings, logger, goOn);
  await Promise.race([isWaiting, opening]);
  const { Gateway } = await import('./composition/gateway.js');
  const database = await opening;
  try {
    const stopTracing = await tracing;
    const gateway = await Gateway.start({ settings, logger, databaseUrl: database.url, inference });
    stopOnSignal({ gateway, database, stopTracing }, logger);
    await gateway.greet();
  } catch (error) {
    await database.stop();
    throw error;
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`Sutura did not start: ${error instanceof Error ? error.message : 'unknown fault'}\n`);
  if (error instanceof Error && !ADVICE.some((kind) => error instanceof kind))
    process.stderr.write(`${error.stack ?? ''}\n`);
  process.exit(1);
});
