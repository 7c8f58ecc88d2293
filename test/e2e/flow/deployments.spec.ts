import { ApiClient } from '../../support/api-client.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { testServerUrl } from '../../support/test-servers.js';

const DISPATCH: readonly [name: string, env: () => Promise<Record<string, string>>][] = [
  ['postgres', async () => ({})],
  ['bull', async () => ({ REDIS_URL: await testServerUrl('redis') })],
];

/** Of the two installations, for the tests after theirs; the harness ends them with the file. */
const apis: Gateway[] = [];

describe.each(DISPATCH)('api and worker as processes of their own, dispatched by %s', (_name, env) => {
  let api: Gateway;
  let worker: Gateway | undefined;

  beforeAll(async () => {
    api = await startGateway({ roles: 'api', env: await env() });
    apis.push(api);
  });
  afterAll(() => worker?.stop());

  it('keeps jobs waiting while no worker runs, and completes each once when one comes', async () => {
    const client = await api.createClient();
    const imageId = await client.uploadPhoto(await drawWoundPhoto());
    const waiting = await Promise.all([1, 2, 3].map(() => client.startJob({ imageId })));
    expect((await client.readJob(waiting[0].id)).body.status).toBe('queued');
    expect(api.process.inferencePids()).toEqual([]);

    worker = await startGateway({
      roles: 'worker',
      databaseUrl: api.databaseUrl,
      dataDir: api.dataDir,
      env: await env(),
    });
    for (const job of waiting)
      expect(await client.waitForJob(job.id)).toMatchObject({ status: 'completed', attempts: 1 });
    const later = await client.analyse(await drawWoundPhoto({ seed: 2 }));
    expect(later.status).toBe('completed');
    expect((await client.request('GET', later.result.artifacts.overlay.url)).status).toBe(200);
  });

  it('serves no caller from the worker', async () => {
    const client = await api.createClient();
    expect((await client.at(worker?.baseUrl ?? '').request('GET', '/api/v1/usage')).status).toBe(404);
  });
});

describe('two installations side by side', () => {
  it('know nothing of each other', async () => {
    const [one, two] = apis as [Gateway, Gateway];
    const client = await one.createClient();
    expect((await client.request('GET', '/api/v1/usage')).status).toBe(200);
    expect((await new ApiClient(two.baseUrl, client.key).request('GET', '/api/v1/usage')).status).toBe(401);
  });
});

describe('two gateways on one database', () => {
  it('know the same keys, images and jobs', async () => {
    const [first] = apis as [Gateway];
    const second = await startGateway({ databaseUrl: first.databaseUrl, dataDir: first.dataDir });
    const client = await first.createClient();
    const imageId = await client.uploadPhoto(await drawWoundPhoto());
    const other = client.at(second.baseUrl);
    const job = await other.startJob({ imageId });
    expect((await client.waitForJob(job.id)).status).toBe('completed');
    expect((await other.readJob(job.id)).status).toBe(200);
    first.process.signal('SIGTERM');
    await first.process.exited;
    expect((await other.analyse(await drawWoundPhoto())).status).toBe('completed');
    await second.stop();
  });
});
