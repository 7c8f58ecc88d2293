import { createHash, randomUUID } from 'node:crypto';
import type { ApiClient } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('quota and repeated requests', () => {
  let gateway: SharedGateway;
  let photo: Buffer;

  beforeAll(async () => {
    gateway = await sharedGateway();
    photo = await drawWoundPhoto({ width: 320, height: 240 });
  });

  const usageOf = async (client: ApiClient) => (await client.request('GET', '/api/v1/usage')).body;

  it('refuses the 26th analysis of a free day and says when the next is possible', async () => {
    const client = await gateway.createClient('free');
    const imageId = await client.uploadPhoto(photo);
    const fill =
      'update quota_usage set used = 22 where organization_id = (select organization_id from images where id = $1)';
    for (const count of [1, 2, 23, 24, 25]) {
      // Twenty in between are not analysed for this.
      if (count === 23) await queryDatabase(gateway.databaseUrl, fill, [imageId]);
      const created = await client.createJob({ imageId });
      expect(created.status).toBe(201);
      expect(created.headers.get('ratelimit-policy')).toBe('"daily";q=25;w=86400');
      expect(created.headers.get('ratelimit')).toMatch(new RegExp(`^"daily";r=${25 - count};t=\\d+$`));
    }
    const refused = await client.createJob({ imageId });
    expect([refused.status, refused.body.code]).toEqual([429, 'quota.exceeded']);
    const resetsInS = Number(refused.headers.get('retry-after'));
    expect(resetsInS).toBeGreaterThan(0);
    expect(resetsInS).toBeLessThanOrEqual(86_400);
    expect(refused.headers.get('ratelimit')).toMatch(/^"daily";r=0;t=\d+$/);
    expect(await usageOf(client)).toMatchObject({ limit: 25, used: 25, remaining: 0 });
  });

  it('charges nothing for a refusal, an upload address or a read', async () => {
    const client = await gateway.createClient();
    const { body: ticket } = await client.requestUpload();
    const tooEarly = await client.createJob({ imageId: ticket.imageId });
    expect([tooEarly.status, tooEarly.body.code]).toEqual([409, 'image.not_uploaded']);
    const unknown = await client.createJob({ imageId: randomUUID() });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'image.not_found']);
    const unreadable = await client.createJob({
      imageId: await client.uploadPhoto(photo.subarray(0, photo.length * 0.6)),
    });
    expect([unreadable.status, unreadable.body.code]).toEqual([422, 'image.unreadable']);
    expect(await usageOf(client)).toMatchObject({ limit: 20_000, used: 0 });
  });

  it('answers a repeated key with the first answer and one charge, also after the job ended', async () => {
    const client = await gateway.createClient();
    const body = { imageId: await client.uploadPhoto(photo), clinicalContext: 'week 2' };
    const first = await client.createJob(body, { 'idempotency-key': '"order-1"' });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    await client.waitForJob(first.body.id);
    const again = await client.createJob(body, { 'idempotency-key': 'order-1' });
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await usageOf(client)).toMatchObject({ used: 1 });
  });

  it('refuses a key that was used for another body', async () => {
    const client = await gateway.createClient();
    const imageId = await client.uploadPhoto(photo);
    await client.createJob({ imageId }, { 'idempotency-key': 'order-2' });
    const other = await client.createJob({ imageId, clinicalContext: 'changed' }, { 'idempotency-key': 'order-2' });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency.mismatch']);
    expect(await usageOf(client)).toMatchObject({ used: 1 });
  });

  it('lets a refused request be tried again under its key', async () => {
    const client = await gateway.createClient();
    const { body: ticket } = await client.requestUpload();
    const early = await client.createJob({ imageId: ticket.imageId }, { 'idempotency-key': 'order-3' });
    expect(early.status).toBe(409);
    await client.putPhoto(ticket.uploadUrl, photo, ticket.headers);
    const later = await client.createJob({ imageId: ticket.imageId }, { 'idempotency-key': 'order-3' });
    expect([later.status, later.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  it('keeps keys apart by organization and route, and holds across a rotation of the API key', async () => {
    const [one, two] = [await gateway.createClient(), await gateway.createClient()];
    const header = { 'idempotency-key': 'same-text' };
    const first = await one.createJob({ imageId: await one.uploadPhoto(photo) }, header);
    const second = await two.createJob({ imageId: await two.uploadPhoto(photo) }, header);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).not.toBe(first.body.id);
    const upload = await one.requestUpload({}, header);
    const uploadAgain = await one.requestUpload({}, header);
    expect([upload.status, uploadAgain.status]).toEqual([201, 201]);
    expect(uploadAgain.body.imageId).toBe(upload.body.imageId);
  });

  describe('a photo that is sent again', () => {
    const VISIT = { capturedAt: '2026-03-15T09:40:00Z', subject: { patientId: 'MRN-1', woundId: 'W-1' } };

    it('is refused with another scale, which names the first job', async () => {
      const client = await gateway.createClient();
      const first = await client.startJob({ imageId: await client.uploadPhoto(photo), ...VISIT });
      const imageId = await client.uploadPhoto(photo);
      const again = await client.createJob({ imageId, ...VISIT, calibration: { mmPerPixel: 0.2 } });
      expect([again.status, again.body.code]).toEqual([409, 'job.repeated']);
      expect(again.body.detail).toContain(first.id);
      expect(await usageOf(client)).toMatchObject({ used: 1 });
    });

    it('is the first job where wound and moment are the same, charged once, however many come at once', async () => {
      const client = await gateway.createClient();
      const images = await Promise.all([1, 2, 3, 4].map(() => client.uploadPhoto(photo)));
      const made = await Promise.all(images.map((imageId) => client.createJob({ imageId, ...VISIT })));
      expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
      expect(made.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(3);
      expect(await usageOf(client)).toMatchObject({ used: 1 });
    });

    it.each<[string, object]>([
      ['of another moment', { capturedAt: '2026-03-16T09:40:00Z' }],
      ['of another wound', { subject: { ...VISIT.subject, woundId: 'W-2' } }],
      ['of another patient', { subject: { ...VISIT.subject, patientId: 'MRN-2' } }],
      ['of a moment that nobody states', { capturedAt: undefined }],
    ])('is another job %s', async (_, more) => {
      const client = await gateway.createClient();
      const first = await client.startJob({ imageId: await client.uploadPhoto(photo), ...VISIT });
      const second = await client.startJob({ imageId: await client.uploadPhoto(photo), ...VISIT, ...more });
      expect(second.id).not.toBe(first.id);
    });

    it('under the key of the whole flow is the first answer, although it was uploaded again', async () => {
      const client = await gateway.createClient();
      const flow = async () =>
        client.createJob({ imageId: await client.uploadPhoto(photo) }, { 'idempotency-key': 'visit-1' });
      const first = await flow();
      const again = await flow();
      expect([again.status, again.body.id]).toEqual([201, first.body.id]);
      const other = await client.createJob(
        { imageId: await client.uploadPhoto(await drawWoundPhoto({ seed: 7 })) },
        { 'idempotency-key': 'visit-1' },
      );
      expect([other.status, other.body.code]).toEqual([422, 'idempotency.mismatch']);
      expect(await usageOf(client)).toMatchObject({ used: 1 });
    });
  });

  it('takes the same bytes twice and refuses other bytes for the same image', async () => {
    const client = await gateway.createClient();
    const sha256 = createHash('sha256').update(photo).digest('hex');
    const { body: ticket } = await client.requestUpload({
      contentType: 'image/jpeg',
      contentLength: photo.length,
      sha256,
    });
    const put = () => client.putPhoto(ticket.uploadUrl, photo, ticket.headers);
    expect([(await put()).status, (await put()).status]).toEqual([200, 200]);
    const { body: open } = await client.requestUpload();
    await client.putPhoto(open.uploadUrl, photo, open.headers);
    const other = await client.putPhoto(open.uploadUrl, await drawWoundPhoto({ seed: 99 }), open.headers);
    expect([other.status, other.body.code]).toEqual([409, 'image.already_uploaded']);
  });
});
