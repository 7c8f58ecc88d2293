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

it.each([
  ['a segment was archived', '/bin/true', 'last_archived_time'],
  ['the server began, where archiving fails', '/bin/false', 'stats_reset'],
])(
  'a scrape says how long ago %s',
  async (_, command, since) => {
    const settings = ['archive_mode=on', `archive_command=${command}`];
    const server = await startPostgresServer('127.0.0.1', { settings });
    try {
      await migrate(server.url, Logger.create('silent'));
      await queryDatabase(server.url, 'select pg_switch_wal()');
      const sinceS = async () =>
        (
          await queryDatabase<{ ageS: number | null }>(
            server.url,
            `select extract(epoch from clock_timestamp() - ${since})::float8 as "ageS" from pg_stat_archiver`,
          )
        )[0]?.ageS;
      await eventually('the archiver was busy', async () => (await sinceS()) ?? undefined);
      register.clear();
      const archiving = await DatabaseContext.open(server.url);
      const before = (await sinceS())!;
      const shown = await figure('sutura_database_archive_age_seconds');
      const after = (await sinceS())!;
      await archiving.close();
      expect(shown).toBeGreaterThanOrEqual(Math.min(before, 0));
      expect(shown).toBeLessThanOrEqual(after);
      if (command === '/bin/false') expect(shown).toBeGreaterThanOrEqual(before);
    } finally {
      await server.stop();
    }
  },
  120_000,
);
