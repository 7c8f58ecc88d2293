import { queryDatabase } from '../support/database-query.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { startPostgresServer } from '../support/postgres-server.mjs';

const PATIENCE_MS = 60_000;
const TIMEOUT_S = 2;
/** What a busy machine takes to archive and to answer a scrape. */
const SLACK_S = 15;
/** A scrape counts rows of many tables: asked without a pause, they are most of what the gateway does. */
const SCRAPE_EVERY_MS = 400;

describe('the WAL of a gateway that nobody asks anything, which writes a little all the time', () => {
  let postgres: Awaited<ReturnType<typeof startPostgresServer>>;
  let gateway: Gateway;

  beforeAll(async () => {
    const settings = ['archive_mode=on', 'archive_command=/bin/true'];
    postgres = await startPostgresServer('127.0.0.1', { settings });
    await setTimeoutOf(TIMEOUT_S);
    gateway = await startGateway({ databaseUrl: postgres.url, env: { SUTURA_SWEEP_INTERVAL_MS: '1000' } });
  }, 2 * PATIENCE_MS);
  afterAll(async () => {
    await gateway?.stop();
    await postgres?.stop();
  }, PATIENCE_MS);

  async function setTimeoutOf(seconds: number): Promise<void> {
    await queryDatabase(postgres.url, `alter system set archive_timeout = ${seconds}`);
    await queryDatabase(postgres.url, 'select pg_reload_conf()');
  }
  const archived = async (): Promise<number> =>
    (
      await queryDatabase<{ count: number }>(postgres.url, 'select archived_count::int as count from pg_stat_archiver')
    )[0]!.count;
  const ageS = async (): Promise<number> => {
    const text = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
    return Number(/^sutura_database_archive_age_seconds (\S+)$/m.exec(text)?.[1]);
  };

  it(
    'is archived again and again with an archive_timeout, so that nothing ever waits for long',
    async () => {
      const [before, ages] = [await archived(), [] as number[]];
      await eventually(
        'six segments are archived',
        async () => {
          ages.push(await ageS());
          return (await archived()) >= before + 6;
        },
        PATIENCE_MS,
        SCRAPE_EVERY_MS,
      );
      expect(ages.length).toBeGreaterThan(6);
      expect(Math.max(...ages)).toBeLessThan(TIMEOUT_S + SLACK_S);
    },
    2 * PATIENCE_MS,
  );

  it(
    'waits without one, longer and longer: it is in no back-up, and the figure says so',
    async () => {
      await setTimeoutOf(0);
      const before = await eventually(
        'the last segment is archived',
        async () => {
          const count = await archived();
          return (await ageS()) > TIMEOUT_S + 1 ? count : undefined;
        },
        PATIENCE_MS,
        SCRAPE_EVERY_MS,
      );
      const waited = await ageS();
      await eventually(
        'it waits longer than any with the timeout did',
        async () => (await ageS()) > waited + TIMEOUT_S + SLACK_S,
        PATIENCE_MS,
        SCRAPE_EVERY_MS,
      );
      expect(await archived()).toBe(before);
    },
    2 * PATIENCE_MS,
  );
});
