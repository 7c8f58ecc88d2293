import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { startPostgresServer, type PostgresServer } from '../../support/postgres-server.mjs';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { createJobs } from '../load.js';
import { verify } from '../verify.js';

describe('the database', () => {
  let postgres: PostgresServer;
  let gateway: Gateway;
  beforeEach(async () => {
    postgres = await startPostgresServer();
  });
  afterEach(async () => {
    await gateway?.stop();
    await postgres?.stop();
  });

  it('[F10] restarts at once under load: 503 with Retry-After for the gap, then on by itself, nothing acknowledged is lost', async () => {
    gateway = await startGateway({ databaseUrl: postgres.url });
    const client = await gateway.createClient();
    const imageId = await client.uploadPhoto(await drawWoundPhoto({ width: 128, height: 96 }));
    const creating = createJobs({
      clients: () => [client],
      imageId,
      count: 120,
      onAccepted: async (accepted) => {
        if (accepted === 30) await postgres.crash();
      },
    });
    const refusal = await eventually(
      'a refusal in the gap',
      async () => {
        const answer = await client.createJob({ imageId: '01890000-0000-7000-8000-000000000000' });
        return answer.status === 503 ? answer : undefined;
      },
      30_000,
      20,
    );
    expect([refusal.body.code, refusal.headers.get('retry-after')]).toEqual(['service.unavailable', '2']);
    expect((await fetch(`${gateway.baseUrl}/health/live`)).status).toBe(200);
    expect((await fetch(`${gateway.baseUrl}/health/ready`)).status).toBe(503);
    await postgres.startAgain();
    await verify(gateway, await creating, { drainMs: 90_000 });
    expect(gateway.process.hasExited).toBe(false);
    await eventually('ready again', async () => (await fetch(`${gateway.baseUrl}/health/ready`)).status === 200);
  }, 180_000);

  it('[F29] passes midnight under load: every charge has its job and the new day starts at nought', async () => {
    gateway = await startGateway({ databaseUrl: postgres.url });
    const client = await gateway.createClient();
    const imageId = await client.uploadPhoto(await drawWoundPhoto({ width: 128, height: 96 }));
    const midnight = (
      await queryDatabase<{ in_ms: number }>(
        postgres.url,
        `select (extract(epoch from date_trunc('day', now() at time zone 'UTC') + interval '1 day' - (now() at time zone 'UTC')) * 1000)::float8 as in_ms`,
      )
    )[0] as { in_ms: number };
    const ahead = Math.round(midnight.in_ms - 1500);
    await queryDatabase(
      postgres.url,
      `create or replace function sutura_now() returns timestamptz language sql volatile as 'select clock_timestamp() + interval ''${ahead} milliseconds'''`,
    );
    const ids: string[] = [];
    const days = await eventually('jobs on both days', async () => {
      ids.push(...(await createJobs({ clients: () => [client], imageId, count: 5 })));
      const used = await queryDatabase<{ day: string; used: number }>(
        postgres.url,
        'select day::text, used from quota_usage order by day',
      );
      return used.length > 1 ? used : null;
    });
    expect(days).toHaveLength(2);
    expect(days.reduce((sum, day) => sum + day.used, 0)).toBe(ids.length);
    expect((await client.request('GET', '/api/v1/usage')).body.used).toBe(days[1]?.used);
    await verify(gateway, ids, { dayByDay: false });
  });
});
