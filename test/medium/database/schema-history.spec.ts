import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { MIGRATION_CHECKSUMS } from '../../../migrations/checksums.js';
import { MIGRATIONS } from '../../../migrations/index.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { createFirstReleaseDatabase } from '../../support/first-release-database.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const FOLDER = resolve(__dirname, '../../../migrations');
const logger = Logger.create('silent');

describe('migrations are frozen', () => {
  const files = readdirSync(FOLDER).filter((name) => /^\d+-.*\.ts$/.test(name));

  /** The line of `migrations/checksums.ts` that this file stands for. */
  const lineOf = (file: string): string => {
    const text = readFileSync(resolve(FOLDER, file), 'utf8').replaceAll('\r\n', '\n');
    const name = /export class (\w+)/.exec(text)?.[1] ?? '';
    return `  ${name}: '${createHash('sha256').update(text).digest('hex')}',`;
  };

  it.each(files)('%s is the file that migrations/checksums.ts has a line for', (file) => {
    const lines = readFileSync(resolve(FOLDER, 'checksums.ts'), 'utf8').replaceAll('\r\n', '\n').split('\n');
    const line = lineOf(file);
    const name = line.slice(0, line.indexOf(':') + 1);
    // A new migration: add this very line. A migration that is on main already: undo the edit and write a new one.
    expect(lines.filter((other) => other.startsWith(name))).toEqual([line]);
  });

  it('lists no migration that is not there, and applies all that are', () => {
    const names = files.map((file) => lineOf(file).trim().split(':')[0]).sort();
    expect(Object.keys(MIGRATION_CHECKSUMS).sort()).toEqual(names);
    expect(MIGRATIONS.map(({ name }) => name).sort()).toEqual(names);
  });
});

describe('a database of another build', () => {
  let database: TestDatabase;

  afterEach(() => database?.drop());

  const run = async (...statements: string[]): Promise<pg.QueryResult<Record<string, unknown>>[]> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      const results = [];
      for (const statement of statements) results.push(await client.query<Record<string, unknown>>(statement));
      return results;
    } finally {
      await client.end();
    }
  };

  /** A database as release 0.1.0 left it. */
  const asFirstReleaseLeftIt = async (): Promise<void> => {
    database = await createFirstReleaseDatabase();
  };

  it('is refused where a newer release has migrated it, and nothing is written', async () => {
    database = await createTestDatabase();
    await run(
      `insert into migrations (timestamp, name, sha256) values (1999999999999, 'CreateTomorrow1999999999999', repeat('0', 64))`,
    );
    const before = await run('select * from migrations order by id');
    await expect(migrate(database.url, logger)).rejects.toThrow(
      /newer release.*CreateTomorrow1999999999999.*Nothing was changed/,
    );
    expect((await run('select * from migrations order by id'))[0]?.rows).toEqual(before[0]?.rows);
  });

  it('is refused where a migration was another one when it was applied', async () => {
    database = await createTestDatabase();
    await run(`update migrations set sha256 = repeat('a', 64) where name = 'CreateFhir1764000000000'`);
    await expect(migrate(database.url, logger)).rejects.toThrow(/another build.*CreateFhir1764000000000/);
  });

  it('is refused where it was made before release 0.1.0: migrations missing, or tables not as the release made them', async () => {
    await asFirstReleaseLeftIt();
    await run('alter table report_versions rename column figures to figures_before');
    await expect(migrate(database.url, logger)).rejects.toThrow(
      /before release 0\.1\.0 \(these differ: report_versions\)/,
    );
    await run(
      'alter table report_versions rename column figures_before to figures',
      `delete from migrations where name = 'CreatePatientMerges1764500000000'`,
    );
    await expect(migrate(database.url, logger)).rejects.toThrow(
      /before release 0\.1\.0 \(it lacks the migration CreatePatientMerges1764500000000\)/,
    );
    expect(
      (
        await run(
          `select count(*)::int as columns from pg_attribute where attrelid = 'migrations'::regclass and attname = 'sha256'`,
        )
      )[0]?.rows,
    ).toEqual([{ columns: 0 }]);
  });

  it('of release 0.1.0 is taken, with the operator’s own tables beside it, and has every checksum from then on', async () => {
    await asFirstReleaseLeftIt();
    await run('create table operators_own (id int)');
    await migrate(database.url, logger);
    await migrate(database.url, logger);
    const [stored] = await run('select name, sha256 from migrations order by name');
    expect(Object.fromEntries(stored!.rows.map(({ name, sha256 }) => [name, sha256]))).toEqual(MIGRATION_CHECKSUMS);
  });

  it('has every checksum where it is new', async () => {
    database = await createEmptyDatabase();
    await migrate(database.url, logger);
    const [stored] = await run('select count(*)::int as count from migrations where sha256 is not null');
    expect(stored?.rows).toEqual([{ count: MIGRATIONS.length }]);
  });
});
