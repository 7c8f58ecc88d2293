import { createHash } from 'node:crypto';
import { S3Peer } from '../../peers/s3-peer.js';
import { expectStatus, send, type ApiClient } from '../../support/api-client.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('a gateway with S3-compatible storage', () => {
  let peer: S3Peer;
  let gateway: Gateway;
  let client: ApiClient;

  beforeAll(async () => {
    peer = await S3Peer.start();
    gateway = await startGateway({ env: { ...peer.environment, SUTURA_MAX_IMAGE_BYTES: '200000' } });
    client = await gateway.createClient();
  });

  afterAll(async () => {
    await gateway?.stop();
    await peer?.stop();
  });

  it('has no upload endpoint of its own', async () => {
    const answer = await send(
      'PUT',
      `${gateway.baseUrl}/storage/uploads/01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f?signature=x`,
      { bytes: Buffer.from('x') },
    );
    expect([answer.status, answer.body.code]).toEqual([404, 'route.not_found']);
  });

  it('refuses a job before the photo came', async () => {
    const ticket = expectStatus(201, await client.requestUpload());
    const answer = await client.createJob({ imageId: ticket.body.imageId });
    expect([answer.status, answer.body.code]).toEqual([409, 'image.not_uploaded']);
  });

  it.each([
    ['no picture', Buffer.from('not a picture at all'), 415, 'image.type'],
    [
      'too large',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(200_000)]),
      413,
      'image.too_large',
    ],
    ['broken', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(20_000)]), 422, 'image.unreadable'],
  ])('judges what the store took when a job is created: %s', async (_, bytes, status, code) => {
    const imageId = await client.uploadPhoto(bytes);
    const answer = await client.createJob({ imageId });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  describe('whose store takes whatever headers come with a signed address', () => {
    beforeAll(() => {
      peer.comparesHeaders = false;
    });
    afterAll(() => {
      peer.comparesHeaders = true;
    });

    it.each([
      ['type', { contentType: 'image/png' }, { 'Content-Type': 'image/jpeg' }],
      ['length', { contentLength: 17 }, {}],
    ])(
      'refuses a photo of another %s than announced when a job is created, as local storage does with the upload',
      async (_, announced, sent) => {
        const { body: ticket } = expectStatus(201, await client.requestUpload(announced));
        expectStatus(
          200,
          await client.putPhoto(ticket.uploadUrl, await drawWoundPhoto({ width: 320, height: 240 }), sent),
        );
        const answer = await client.createJob({ imageId: ticket.imageId });
        expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
          403,
          'upload.signature',
          expect.stringContaining('Request a new upload URL'),
        ]);
        const overFhir = await client.request('POST', '/fhir/Media', {
          json: {
            resourceType: 'Media',
            status: 'completed',
            content: { contentType: 'image/jpeg', url: `Binary/${ticket.imageId}` },
          },
          headers: { 'content-type': 'application/fhir+json' },
        });
        expect([overFhir.status, overFhir.body.issue[0].details.coding[0].code]).toEqual([422, 'fhir-image']);
      },
    );

    it('takes a photo whose type is the announced one, however it is written', async () => {
      const { body: ticket } = expectStatus(201, await client.requestUpload({ contentType: 'image/jpeg' }));
      expectStatus(
        200,
        await client.putPhoto(ticket.uploadUrl, await drawWoundPhoto({ width: 320, height: 240 }), {
          'Content-Type': 'IMAGE/JPEG; charset=binary',
        }),
      );
      expectStatus(201, await client.createJob({ imageId: ticket.imageId }));
    });
  });

  it('analyses a photo, keeps its pictures in the bucket and redirects to them', async () => {
    const photo = await drawWoundPhoto({ width: 320, height: 240 });
    const sha256 = createHash('sha256').update(photo).digest('hex');
    const ticket = expectStatus(
      201,
      await client.requestUpload({ contentType: 'image/jpeg', contentLength: photo.length, sha256 }),
    );
    expectStatus(200, await client.putPhoto(ticket.body.uploadUrl, photo, ticket.body.headers));
    const { imageId } = ticket.body;
    const job = await client.waitForJob((await client.startJob({ imageId })).id);
    expect(job).toMatchObject({ status: 'completed', imageId });
    for (const [name, type] of [
      ['mask', 'image/png'],
      ['overlay', job.result.artifacts.overlay.contentType],
    ]) {
      const redirect = await client.request('GET', `/api/v1/analysis/jobs/${job.id}/artifacts/${name}`);
      expect(redirect.status).toBe(302);
      const picture = await send('GET', redirect.headers.get('location') ?? '');
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, type]);
    }
    expect([...peer.objects.keys()].filter((key) => key.startsWith(`images/${imageId}/`))).toHaveLength(3);

    expectStatus(204, await client.request('DELETE', `/api/v1/images/${imageId}`));
    expect([...peer.objects.keys()].filter((key) => key.startsWith(`images/${imageId}/`))).toEqual([]);
  });
});
