import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { startGateway, testModelsFolder, type Gateway } from '../support/gateway.js';
import { TEST_MODEL } from '../support/test-model.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { verify } from './verify.js';

const MARKER = 'POISONED-PHOTO';

describe('photos and models that do harm', () => {
  let gateway: Gateway;
  let client: ApiClient;
  afterEach(() => gateway?.stop());

  async function start(env: Record<string, string>): Promise<void> {
    gateway = await startGateway({ env: { SUTURA_FP_MARKER: MARKER, ...env } });
    client = await gateway.createClient();
  }

  /** One marked photo among sound ones; answers the poisoned job's view and the sound ids. */
  async function analyseAmong(soundJobs: number) {
    const sound = await client.uploadPhoto(await drawWoundPhoto());
    const poisoned = await client.uploadPhoto(await drawWoundPhoto({ description: MARKER }));
    const ids: string[] = [];
    for (let count = 0; count < soundJobs; count += 1) {
      if (count === 2) ids.push((await client.startJob({ imageId: poisoned })).id);
      ids.push((await client.startJob({ imageId: sound })).id);
    }
    const poisonId = ids[2] as string;
    return { ids, poison: await client.waitForJob(poisonId, 60_000), poisonId };
  }

  it('[F22] a photo that kills its process ends as an error after three attempts, and the others flow', async () => {
    await start({ SUTURA_FP: 'child_decode:segv' });
    const { ids, poison, poisonId } = await analyseAmong(12);
    expect(poison).toMatchObject({ status: 'error', attempts: 3, error: { code: 'processing.failed' } });
    expect(poison).not.toHaveProperty('result');
    await verify(gateway, ids, { mayFail: [poisonId] });
  });

  it('[F25] a damaged model: not ready, jobs wait and none fails; with the right file they complete', async () => {
    await start({});
    const imageId = await client.uploadPhoto(await drawWoundPhoto());
    await gateway.kill();
    const file = join(testModelsFolder(gateway.dataDir), TEST_MODEL, 'model.onnx');
    const sound = await readFile(file);
    const damaged = Buffer.from(sound);
    damaged[damaged.length - 20] = (damaged[damaged.length - 20] as number) ^ 0xff;

    await writeFile(file, damaged);
    const refusing = await startGateway({
      databaseUrl: gateway.databaseUrl,
      dataDir: gateway.dataDir,
      until: 'listening',
    });
    const id = (await client.at(refusing.baseUrl).startJob({ imageId })).id as string;
    expect((await fetch(`${refusing.baseUrl}/health/ready`)).status).toBe(503);
    expect((await fetch(`${refusing.baseUrl}/health/live`)).status).toBe(200);
    const waiting = await client.at(refusing.baseUrl).readJob(id, { prefer: 'wait=2' });
    expect(waiting.body).toMatchObject({ status: 'queued', attempts: 0 });
    expect(refusing.logs).toContain('model.onnx');
    await refusing.kill();

    await writeFile(file, sound);
    const mended = await startGateway({ databaseUrl: gateway.databaseUrl, dataDir: gateway.dataDir });
    expect(await client.at(mended.baseUrl).waitForJob(id)).toMatchObject({ status: 'completed', attempts: 1 });
    await verify(gateway, [id]);
    await mended.stop();
  });
});
