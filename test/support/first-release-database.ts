import { DataSource, MigrationExecutor } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index.js';
import { FIRST_RELEASE_MIGRATIONS } from '../../src/platform/database/first-release-schema.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from './test-database.js';

/** A database as release 0.1.0 left it, without rows: its migrations, which are frozen, and no checksums. */
export async function createFirstReleaseDatabase(): Promise<TestDatabase> {
  // Makes the roles of the server, where no test has yet.
  await (await createTestDatabase()).drop();
  const database = await createEmptyDatabase();
  const migrations = MIGRATIONS.filter(({ name }) => FIRST_RELEASE_MIGRATIONS.includes(name));
  const source = await new DataSource({
    type: 'postgres',
    url: database.url,
    migrations,
    installExtensions: false,
  }).initialize();
  const executor = new MigrationExecutor(source);
  executor.transaction = 'all';
  await executor.executePendingMigrations();
  await source.destroy();
  return database;
}
