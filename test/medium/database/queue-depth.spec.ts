import { randomBytes } from 'node:crypto';
import { awaitMigration, migrate } from '../../../src/platform/database/migrate.js';
import { DatabaseRefusal } from '../../../src/platform/database/server-check.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const logger = Logger.create('silent');
const DEPTH = 'select queued, processing from sutura_queue_depth';

/** An account that may log in and has been granted nothing. */
async function createLogin(database: TestDatabase): Promise<{ readonly url: string; drop(): Promise<unknown> }> {
  const name = `login_${randomBytes(4).toString('hex')}`;
  await queryDatabase(database.url, `create role ${name} login password 'secret'`);
  const url = new URL(database.url);
  Object.assign(url, { username: name, password: 'secret' });
  return {
    url: url.href,
    drop: async () => {
      await queryDatabase(database.url, `drop owned by ${name}`);
      await queryDatabase(database.url, `drop role ${name}`);
    },
  };
}

describe('the view sutura_queue_depth', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let scaler: Awaited<ReturnType<typeof createLogin>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    scaler = await createLogin(database);
  });

  afterAll(async () => {
    await context?.close();
    await scaler?.drop();
    await database?.drop();
  });

  it.each(['analysis_jobs', 'images', 'organizations'])('lets its reader see nothing of %s', async (table) => {
    await expect(queryDatabase(scaler.url, `select from ${table}`)).rejects.toMatchObject({ code: '42501' });
  });

  it('cannot be written through', async () => {
    await expect(queryDatabase(scaler.url, 'delete from sutura_queue_depth')).rejects.toThrow(
      /cannot delete from view/,
    );
  });

  it('counts the jobs of all tenants that wait and that are under way, past row-level security', async () => {
    expect(await queryDatabase(scaler.url, DEPTH)).toEqual([{ queued: 0, processing: 0 }]);
    for (const tenant of [await context.createTenant(), await context.createTenant()]) {
      await context.createJob(tenant);
      await context.createJob(tenant);
    }
    await queryDatabase(
      database.url,
      `update analysis_jobs set status = 'processing', lease_token = gen_random_uuid(), lease_until = now()
       where id = (select min(id::text)::uuid from analysis_jobs)`,
    );
    expect(await queryDatabase(scaler.url, DEPTH)).toEqual([{ queued: 3, processing: 1 }]);
  });

  it('reads as the role of workers, which may create nothing in the schema', async () => {
    const [view] = await queryDatabase<{ owner: string; creates: boolean }>(
      database.url,
      `select pg_get_userbyid(relowner) as owner, has_schema_privilege(relowner, 'public', 'create') as creates
       from pg_class where relname = 'sutura_queue_depth'`,
    );
    expect(view).toEqual({ owner: 'sutura_system', creates: false });
  });
});

describe('a process that must not migrate', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(() => database?.drop());

  it('ends with what to do where nobody migrates, and writes nothing', async () => {
    const refusal: unknown = await awaitMigration(database.url, logger, 0).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DatabaseRefusal);
    expect(String(refusal)).toMatch(/lacks \d+ migrations.*Run "database migrate"/);
    expect(await queryDatabase(database.url, `select from pg_class where relname = 'migrations'`)).toEqual([]);
  });

  it('waits for the one that does, which says how many it applied', async () => {
    const waiting = awaitMigration(database.url, logger).then(() => 'on');
    expect(await migrate(database.url, logger)).toBeGreaterThan(0);
    expect(await waiting).toBe('on');
    expect(await migrate(database.url, logger)).toBe(0);
  });
});
