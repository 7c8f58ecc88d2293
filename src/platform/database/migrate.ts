import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../../migrations/index.js';
import { failpoint } from '../failpoints.js';
import type { Settings } from '../config/settings.js';
import type { Logger } from '../logging/logger.js';
import { clientClass, currentUrl, databaseClient } from './database-address.js';
import { isDatabaseFault } from './database-fault.js';
import { ensureRoles, MAY_TAKE_ROLES } from './database-roles.js';
import { isWholeHistory, pendingMigrations, refuseForeignHistory, rememberChecksums } from './schema-history.js';
import { DatabaseRefusal, OPTION_PROBE, queryOf, refuseUnusableServer } from './server-check.js';
import { SilentTypeOrmLogger } from './data-source.js';

/** The advisory lock of a migration; any number, but the same in every release. */
const MIGRATION_LOCK = 7_305_001;
const LONGEST_TRY_MS = 20_000;
const PAUSE_MS = 250;
const LONGEST_WAIT_MS = 60_000;
const WAIT_PAUSE_MS = 1000;

/**
 * What a start does before it uses the database: it migrates, or with SUTURA_MIGRATE_AT_START=off waits for "database
 * migrate". DatabaseRefusal as `migrate`, or if the migration did not happen in time.
 */
export async function bringToRelease(
  url: string,
  { database }: Pick<Settings, 'database'>,
  logger: Logger,
): Promise<void> {
  await (database.migrateAtStart ? migrate(url, logger) : awaitMigration(url, logger));
}

/**
 * True where `migrate` would find nothing to do, and nobody else is migrating: asked in one statement. False where that cannot be said,
 * whatever the reason; `migrate` and `awaitMigration` say it.
 */
export async function isAtRelease(url: string): Promise<boolean> {
  const client = databaseClient(url);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; sha256: string | null; may: boolean }>(
      `select name, sha256, ${MAY_TAKE_ROLES} and calm.calm as may
         from migrations cross join (select pg_try_advisory_xact_lock_shared(${MIGRATION_LOCK}) as calm) calm`,
    );
    return isWholeHistory(rows) && rows.every(({ may }) => may);
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Brings the database to this release's schema. Instances that start together wait for one another, and the work is
 * done once. All of it is one transaction, so that an interruption leaves nothing half done. A database that goes
 * away meanwhile is tried again for 20 s. DatabaseRefusal if the server cannot be used or the database is of another
 * build; nothing is written then. Resolves with the number of migrations applied.
 */
export async function migrate(url: string, logger: Logger): Promise<number> {
  return whileAnswering(logger, () =>
    inSession(url, async (source, runner) => {
      // The migrating session holds the lock. If it dies, its transaction is undone before the next one gets in.
      await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await refuseForeignHistory(runner);
      await ensureRoles(runner);
      const applied = await applyPending(source, runner);
      // The server gives it back when it notices that the session is over, which is later than this process goes on.
      await runner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      logger.info('database.migrated', { applied });
      return applied;
    }),
  );
}

/**
 * Waits until another process has migrated, and writes nothing. DatabaseRefusal as `migrate`, or after
 * `longestWaitMs`.
 */
export async function awaitMigration(url: string, logger: Logger, longestWaitMs = LONGEST_WAIT_MS): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  for (;;) {
    const pending = await whileAnswering(logger, () => inSession(url, (_, runner) => pendingIn(runner)));
    if (pending.length === 0) return;
    if (performance.now() > deadline)
      throw new DatabaseRefusal(
        `The database lacks ${pending.length} migrations of this release, and SUTURA_MIGRATE_AT_START=off keeps this process from applying them. Run "database migrate" with this release.`,
      );
    logger.warn('database.awaiting_migration', { pending: pending.length });
    await delay(Math.min(WAIT_PAUSE_MS, longestWaitMs));
  }
}

async function pendingIn(runner: QueryRunner): Promise<readonly string[]> {
  await refuseForeignHistory(runner);
  return pendingMigrations(runner);
}

/** Retries for 20 s while the database is unavailable. */
async function whileAnswering<T>(logger: Logger, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + LONGEST_TRY_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseFault(error) || performance.now() > deadline) throw error;
      logger.warn('database.migration_retried');
      await delay(PAUSE_MS);
    }
  }
}

/** A session of its own on a server that can be used. */
async function inSession<T>(url: string, work: (source: DataSource, runner: QueryRunner) => Promise<T>): Promise<T> {
  const source = new DataSource({
    type: 'postgres',
    url: currentUrl(url),
    applicationName: 'sutura_migrate',
    migrations: MIGRATIONS,
    logger: new SilentTypeOrmLogger(),
    installExtensions: false,
    poolSize: 1,
    extra: { options: OPTION_PROBE, Client: clientClass(url) },
    poolErrorHandler: () => undefined,
  });
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await refuseUnusableServer(queryOf(runner));
    return await work(source, runner);
  } finally {
    await runner.release();
    await source.destroy();
  }
}

async function applyPending(source: DataSource, runner: QueryRunner): Promise<number> {
  await runner.startTransaction();
  try {
    const executor = new MigrationExecutor(source, runner);
    executor.transaction = 'none';
    const applied = await executor.executePendingMigrations();
    await rememberChecksums(runner);
    await failpoint('during_migration');
    await runner.commitTransaction();
    return applied.length;
  } catch (error) {
    if (runner.isTransactionActive && !runner.isReleased) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}
