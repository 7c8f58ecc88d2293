import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { testServerUrl } from '../../support/test-servers.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { countJobs, createJobs } from '../load.js';
import { verify } from '../verify.js';

const SLOW_PHOTO = { SUTURA_FP: 'child_decode:sleep', SUTURA_FP_SLEEP_MS: '250' };

describe('workers that are lost', () => {
  let api: Gateway;
  let client: ApiClient;
  let imageId: string;

  beforeEach(async () => {
    api = await startGateway({ roles: 'api', env: { REDIS_URL: await testServerUrl('redis') } });
    client = await api.createClient();
    imageId = await client.uploadPhoto(await drawWoundPhoto());
  });
  afterEach(() => api?.stop());

  const startWorker = async (env: Record<string, string> = {}) =>
    startGateway({
      roles: 'worker',
      databaseUrl: api.databaseUrl,
      dataDir: api.dataDir,
      env: { REDIS_URL: await testServerUrl('redis'), ...env },
    });

  it('[F3] an inference process killed again and again: every job ends once, completed', async () => {
    const worker = await startWorker(SLOW_PHOTO);
    const ids = await createJobs({ clients: () => [client], imageId, count: 12 });
    for (let kills = 0; kills < 5; kills += 1) {
      const done = await countJobs(api.databaseUrl, 'completed');
      const [pid] = await eventually('a job is in an inference process', async () => {
        const pids = worker.process.inferencePids();
        return pids.length > 0 && (await countJobs(api.databaseUrl, 'processing')) > 0 ? pids : undefined;
      });
      process.kill(pid as number, 'SIGKILL');
      await eventually('work goes on', async () => (await countJobs(api.databaseUrl, 'completed')) > done);
    }
    await verify(api, ids);
    await worker.stop();
  });

  it('[F3] a whole worker killed in the middle: another has the job within the lease', async () => {
    const doomed = await startWorker({ SUTURA_FP: 'after_claim:kill' });
    const ids = await createJobs({ clients: () => [client], imageId, count: 3 });
    expect((await doomed.process.exited).signal).toBe('SIGKILL');
    const successor = await startWorker();
    await verify(api, ids);
    await successor.stop();
  });

  it('[F4] a worker that dies after the result is committed: no second result', async () => {
    const doomed = await startWorker({ SUTURA_FP: 'after_commit_finish:kill' });
    const [id] = await createJobs({ clients: () => [client], imageId, count: 1 });
    await doomed.process.exited;
    const before = (await client.readJob(id as string)).body;
    expect(before).toMatchObject({ status: 'completed', attempts: 1 });
    const successor = await startWorker();
    const [next] = await createJobs({ clients: () => [client], imageId, count: 1 });
    await client.waitForJob(next as string);
    expect((await client.readJob(id as string)).body).toEqual(before);
    await verify(api, [id as string, next as string]);
    await successor.stop();
  });

  it('[F5] a worker frozen beyond its lease: the first to finish wins and the late one writes nothing', async () => {
    const frozen = await startWorker({ ...SLOW_PHOTO, SUTURA_FP_SLEEP_MS: '1500' });
    const [id] = await createJobs({ clients: () => [client], imageId, count: 1 });
    await eventually('the job is taken', async () => (await countJobs(api.databaseUrl, 'processing')) === 1);
    frozen.process.signal('SIGSTOP');
    const second = await startWorker();
    const won = await client.waitForJob(id as string);
    expect(won).toMatchObject({ status: 'completed', attempts: 2 });
    frozen.process.signal('SIGCONT');
    await eventually('the late worker noticed', () => /worker\.(stale_finish|lease_lost)/.test(frozen.logs));
    expect((await client.readJob(id as string)).body).toEqual(won);
    await verify(api, [id as string]);
    await Promise.all([frozen.stop(), second.stop()]);
  });

  it('[F6] several workers after the same jobs: each job is taken once', async () => {
    const workers = await Promise.all([startWorker(), startWorker(), startWorker()]);
    const ids = await createJobs({ clients: () => [client], imageId, count: 30, concurrency: 10 });
    await verify(api, ids);
    for (const id of ids) expect((await client.readJob(id)).body.attempts).toBe(1);
    await Promise.all(workers.map((worker) => worker.stop()));
  });
});
