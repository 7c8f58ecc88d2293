import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { OwnRedis } from '../../support/own-redis.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { countJobs, createJobs } from '../load.js';
import { verify } from '../verify.js';

describe('a Redis that is away or short of memory', () => {
  let redis: OwnRedis;
  let gateway: Gateway;
  afterEach(async () => {
    await gateway?.stop();
    await redis?.stop();
  });

  it('[F8] stops and returns: no create fails or hangs, jobs run through PostgreSQL meanwhile', async () => {
    redis = await OwnRedis.start();
    gateway = await startGateway({ env: { REDIS_URL: redis.url } });
    const client = await gateway.createClient();
    const imageId = await client.uploadPhoto(await drawWoundPhoto({ width: 128, height: 96 }));
    const ids = await createJobs({ clients: () => [client], imageId, count: 10 });

    await redis.interrupt();
    const tookMs: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const began = performance.now();
      const created = await client.createJob({ imageId });
      tookMs.push(performance.now() - began);
      expect(created.status).toBe(201);
      ids.push(created.body.id);
    }
    expect(Math.max(...tookMs)).toBeLessThan(1000);
    await eventually(
      'all done without Redis',
      async () => (await countJobs(gateway.databaseUrl, 'completed')) === 30,
      60_000,
    );
    await eventually('the loss is logged', () => gateway.process.events('queue.unreachable').length > 0);

    await redis.startAgain();
    await eventually(
      'the return is noticed',
      async () => {
        ids.push((await client.startJob({ imageId })).id);
        return gateway.process.events('queue.recovered').length > 0;
      },
      60_000,
      500,
    );
    await verify(gateway, ids);
  }, 180_000);

  it('[F8] was never there: jobs complete through PostgreSQL', async () => {
    gateway = await startGateway({ env: { REDIS_URL: 'redis://127.0.0.1:1' }, until: 'listening' });
    const client = await gateway.createClient();
    const job = await client.analyse(await drawWoundPhoto());
    expect(job.status).toBe('completed');
    await verify(gateway, [job.id]);
  });

  it('[F9] throws entries out for lack of memory: all jobs complete, none twice', async () => {
    redis = await OwnRedis.start(['--maxmemory', '1500kb', '--maxmemory-policy', 'allkeys-lru']);
    const api = await startGateway({ roles: 'api', env: { REDIS_URL: redis.url } });
    gateway = api;
    const client = await api.createClient();
    const imageId = await client.uploadPhoto(await drawWoundPhoto({ width: 128, height: 96 }));
    const ids = await createJobs({ clients: () => [client], imageId, count: 60, concurrency: 10 });
    for (let count = 0; count < 300; count += 1) await redis.command(`SET filler:${count} ${'x'.repeat(8000)}`);
    const worker = await startGateway({
      roles: 'worker',
      databaseUrl: api.databaseUrl,
      dataDir: api.dataDir,
      env: { REDIS_URL: redis.url },
    });
    await verify(api, ids);
    await worker.stop();
  }, 180_000);
});
