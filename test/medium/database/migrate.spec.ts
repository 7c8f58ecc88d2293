import pg from 'pg';
import { PassThrough } from 'node:stream';
import { MIGRATIONS } from '../../../migrations/index.js';
import { isAtRelease, migrate } from '../../../src/platform/database/migrate.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

describe('migrate', () => {
  let database: TestDatabase;
  const lines: string[] = [];
  const logger = Logger.create(
    'info',
    new PassThrough().on('data', (line: Buffer) => lines.push(line.toString())),
  );

  beforeEach(async () => {
    database = await createEmptyDatabase();
  });

  afterEach(() => database?.drop());

  const query = async <T extends object>(sql: string): Promise<T[]> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  it('leaves nothing behind when it is cut off before its end', async () => {
    const blocker = new pg.Client({ connectionString: database.url });
    blocker.on('error', () => undefined);
    await blocker.connect();
    // Holds the name of one of the last objects, so that the migration waits in its middle; then its session is ended.
    await blocker.query('begin');
    await blocker.query('create table idempotency_keys ()');
    const migrating = migrate(database.url, logger).then(() => 'migrated');
    await waitFor(
      async () =>
        (
          await query(
            `select from pg_stat_activity where application_name = 'sutura_migrate' and wait_event_type = 'Lock'`,
          )
        ).length > 0,
    );
    expect(await query(`select from pg_class where relname = 'organizations'`)).toEqual([]);
    await query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sutura_migrate'`);
    await waitFor(
      async () =>
        (
          await query(
            `select from pg_stat_activity where application_name = 'sutura_migrate' and wait_event_type = 'Lock'`,
          )
        ).length > 0,
    );
    expect(await query(`select from pg_class where relname in ('organizations', 'migrations')`)).toEqual([]);
    await blocker.query('rollback');
    await blocker.end();
    // The interrupted attempt was repeated by itself.
    expect(await migrating).toBe('migrated');
    expect(await query('select from migrations')).toHaveLength(MIGRATIONS.length);
  });

  it('is done once by three instances that start together, and not again later', async () => {
    lines.length = 0;
    await Promise.all([1, 2, 3].map(() => migrate(database.url, logger)));
    await migrate(database.url, logger);
    const applied = lines.map((line) => (JSON.parse(line) as { applied: number }).applied);
    expect(applied.sort()).toEqual([0, 0, 0, MIGRATIONS.length]);
    expect(await query('select from migrations')).toHaveLength(MIGRATIONS.length);
  });

  it('is wanting where anything of the release is not there', async () => {
    expect(await isAtRelease(database.url)).toBe(false);
    await migrate(database.url, logger);
    expect(await isAtRelease(database.url)).toBe(true);
    await query(`create role stranger_${process.pid} login password 'secret'`);
    await query(`grant select on migrations to stranger_${process.pid}`);
    const stranger = Object.assign(new URL(database.url), { username: `stranger_${process.pid}`, password: 'secret' });
    expect(await isAtRelease(stranger.href)).toBe(false);
    await query(`drop owned by stranger_${process.pid}`);
    await query(`drop role stranger_${process.pid}`);
    const last = `(select max(id) from migrations)`;
    for (const change of [
      `update migrations set sha256 = repeat('0', 64) where id = ${last}`,
      `update migrations set sha256 = null where id = ${last}`,
      `update migrations set name = 'OfANewerRelease' where id = ${last}`,
      `delete from migrations where id = ${last}`,
    ]) {
      await query(change);
      expect([change, await isAtRelease(database.url)]).toEqual([change, false]);
    }
    expect(await isAtRelease('postgres://nobody@127.0.0.1:1/none')).toBe(false);
  });

  async function waitFor(condition: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + 10_000;
    while (!(await condition())) if (performance.now() > deadline) throw new Error('The awaited state did not come.');
  }
});
