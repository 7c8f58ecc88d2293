import { eventually } from '../support/eventually.js';
import { startGateway } from '../support/gateway.js';
import { OwnRedis } from '../support/own-redis.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { countJobs, createJobs } from './load.js';
import { verify } from './verify.js';

describe('Redis that forgets', () => {
  let redis: OwnRedis;
  beforeEach(async () => {
    redis = await OwnRedis.start();
  });
  afterEach(() => redis?.stop());

  it('[F7] FLUSHALL with 100 waiting jobs: all complete, none twice', async () => {
    const api = await startGateway({ roles: 'api', env: { REDIS_URL: redis.url } });
    const client = await api.createClient();
    const imageId = await client.uploadPhoto(await drawWoundPhoto({ width: 128, height: 96 }));
    const ids = await createJobs({ clients: () => [client], imageId, count: 100, concurrency: 10 });
    await redis.command('FLUSHALL');
    const worker = await startGateway({
      roles: 'worker',
      databaseUrl: api.databaseUrl,
      dataDir: api.dataDir,
      env: { REDIS_URL: redis.url },
    });
    await eventually('some are done', async () => (await countJobs(api.databaseUrl, 'completed')) > 10);
    await redis.command('FLUSHALL');
    await verify(api, ids);
    for (const id of [ids[0], ids[99]]) expect((await client.readJob(id as string)).body.attempts).toBe(1);
    await worker.stop();
    await api.stop();
  });
});
