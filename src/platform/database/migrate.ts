import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../../migrations/index.js';
import { failpoint } from '../failpoints.js';
import type { Logger } from '../logging/logger.js';
import type { DatabaseRole } from './data-source.js';
import { isDatabaseFault } from './database-fault.js';
import { SilentTypeOrmLogger } from './silent-typeorm.logger.js';

/** Any number, the same in every release: whoever migrates holds this advisory lock. */
const MIGRATION_LOCK = 7_305_001;
const ROLES: readonly DatabaseRole[] = ['sutura_app', 'sutura_system'];
/** Without these a commit is no promise (PostgreSQL 19.5 and 29.1). */
const SAFETY_SETTINGS = ['fsync', 'full_page_writes'] as const;
const LONGEST_TRY_MS = 20_000;
const PAUSE_MS = 250;

/** The database may not be used as it is; the text says what to change. */
export class UnsafeDatabaseError extends Error {}

/**
 * Brings the database to this release's schema. Instances that start together wait for one another and the work is done
 * once; all of it is one transaction, so that an interruption leaves nothing half. A database that goes away meanwhile
 * is tried again for 20 s. UnsafeDatabaseError where the server would lose committed rows.
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
    poolErrorHandler: () => undefined,
  });
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await refuseUnsafe(runner);
    // The lock belongs to the session that migrates: if it dies, its transaction is undone before the next one gets in.
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await createRoles(runner);
    const applied = await applyPending(source, runner);
    logger.info('database.migrated', { applied });
  } finally {
    await runner.release();
    await source.destroy();
  }
}

async function refuseUnsafe(runner: QueryRunner): Promise<void> {
  for (const setting of SAFETY_SETTINGS) {
    const [row] = (await runner.query('select current_setting($1) as value', [setting])) as { value: string }[];
    if (row?.value === 'off') throw new UnsafeDatabaseError(`The PostgreSQL server runs with ${setting}=off and may lose committed jobs. Set ${setting}=on and restart it.`);
  }
}

/** Roles belong to the whole server: another database of it may be creating them at this moment. */
async function createRoles(runner: QueryRunner): Promise<void> {
  for (const role of ROLES) {
    await runner.query(`do $$ begin
        if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
      exception when duplicate_object or unique_violation then null; end $$`);
    // A superuser may take any role; granting it again would only collide with others who do.
    await runner.query(`do $$ begin
        if not (select rolsuper from pg_roles where rolname = current_user) then
          execute format('grant ${role} to %I', current_user);
        end if;
      end $$`);
  }
}

async function applyPending(source: DataSource, runner: QueryRunner): Promise<number> {
  await runner.startTransaction();
  try {
    const executor = new MigrationExecutor(source, runner);
    executor.transaction = 'none';
    const applied = await executor.executePendingMigrations();
    await failpoint('during_migration');
    await runner.commitTransaction();
    return applied.length;
  } catch (error) {
    if (runner.isTransactionActive && !runner.isReleased) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}
