import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../../migrations/index.js';
import { failpoint } from '../failpoints.js';
import type { Logger } from '../logging/logger.js';
import { isDatabaseFault } from './database-fault.js';
import { ensureRoles } from './database-roles.js';
import { refuseForeignHistory, rememberChecksums } from './schema-history.js';
import { OPTION_PROBE, queryOf, refuseUnusableServer } from './server-check.js';
import { SilentTypeOrmLogger } from './data-source.js';

/** The advisory lock of a migration; any number, but the same in every release. */
const MIGRATION_LOCK = 7_305_001;
const LONGEST_TRY_MS = 20_000;
const PAUSE_MS = 250;

/**
 * Brings the database to this release's schema. Instances that start together wait for one another, and the work is
 * done once. All of it is one transaction, so that an interruption leaves nothing half done. A database that goes
 * away meanwhile is tried again for 20 s. DatabaseRefusal if the server cannot be used or the database is of another
 * build; nothing is written then.
 */
export async function migrate(url: string, logger: Logger): Promise<void> {
  const deadline = performance.now() + LONGEST_TRY_MS;
  for (;;) {
    try {
      return await migrateOnce(url, logger);
    } catch (error) {
      if (!isDatabaseFault(error) || performance.now() > deadline) throw error;
      logger.warn('database.migration_retried');
      await delay(PAUSE_MS);
    }
  }
}

async function migrateOnce(url: string, logger: Logger): Promise<void> {
  const source = new DataSource({
    type: 'postgres',
    url,
    applicationName: 'sutura_migrate',
    migrations: MIGRATIONS,
    logger: new SilentTypeOrmLogger(),
    installExtensions: false,
    poolSize: 1,
    extra: { options: OPTION_PROBE },
    poolErrorHandler: () => undefined,
  });
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await refuseUnusableServer(queryOf(runner));
    // The migrating session holds the lock. If it dies, its transaction is undone before the next one gets in.
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await refuseForeignHistory(runner);
    await ensureRoles(runner);
    const applied = await applyPending(source, runner);
    logger.info('database.migrated', { applied });
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
