import sharp from 'sharp';
import { drawWoundPhoto } from '../../../test/support/wound-photo.js';
import type { PixelPolygon } from '../../core/measurement/wound-result.js';
import type { PhotoView } from '../../core/analysis/photo-view.js';
import { ConcurrencyLimit } from '../../platform/concurrency-limit.js';
import { lockDownDecoders } from './decoder-lockdown.js';
import { SharpPictureRenderer } from './sharp-picture.renderer.js';

const renderer = new SharpPictureRenderer(50_000_000, new ConcurrencyLimit(2));
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

const wholePhoto: PhotoView = {
  frame: null,
  mostSidePx: 1600,
  outlines: [{ polygon: outline, number: null, counted: true }],
  distances: [],
  scaleBar: null,
  tissueMap: null,
};

async function drawn(photo: Uint8Array, wish: Partial<PhotoView> = {}): Promise<Uint8Array> {
  const [picture] = await renderer.draw(photo, [{ ...wholePhoto, ...wish }]);
  return picture!.bytes;
}

describe('SharpPictureRenderer', () => {
  it('carries no metadata of the photo', async () => {
    const photo = await drawWoundPhoto({ orientation: 6, description: 'MARKER-NAME' });
    const overlay = await drawn(photo);
    const facts = await sharp(overlay).metadata();
    expect([facts.exif, facts.xmp, facts.icc, facts.orientation]).toEqual([undefined, undefined, undefined, undefined]);
    expect(Buffer.from(overlay).includes('MARKER-NAME')).toBe(false);
  });

  it.each([1, 6])('is the upright photo of the size it describes (orientation %d)', async (orientation) => {
    const [width, height] = orientation === 6 ? [1200, 2400] : [2400, 1200];
    const photo = await sharp({ create: { width, height, channels: 3, background: '#dcb498' } })
      .withMetadata({ orientation })
      .jpeg()
      .toBuffer();
    const facts = await sharp(await drawn(photo, { outlines: [] })).metadata();
    expect(facts).toMatchObject({ format: 'jpeg', width: 1600, height: 800 });
  });

  it('draws a bright line with dark sides along the outline and leaves the rest as it was', async () => {
    const overlay = await drawn(await drawWoundPhoto({ withoutWound: true }));
    const onLine = await pixelAt(overlay, 320, 100);
    const besides = await pixelAt(overlay, 320, 98);
    const inside = await pixelAt(overlay, 320, 200);
    expect(Math.min(...onLine)).toBeGreaterThan(180);
    expect(Math.max(...besides)).toBeLessThan(150);
    expect(inside[0]).toBeGreaterThan(180);
    expect(inside[2]).toBeLessThan(180);
  });
});
