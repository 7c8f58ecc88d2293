import sharp from 'sharp';
import type { ApiClient } from '../../support/api-client.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto, WOUND_SHARE } from '../../support/wound-photo.js';

const WIDTH = 640;
const HEIGHT = 480;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a photo from upload to result', () => {
  let gateway: SharedGateway;
  let client: ApiClient;

  beforeAll(async () => {
    gateway = await sharedGateway();
    client = await gateway.createClient();
  });

  it('hands out an upload address, takes the photo, and answers the job as the contract says', async () => {
    const ticket = await client.requestUpload();
    expect(ticket.status).toBe(201);
    expect(ticket.body).toMatchObject({
      imageId: expect.stringMatching(UUID_V7),
      method: 'PUT',
      maxBytes: 20 * 1024 * 1024,
    });
    expect(Date.parse(ticket.body.expiresAt) - Date.parse(ticket.headers.get('date')!)).toBeGreaterThan(800_000);
    expect(ticket.headers.get('x-request-id')).toBeTruthy();

    const put = await client.putPhoto(ticket.body.uploadUrl, await drawWoundPhoto(), ticket.body.headers);
    expect(put.status).toBe(200);
    expect(put.bytes).toHaveLength(0);
    expect(put.headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/);

    const created = await client.createJob({ imageId: ticket.body.imageId, clinicalContext: 'heel, third week' });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toMatch(new RegExp(`/api/v1/analysis/jobs/${created.body.id}$`));
    expect(Number(created.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(created.body).toMatchObject({
      id: expect.stringMatching(UUID_V7),
      status: 'queued',
      imageId: ticket.body.imageId,
      environment: 'test',
      attempts: 0,
    });
    expect(created.body).not.toHaveProperty('result');

    const job = await client.waitForJob(created.body.id);
    expect(job).toMatchObject({ status: 'completed', clinicalContext: 'heel, third week', attempts: 1 });
    expect(job).not.toHaveProperty('error');
    expect(Date.parse(job.completedAt)).toBeGreaterThanOrEqual(Date.parse(job.startedAt));
  });

  it('measures the wound in pixels, and says that nothing is known in centimetres', async () => {
    const { result } = await client.analyse(await drawWoundPhoto({ seed: 2 }));
    expect(result).toMatchObject({
      schemaVersion: '1.0',
      woundDetected: true,
      scale: { source: 'none', mmPerPixel: null },
    });
    expect(result.quality.warnings).toContain('no_scale');
    const [wound] = result.wounds;
    expect(wound.area.cm2).toBeNull();
    expect([wound.length.cm, wound.width.cm, wound.perimeter.cm]).toEqual([null, null, null]);

    const drawnArea = (Math.PI * (WIDTH * WOUND_SHARE.width * HEIGHT * WOUND_SHARE.height)) / 4;
    expect(wound.area.pixels / drawnArea).toBeGreaterThan(0.85);
    expect(wound.area.pixels / drawnArea).toBeLessThan(1.15);
    expect(wound.length.pixels).toBeGreaterThan(wound.width.pixels);
    expect(result.totals.woundCount).toBe(result.wounds.length);
    expect(wound.area.pixelBounds.lower).toBeLessThan(wound.area.pixels);
    expect(wound.area.pixelBounds.upper).toBeGreaterThan(wound.area.pixels);
    for (const confidence of [result.confidence, wound.confidence]) expect(confidence).toBeGreaterThan(0.5);
    expect(result.quality).toMatchObject({
      acceptable: true,
      sharpness: expect.any(Number),
      exposure: expect.any(Number),
      glareShare: 0,
    });
    expect(result.scores).toBeNull();
  });

  it('outlines the wound with closed rings inside the photo', async () => {
    const { result } = await client.analyse(await drawWoundPhoto({ seed: 3 }));
    const { contour, boundingBox } = result.wounds[0];
    expect(contour.type).toBe('Polygon');
    for (const ring of contour.coordinates as [number, number][][]) {
      expect(ring.length).toBeGreaterThanOrEqual(4);
      expect(ring.at(-1)).toEqual(ring[0]);
      for (const [x, y] of ring) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(WIDTH);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(HEIGHT);
      }
    }
    expect(boundingBox.x + boundingBox.width).toBeLessThanOrEqual(WIDTH);
    expect(boundingBox.y + boundingBox.height).toBeLessThanOrEqual(HEIGHT);
  });

  it('gives centimetres that follow from the scale the caller states', async () => {
    const mmPerPixel = 0.25;
    const { result } = await client.analyse(await drawWoundPhoto({ seed: 4 }), { calibration: { mmPerPixel } });
    expect(result.scale).toMatchObject({ source: 'client', mmPerPixel });
    expect(result.quality.warnings).not.toContain('no_scale');
    const [wound] = result.wounds;
    expect(wound.area.cm2.value).toBeCloseTo((wound.area.pixels * mmPerPixel ** 2) / 100, 1);
    for (const { value, lower, upper } of [wound.area.cm2, wound.length.cm, wound.width.cm, wound.perimeter.cm]) {
      expect(lower).toBeLessThan(value);
      expect(upper).toBeGreaterThan(value);
    }
    expect(wound.length.cm.value).toBeCloseTo((wound.length.pixels * mmPerPixel) / 10, 1);
    expect(wound.perimeter.cm.value).toBeCloseTo((wound.perimeter.pixels * mmPerPixel) / 10, 1);
  });

  it('serves a mask of the photo’s size whose white pixels are the measured area', async () => {
    const job = await client.analyse(await drawWoundPhoto({ seed: 5 }));
    const { mask } = job.result.artifacts;
    expect(mask.url).toBe(`${gateway.baseUrl}/api/v1/analysis/jobs/${job.id}/artifacts/mask`);
    const answer = await client.request('GET', mask.url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');

    expect(await sharp(answer.bytes).metadata()).toMatchObject({
      format: 'png',
      width: WIDTH,
      height: HEIGHT,
      channels: 1,
      depth: 'uchar',
    });
    const data = await sharp(answer.bytes).toColourspace('b-w').raw().toBuffer();
    const counts = new Map<number, number>();
    for (const value of data) counts.set(value, (counts.get(value) ?? 0) + 1);
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([0, 255]);
    const areaPixels = job.result.wounds.reduce(
      (sum: number, wound: { area: { pixels: number } }) => sum + wound.area.pixels,
      0,
    );
    expect(Math.abs((counts.get(255) ?? 0) - areaPixels) / areaPixels).toBeLessThan(0.05);
  });

  it('serves an overlay that carries nothing of the original’s metadata', async () => {
    const job = await client.analyse(await drawWoundPhoto({ seed: 6, description: 'Doe, Jane; room 12' }));
    const { overlay } = job.result.artifacts;
    const answer = await client.request('GET', overlay.url);
    expect(answer.status).toBe(200);
    const metadata = await sharp(answer.bytes).metadata();
    expect(metadata).toMatchObject({ format: 'jpeg', width: overlay.width, height: overlay.height });
    expect([metadata.exif, metadata.xmp, metadata.iptc]).toEqual([undefined, undefined, undefined]);
    expect(answer.bytes.toString('latin1')).not.toContain('Doe, Jane');
  });

  it.each([3, 6, 8])('reads a photo with EXIF orientation %i as a person sees it', async (orientation) => {
    const { result, id } = await client.analyse(await drawWoundPhoto({ seed: 7, orientation }));
    const upright = await client.analyse(await drawWoundPhoto({ seed: 7 }));
    const turned = result.wounds[0].boundingBox;
    const straight = upright.result.wounds[0].boundingBox;
    for (const side of ['x', 'y', 'width', 'height'])
      expect(Math.abs(turned[side] - straight[side])).toBeLessThanOrEqual(6);
    const mask = await client.request('GET', `/api/v1/analysis/jobs/${id}/artifacts/mask`);
    expect(await sharp(mask.bytes).metadata()).toMatchObject({ width: WIDTH, height: HEIGHT });
  });

  it.each(['png', 'webp'] as const)('takes a %s', async (format) => {
    const job = await client.analyse(await drawWoundPhoto({ seed: 8, format }));
    expect(job.result.woundDetected).toBe(true);
  });

  it('completes a photo without a wound, and claims nothing about it', async () => {
    const job = await client.analyse(await drawWoundPhoto({ seed: 9, withoutWound: true }));
    expect(job).toMatchObject({
      status: 'completed',
      result: { woundDetected: false, wounds: [], totals: { woundCount: 0 } },
    });
    expect(job.result.quality.warnings).toContain('no_wound');
  });

  it('names the model, its checksum and how it ran', async () => {
    const { result } = await client.analyse(await drawWoundPhoto({ seed: 10 }));
    expect(result.trace).toMatchObject({
      models: [
        {
          name: 'wound-segmentation',
          version: '0.0.1',
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          researchOnly: true,
          task: 'wound-segmentation',
        },
      ],
      executionProvider: 'cpu',
      thresholds: { probability: 0.5 },
    });
    expect(Object.keys(result.trace.timingsMs).length).toBeGreaterThan(0);
  });
});
