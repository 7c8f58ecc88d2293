import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Logger } from '../logging/logger.js';
import { SilentTypeOrmLogger } from './silent-typeorm.logger.js';

/** What a session is and how long it may take. A statement that runs into a limit fails alone, with `service.unavailable`. */
const SESSION_SETTINGS = {
  statement_timeout: '10s',
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '15s',
  // Commit means on disk, whatever the server's default is.
  synchronous_commit: 'on',
};
/** Includes the wait for a free connection of the pool: a burst of creates on a busy machine must not be refused for it. */
const CONNECTION_TIMEOUT_MS = 5000;

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
    url,
    poolSize,
    connectTimeoutMS: CONNECTION_TIMEOUT_MS,
    applicationName: role,
    logger: new SilentTypeOrmLogger(),
    installExtensions: false,
    poolErrorHandler: (error: unknown) =>
      logger.warn('database.connection_lost', { role, error: error instanceof Error ? error.name : 'unknown' }),
    // Statements of one connection that do not wait for each other's rows travel together.
    extra: { options: sessionOptions(role), keepAlive: true, pipeline: true },
  };
}

/** Connects, and refuses a session that row-level security would not bind: an address with options of its own, a role that bypasses it. */
export async function connectDataSource(options: DataSourceOptions, role: DatabaseRole): Promise<DataSource> {
  const source = await new DataSource(options).initialize();
  const pool = (source.driver as unknown as { readonly master: Pool }).master;
  // Without a listener a connection lost between two statements would end the process (node-postgres #1324).
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { rows } = await pool.query<{ bound: boolean }>(
    `select rolname = $1 and not rolsuper and not rolbypassrls as bound from pg_roles where rolname = current_user`,
    [role],
  );
  if (rows[0]?.bound === true) return source;
  await source.destroy();
  throw new Error(
    `Database sessions do not run as ${role} under row-level security. DATABASE_URL must not carry "options", and the role must not bypass row-level security.`,
  );
}
