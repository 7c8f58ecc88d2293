import { expectStatus } from '../../support/api-client.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('a photo that lost bytes on its way', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;
  let damaged: Buffer;

  beforeAll(async () => {
    gateway = await sharedGateway();
    hospital = await Hl7Hospital.open(gateway);
    damaged = await drawWoundPhoto();
    const middle = Math.floor(damaged.length / 2);
    damaged.fill(0, middle, middle + 512);
  });
  afterAll(async () => {
    await hospital?.close();
  });

  it('is taken by its signed address, says that it cannot be analysed, and gets no job', async () => {
    const { client } = hospital;
    const imageId = await client.uploadPhoto(damaged);
    const image = expectStatus(200, await client.request('GET', `/api/v1/images/${imageId}`)).body;
    expect([image.readable, image.unreadableReason]).toEqual([false, 'damaged']);
    const refused = expectStatus(422, await client.createJob({ imageId }));
    expect([refused.body.code, refused.body.detail]).toEqual([
      'image.damaged',
      expect.stringContaining('would be measured wrongly'),
    ]);
  });

  it('is refused in a Media and as a Binary, at its place', async () => {
    const media = {
      resourceType: 'Media',
      status: 'completed',
      content: { contentType: 'image/jpeg', data: damaged.toString('base64') },
    };
    const asMedia = expectStatus(422, await hospital.client.request('POST', '/fhir/Media', { json: media }));
    expect(asMedia.body.issue).toEqual([
      expect.objectContaining({ code: 'value', expression: ['Media.content.data'] }),
    ]);
    expect(asMedia.body.issue[0].details.coding[0].code).toBe('image-damaged');
    const headers = { 'content-type': 'image/jpeg' };
    const asBinary = await hospital.client.request('POST', '/fhir/Binary', { bytes: damaged, headers });
    expect(expectStatus(422, asBinary).body.issue[0].details.coding[0].code).toBe('image-damaged');
  });

  it.each(['OMG', 'ORU'] as const)('is refused in a message (%s), which leaves nothing', async (kind) => {
    const answer = await hospital.send(orderMessage({ order: `DAMAGED-${kind}`, photo: damaged, kind }));
    expect(fieldOf(answer!, 'MSA', 1)).toBe('AE');
    expect(answer).toContain('image.damaged');
    const orders = await hospital.client.request('GET', `/fhir/ServiceRequest?identifier=DAMAGED-${kind}`);
    expect(expectStatus(200, orders).body.entry ?? []).toEqual([]);
  });
});
