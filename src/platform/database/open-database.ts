import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../config/settings.js';
import type { Logger } from '../logging/logger.js';
import { currentHost, databaseClient } from './database-address.js';
import { faultCode, isDatabaseFault } from './database-fault.js';
import { EmbeddedCluster } from '../embedded-postgres/embedded-cluster.js';
import { poolSizes } from './data-source.js';
import {
  OPTION_PROBE,
  refusePooler,
  refuseUntrusted,
  refuseUnusableServer,
  refuseWrongAccount,
} from './server-check.js';

/** A database that accepts connections. */
export interface DatabaseHandle {
  /** Contains the credentials of an account that may create tables and roles. Never to be logged. */
  readonly url: string;
  /** Stops the server if it was started here. */
  stop(): Promise<void>;
}

/** The server did not become available. The message says for how long it was tried, why, and what to check. */
export class DatabaseFault extends Error {
  constructor(cause: unknown) {
    super(
      `The database of DATABASE_URL did not answer within ${WAIT_MS / 1000} s (${faultCode(cause)}). See that it runs and that this machine reaches it, or correct DATABASE_URL.`,
      { cause },
    );
  }
}

const WAIT_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;
/**
 * Connections for listeners, migrations, the command line, a second gateway on the same folder, and PostgreSQL's
 * reserve.
 */
const SPARE_CONNECTIONS = 40;
const LEAST_CONNECTIONS = 100;

/**
 * The database of a gateway: that of DATABASE_URL, waited for up to 60 s, else the embedded one in the data folder,
 * which is started and kept running. DatabaseFault if it does not answer; DatabaseRefusal at once if the server
 * can never be used.
 * @param onWaiting called once or more, whenever only another program is waited for: the caller may keep the event
 * loop busy then
 */
export async function openDatabase(
  settings: Settings,
  logger: Logger,
  onWaiting: () => void = () => undefined,
): Promise<DatabaseHandle> {
  return open(settings, logger, (cluster) => cluster.keepRunning(), onWaiting);
}

/**
 * The same database for a short command beside a gateway: joins its embedded server, and starts one only if none
 * runs.
 */
export async function openDatabaseBeside(settings: Settings, logger: Logger): Promise<DatabaseHandle> {
  return open(
    settings,
    logger,
    () => undefined,
    () => undefined,
  );
}

async function open(
  settings: Settings,
  logger: Logger,
  onOpened: (cluster: EmbeddedCluster) => void,
  onWaiting: () => void,
): Promise<DatabaseHandle> {
  const url = settings.database.url;
  if (url !== undefined) {
    onWaiting();
    await waitForDatabase(url, logger);
    return { url, stop: () => Promise.resolve() };
  }
  const { tenant, system } = poolSizes(settings);
  const maxConnections = Math.max(LEAST_CONNECTIONS, 2 * (tenant + system) + SPARE_CONNECTIONS);
  const cluster = await EmbeddedCluster.open(settings.process.dataDir, maxConnections, logger, onWaiting);
  onOpened(cluster);
  return { url: cluster.url, stop: () => cluster.stop() };
}

async function waitForDatabase(url: string, logger: Logger): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const at = currentHost(url);
    const client = databaseClient(url, { connectionTimeoutMillis: 2000, options: OPTION_PROBE });
    try {
      await client.connect();
      await refuseUnusableServer(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows);
      return;
    } catch (error) {
      refusePooler(error);
      refuseWrongAccount(error);
      refuseUntrusted(error);
      if (!isDatabaseFault(error)) throw error;
      if (performance.now() > deadline) throw new DatabaseFault(error);
      logger.warn('database.waiting', { ...at, code: faultCode(error), retryMs: pauseMs });
    } finally {
      await client.end().catch(() => undefined);
    }
    await delay(pauseMs);
  }
}
