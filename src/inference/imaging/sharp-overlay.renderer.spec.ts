import sharp from 'sharp';
import { drawWoundPhoto } from '../../../test/support/wound-photo.js';
import type { PixelPolygon } from '../../core/measurement/wound-result.js';
import { ConcurrencyLimit } from '../../platform/concurrency-limit.js';
import { lockDownDecoders } from './decoder-lockdown.js';
import { SharpOverlayRenderer } from './sharp-overlay.renderer.js';

const renderer = new SharpOverlayRenderer(50_000_000, new ConcurrencyLimit(2));
const outline: PixelPolygon = {
  type: 'Polygon',
  coordinates: [
    [
      [200, 100],
      [440, 100],
      [440, 300],
      [200, 300],
      [200, 100],
    ],
  ],
};

async function pixelAt(jpeg: Uint8Array, x: number, y: number): Promise<number[]> {
  return [...(await sharp(jpeg).extract({ left: x, top: y, width: 1, height: 1 }).raw().toBuffer())];
}

beforeAll(() => lockDownDecoders());

describe('SharpOverlayRenderer', () => {
  it('carries no metadata of the photo', async () => {
    const photo = await drawWoundPhoto({ orientation: 6, description: 'MARKER-NAME' });
    const overlay = await renderer.render(photo, [outline]);
    const facts = await sharp(overlay).metadata();
    expect([facts.exif, facts.xmp, facts.icc, facts.orientation]).toEqual([undefined, undefined, undefined, undefined]);
    expect(Buffer.from(overlay).includes('MARKER-NAME')).toBe(false);
  });

  it.each([
    [4000, 3000, 1600, 1200],
    [300, 4000, 120, 1600],
    [640, 480, 640, 480],
  ])('describes %d × %d as %d × %d', (width, height, expectedWidth, expectedHeight) => {
    expect(renderer.describe(width, height)).toEqual({
      contentType: 'image/jpeg',
      width: expectedWidth,
      height: expectedHeight,
    });
  });

  it.each([1, 6])('is the upright photo of the size it describes (orientation %d)', async (orientation) => {
    const [width, height] = orientation === 6 ? [1200, 2400] : [2400, 1200];
    const photo = await sharp({ create: { width, height, channels: 3, background: '#dcb498' } })
      .withMetadata({ orientation })
      .jpeg()
      .toBuffer();
    const facts = await sharp(await renderer.render(photo, [])).metadata();
    expect(facts).toMatchObject({ format: 'jpeg', width: 1600, height: 800 });
  });

  it('draws a bright line with dark sides along the outline and leaves the rest as it was', async () => {
    const overlay = await renderer.render(await drawWoundPhoto({ withoutWound: true }), [outline]);
    const onLine = await pixelAt(overlay, 320, 100);
    const besides = await pixelAt(overlay, 320, 98);
    const inside = await pixelAt(overlay, 320, 200);
    expect(Math.min(...onLine)).toBeGreaterThan(180);
    expect(Math.max(...besides)).toBeLessThan(150);
    expect(inside[0]).toBeGreaterThan(180);
    expect(inside[2]).toBeLessThan(180);
  });
});
