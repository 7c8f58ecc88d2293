import type { ApiClient } from '../../support/api-client.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('deleting an image', () => {
  let gateway: Gateway;
  let client: ApiClient;

  beforeAll(async () => {
    gateway = await startGateway({ env: { SUTURA_FP: 'child_decode:sleep', SUTURA_FP_SLEEP_MS: '1200' } });
    client = await gateway.createClient();
  });
  afterAll(() => gateway?.stop());

  it('is refused while a job works on it, and afterwards erases the photo and its pictures but keeps the result', async () => {
    const imageId = await client.uploadPhoto(await drawWoundPhoto());
    const job = await client.startJob({ imageId });
    const early = await client.request('DELETE', `/api/v1/images/${imageId}`);
    expect([early.status, early.body.code]).toEqual([409, 'image.in_use']);

    const ended = await client.waitForJob(job.id);
    expect((await client.request('GET', ended.result.artifacts.overlay.url)).status).toBe(200);
    expect((await client.request('DELETE', `/api/v1/images/${imageId}`)).status).toBe(204);

    const kept = await client.readJob(job.id);
    expect(kept.body.result.wounds).toEqual(ended.result.wounds);
    for (const name of ['mask', 'overlay']) {
      const gone = await client.request('GET', `/api/v1/analysis/jobs/${job.id}/artifacts/${name}`);
      expect([gone.status, gone.body.code]).toEqual([404, 'artifact.not_found']);
    }
    const again = await client.request('DELETE', `/api/v1/images/${imageId}`);
    expect([again.status, again.body.code]).toEqual([404, 'image.not_found']);
    const reuse = await client.createJob({ imageId });
    expect([reuse.status, reuse.body.code]).toEqual([404, 'image.not_found']);
  });
});
