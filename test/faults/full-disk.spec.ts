import { startGateway, type Gateway } from '../support/gateway.js';
import { drawSmallWoundPhoto } from '../support/wound-photo.js';
import { verify } from './verify.js';

describe('a full disk', () => {
  let steady: Gateway;
  let full: Gateway;
  beforeAll(async () => {
    steady = await startGateway({ roles: 'api,worker' });
  });
  beforeAll(async () => {
    const { databaseUrl, dataDir } = steady;
    full = await startGateway({ roles: 'api', databaseUrl, dataDir, env: { SUTURA_FP: 'blob_write:enospc' } });
  });
  afterAll(async () => {
    await full?.stop();
    await steady?.stop();
  });

  it('[F12] answers 507, leaves nothing behind, and the same address takes the photo later', async () => {
    const photo = await drawSmallWoundPhoto();
    const client = await steady.createClient();
    const { body: ticket } = await client.requestUpload();
    const target = new URL(ticket.uploadUrl);
    const refused = await client.putPhoto(`${full.baseUrl}${target.pathname}${target.search}`, photo, ticket.headers);
    expect([refused.status, refused.body.code]).toEqual([507, 'service.storage_full']);
    const early = await client.createJob({ imageId: ticket.imageId });
    expect([early.status, early.body.code]).toEqual([409, 'image.not_uploaded']);
    await verify(steady, []);

    expect((await client.putPhoto(ticket.uploadUrl, photo, ticket.headers)).status).toBe(200);
    const job = await client.startJob({ imageId: ticket.imageId });
    await verify(steady, [job.id]);
  });
});
