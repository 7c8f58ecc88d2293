import { collectDefaultMetrics, register } from 'prom-client';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { JobRepository } from '../../../src/core/analysis/job.repository.js';
import { registerBacklogMetrics } from '../../../src/inference/queue/backlog.metrics.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { MetricReading } from '../../../src/platform/health/metric-reading.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startPostgresServer } from '../../support/postgres-server.mjs';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;
let context: DatabaseContext;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  register.clear();
  context = await DatabaseContext.open(database.url, { SUTURA_DATABASE_POOL: '2' });
});
afterEach(() => context?.close());
afterAll(() => database?.drop());

const figure = async (series: string): Promise<number> =>
  Number(
    (await register.metrics())
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  );

it('a scrape says how many statements wait where all connections are in use, and of how many', async () => {
  const tenant = await context.createTenant();
  const releases: (() => void)[] = [];
  const held = Array.from({ length: 3 }, () =>
    context.get(UnitOfWork).inTenant(tenant, () => new Promise<void>((release) => releases.push(release))),
  );
  await eventually('all connections are in use', () => releases.length === 2);
  await eventually(
    'the third is seen to wait',
    async () => (await figure('sutura_database_pool_waiting{pool="tenant"}')) === 1,
  );
  expect(await figure('sutura_database_connections{pool="tenant",state="used"}')).toBe(2);
  expect(await figure('sutura_database_pool_size{pool="tenant"}')).toBe(2);
  expect(await figure('sutura_database_pool_size{pool="system"}')).toBe(4);

  releases.splice(0).forEach((release) => release());
  await eventually('the third has a connection', () => releases.length === 1);
  await eventually(
    'none is seen to wait',
    async () => (await figure('sutura_database_pool_waiting{pool="tenant"}')) === 0,
  );
  releases[0]!();
  await Promise.all(held);
  expect(await figure('sutura_database_connections{pool="tenant",state="used"}')).toBe(0);
});

it('a scrape does not count the statements that it asks for itself', async () => {
  const ofOwn = Array.from(
    { length: 12 },
    () => new MetricReading(() => context.get(SystemStatements).run('select 1')),
  );
  const [, waiting] = await Promise.all([
    Promise.all(ofOwn.map((reading) => reading.latest())),
    figure('sutura_database_pool_waiting{pool="system"}'),
  ]);
  expect(waiting).toBe(0);
});

it('a scrape says how far the clock of the database is from that of this process', async () => {
  const behind = jest.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() - 90_000);
  try {
    expect(await figure('sutura_database_clock_offset_seconds')).toBeCloseTo(90, -1);
  } finally {
    behind.mockRestore();
  }
});

it('a scrape without the database still answers, without what it would have read there', async () => {
  registerBacklogMetrics({ backlog: () => Promise.reject(new Error('away')) } satisfies Pick<JobRepository, 'backlog'>);
  collectDefaultMetrics();
  await context.close();
  const text = await register.metrics();
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).not.toMatch(/^sutura_(?:jobs|oldest_unfinished_job_seconds|database_clock_offset_seconds)/m);
});

it('a scrape says nothing of an archive where the server has none', async () => {
  expect(await figure('sutura_database_clock_offset_seconds')).not.toBeNaN();
  expect(await figure('sutura_database_archive_age_seconds')).toBeNaN();
});

describe('beside a server that archives its WAL, a scrape', () => {
  const serverWith = async (command: string) => {
    const server = await startPostgresServer('127.0.0.1', {
      settings: ['archive_mode=on', `archive_command=${command}`],
    });
    await migrate(server.url, Logger.create('silent'));
    register.clear();
    return server;
  };
  const AGE = 'sutura_database_archive_age_seconds';
  /** As the archiver itself says it: of a quiet server as well. */
  const sinceArchivedS = async (url: string, since: 'last_archived_time' | 'stats_reset') =>
    (
      await queryDatabase<{ ageS: number | null }>(
        url,
        `select extract(epoch from clock_timestamp() - ${since})::float8 as "ageS" from pg_stat_archiver`,
      )
    )[0]?.ageS;

  it('says how long nothing could be archived', async () => {
    const server = await serverWith('/bin/false');
    try {
      await queryDatabase(server.url, 'select pg_switch_wal()');
      await eventually('archiving has failed', async () => {
        const [{ failed } = { failed: 0 }] = await queryDatabase<{ failed: number }>(
          server.url,
          'select failed_count::int as failed from pg_stat_archiver',
        );
        return failed > 0;
      });
      const before = (await sinceArchivedS(server.url, 'stats_reset'))!;
      const archiving = await DatabaseContext.open(server.url);
      try {
        const shown = await figure(AGE);
        expect(shown).toBeGreaterThanOrEqual(before);
        expect(shown).toBeLessThanOrEqual((await sinceArchivedS(server.url, 'stats_reset'))!);
      } finally {
        await archiving.close();
      }
    } finally {
      await server.stop();
    }
  }, 120_000);

  it('says that nothing waits while nothing is written, and how long something has waited that was', async () => {
    const server = await serverWith('/bin/true');
    const switched = async () => {
      await queryDatabase(server.url, 'select pg_switch_wal()');
      await eventually('the segment is archived', async () => {
        const [{ isDone } = { isDone: false }] = await queryDatabase<{ isDone: boolean }>(
          server.url,
          `select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - wal_offset) as "isDone" from pg_stat_archiver,
             lateral (select (pg_walfile_name_offset(pg_current_wal_lsn())).file_offset + 1) one (wal_offset)`,
        );
        return isDone;
      });
    };
    const archiving = await DatabaseContext.open(server.url);
    try {
      await switched();
      await eventually('nothing waits', async () => (await figure(AGE)) === 0, 30_000);
      // The archiver's own age goes on.
      await eventually(
        'a quiet second',
        async () => ((await sinceArchivedS(server.url, 'last_archived_time')) ?? 0) > 1,
      );
      register.clear();
      const anew = await DatabaseContext.open(server.url);
      expect(await figure(AGE)).toBe(0);

      await queryDatabase(server.url, `create table written as select generate_series(1, 1000) as number`);
      await eventually('what was written waits', async () => (await figure(AGE)) > 1, 30_000);
      await switched();
      await eventually('nothing waits again', async () => (await figure(AGE)) === 0, 30_000);
      await anew.close();
    } finally {
      await archiving.close();
      await server.stop();
    }
  }, 180_000);
});
