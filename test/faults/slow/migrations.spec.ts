import { queryDatabase } from '../../support/database-query.js';
import { startGateway } from '../../support/gateway.js';
import { startPostgresServer } from '../../support/postgres-server.mjs';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { verify } from '../verify.js';

describe('migrations', () => {
  it('[F36] three gateways start on an empty database and one dies in the middle: applied once, and the others serve', async () => {
    const postgres = await startPostgresServer();
    const doomed = await startGateway({
      databaseUrl: postgres.url,
      env: { SUTURA_FP: 'during_migration:kill' },
      until: 'spawned',
    });
    expect((await doomed.process.exited).signal).toBe('SIGKILL');
    const half = await queryDatabase<{ tables: number }>(
      postgres.url,
      `select count(*)::int as tables from pg_tables where schemaname = 'public' and tablename in ('organizations', 'analysis_jobs', 'outbox_events')`,
    );
    expect([0, 3]).toContain(half[0]?.tables);

    const dataDir = doomed.dataDir;
    const start = () => startGateway({ databaseUrl: postgres.url, dataDir, roles: 'api,worker' });
    const gateways = await Promise.all([start(), start(), start()]);
    const applied = await queryDatabase<{ name: string; times: number }>(
      postgres.url,
      `select name, count(*)::int as times from migrations group by name`,
    );
    expect(applied.length).toBeGreaterThan(0);
    for (const migration of applied) expect(migration.times).toBe(1);
    const [first, ...others] = gateways;
    const client = await first!.createClient();
    const ids: string[] = [];
    for (const gateway of gateways) ids.push((await client.at(gateway.baseUrl).analyse(await drawWoundPhoto())).id);
    await verify(first!, ids);
    await Promise.all([first!, ...others].map((gateway) => gateway.stop()));
    await doomed.stop();
    await postgres.stop();
  }, 180_000);
});
