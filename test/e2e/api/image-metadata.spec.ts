import { createHash } from 'node:crypto';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('what is known of a photo', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let photo: Buffer;

  beforeAll(async () => {
    gateway = await sharedGateway();
    client = await gateway.createClient();
    photo = await drawWoundPhoto({ width: 320, height: 240, orientation: 6 });
  });

  const read = (imageId: string, of = client, headers: Record<string, string> = {}) =>
    of.request('GET', `/api/v1/images/${imageId}`, { headers });

  it('is not found by another organization, nor by an id that is none', async () => {
    const imageId = await client.uploadPhoto(photo);
    const other = await gateway.createClient();
    for (const answer of [
      await read(imageId, other),
      await read('upload-url'),
      await read('01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f'),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'image.not_found']);
  });

  it('needs the scope that reads jobs', async () => {
    const organizationId = await gateway.createOrganization();
    const writer = new ApiClient(
      gateway.baseUrl,
      (await gateway.createKey(organizationId, 'test', ['images:write', 'analysis:write'])).key,
    );
    const answer = await read(await writer.uploadPhoto(photo), writer);
    expect([answer.status, answer.body.code]).toEqual([403, 'auth.scope']);
  });

  it('says that the photo has not come yet, and what it is once it has', async () => {
    const { body: ticket } = expectStatus(201, await client.requestUpload());
    const awaited = expectStatus(200, await read(ticket.imageId));
    expect(awaited.body).toMatchObject({
      imageId: ticket.imageId,
      status: 'awaiting_upload',
      contentType: null,
      sizeBytes: null,
      sha256: null,
      readable: null,
      storedAt: null,
      uploadExpiresAt: ticket.expiresAt,
    });
    expectStatus(200, await client.putPhoto(ticket.uploadUrl, photo, ticket.headers));
    const stored = expectStatus(200, await read(ticket.imageId));
    expect(stored.body).toMatchObject({
      status: 'stored',
      contentType: 'image/jpeg',
      sizeBytes: photo.length,
      sha256: createHash('sha256').update(photo).digest('hex'),
      width: 320,
      height: 240,
      readable: true,
      unreadableReason: null,
      environment: 'test',
    });
    expect(Date.parse(stored.body.storedAt)).toBeGreaterThanOrEqual(Date.parse(stored.body.createdAt));
    expect((await read(ticket.imageId, client, { 'if-none-match': stored.headers.get('etag')! })).status).toBe(304);
    expect((await read(ticket.imageId, client, { 'if-none-match': awaited.headers.get('etag')! })).status).toBe(200);
  });

  it('says why a file cannot be read', async () => {
    const imageId = await client.uploadPhoto(photo.subarray(0, photo.length / 2));
    expect((await read(imageId)).body).toMatchObject({
      status: 'stored',
      contentType: 'image/jpeg',
      readable: false,
      unreadableReason: 'broken',
      width: null,
    });
  });

  it('is where links.image of a job leads, until the photo is erased', async () => {
    const imageId = await client.uploadPhoto(photo);
    const { body: job } = expectStatus(201, await client.createJob({ imageId, subject: { patientId: 'MRN-1' } }));
    expect((await client.request('GET', job.links.image)).body).toMatchObject({ imageId, status: 'stored' });
    expect((await client.request('HEAD', job.links.image)).status).toBe(200);
    const rows = await queryDatabase<{ patient_id: string | null }>(
      gateway.databaseUrl,
      `select patient_id from audit_events where resources = $1 and interaction = 'read'`,
      [[`Media/${imageId}`]],
    );
    expect(rows.map(({ patient_id }) => patient_id !== null)).toEqual([true, true]);
    await client.waitForJob(job.id as string);
    expectStatus(204, await client.request('DELETE', job.links.image));
    const gone = await client.request('GET', job.links.image);
    expect([gone.status, gone.body.code, gone.body.detail]).toEqual([
      410,
      'image.unavailable',
      expect.stringContaining('was erased'),
    ]);
  });
});
