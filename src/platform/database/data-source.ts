import { DataSource, type DataSourceOptions, type Logger as TypeOrmLogger } from 'typeorm';
import type { Settings } from '../config/settings.js';
import type { Logger } from '../logging/logger.js';
import { clientClass, currentUrl } from './database-address.js';
import { poolOf } from './statements.js';

/** Settings of every session. A statement that runs into a limit fails alone, with `service.unavailable`. */
const SESSION_SETTINGS = {
  statement_timeout: '10s',
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '15s',
  // A commit is on disk, whatever the server's default is.
  synchronous_commit: 'on',
  // A statement takes one processor. Where all plans seem dear, the planner otherwise takes a parallel one that reads a whole table, by the
  // chance of what `analyze` has drawn.
  max_parallel_workers_per_gather: '0',
};
/** Includes the wait for a free connection of the pool, so that a burst of creates on a busy machine is not refused. */
const CONNECTION_TIMEOUT_MS = 5000;

const LEAST_SYSTEM_CONNECTIONS = 4;

export type DatabaseRole = 'sutura_app' | 'sutura_system';

/** Startup options of a session of this role (libpq's `options`). */
export function sessionOptions(role: DatabaseRole): string {
  return Object.entries({ role, ...SESSION_SETTINGS })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

export function dataSourceOptions(
  url: string,
  role: DatabaseRole,
  poolSize: number,
  logger: Logger,
): DataSourceOptions {
  return {
    type: 'postgres',
    url: currentUrl(url),
    poolSize,
    connectTimeoutMS: CONNECTION_TIMEOUT_MS,
    applicationName: role,
    logger: new SilentTypeOrmLogger(),
    installExtensions: false,
    poolErrorHandler: (error: unknown) =>
      logger.warn('database.connection_lost', { role, error: error instanceof Error ? error.name : 'unknown' }),
    // Sends the statements of one connection together if none needs the rows of another.
    extra: { options: sessionOptions(role), keepAlive: true, pipeline: true, Client: clientClass(url) },
  };
}

/**
 * Connects. Throws if row-level security would not bind the session: an address with options of its own, or a role
 * that bypasses it.
 */
export async function connectDataSource(options: DataSourceOptions, role: DatabaseRole): Promise<DataSource> {
  const source = await new DataSource(options).initialize();
  const { rows } = await poolOf(source).query<{ bound: boolean }>(
    `select rolname = $1 and not rolsuper and not rolbypassrls as bound from pg_roles where rolname = current_user`,
    [role],
  );
  if (rows[0]?.bound === true) return source;
  await source.destroy();
  throw new Error(
    `Database sessions do not run as ${role} under row-level security. DATABASE_URL must not carry "options", and the role must not bypass row-level security.`,
  );
}

/**
 * Connections of each pool: SUTURA_DATABASE_POOL for callers, and a quarter of that, at least 4, for the service's
 * own work.
 */
export function poolSizes(settings: Settings): { readonly tenant: number; readonly system: number } {
  const tenant = settings.database.poolSize;
  return { tenant, system: Math.max(LEAST_SYSTEM_CONNECTIONS, Math.ceil(tenant / 4)) };
}

/** TypeORM prints some messages whatever `logging` says, with the database's own text in them, which may quote rows. */
export class SilentTypeOrmLogger implements TypeOrmLogger {
  logQuery(): void {}
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}
