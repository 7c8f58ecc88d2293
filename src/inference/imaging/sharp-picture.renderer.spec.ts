import sharp from 'sharp';
import { drawWoundPhoto } from '../../../test/support/wound-photo.js';
import type { PixelPolygon } from '../../core/measurement/wound-result.js';
import type { PhotoView } from '../../core/analysis/photo-view.js';
import { ConcurrencyLimit } from '../../platform/turns/concurrency-limit.js';
import { lockDownDecoders } from './decoder-lockdown.js';
import { drawTissuePicture } from './tissue-picture.js';
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
  frame: { x: 0, y: 0, width: 640, height: 480 },
  size: { widthPx: 640, heightPx: 480 },
  outlines: [{ polygon: outline, number: null, counted: true }],
  thin: false,
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
    const frame = { x: 0, y: 0, width: 2400, height: 1200 };
    const size = { widthPx: 1600, heightPx: 800 };
    const facts = await sharp(await drawn(photo, { outlines: [], frame, size })).metadata();
    expect(facts).toMatchObject({ format: 'jpeg', width: 1600, height: 800 });
  });

  it('shows the part of the photo that was asked for, grey where it ends', async () => {
    const photo = await drawWoundPhoto({ withoutWound: true });
    const frame = { x: -100, y: -50, width: 200, height: 200 };
    const size = { widthPx: 300, heightPx: 300 };
    const part = await drawn(photo, { outlines: [], frame, size });
    expect(await sharp(part).metadata()).toMatchObject({ width: 300, height: 300 });
    const [beyond, skin] = [await pixelAt(part, 70, 200), await pixelAt(part, 230, 200)];
    expect(Math.max(...beyond) - Math.min(...beyond)).toBeLessThan(8);
    expect(skin[0]! - skin[2]!).toBeGreaterThan(40);
  });

  it('draws the outlines of other wounds with gaps', async () => {
    const photo = await drawWoundPhoto({ withoutWound: true });
    const dashedLine = await drawn(photo, { outlines: [{ polygon: outline, number: null, counted: false }] });
    const row = await sharp(dashedLine).extract({ left: 220, top: 100, width: 200, height: 1 }).raw().toBuffer();
    const bright = Array.from({ length: 200 }, (_, x) => Math.min(...row.subarray(3 * x, 3 * x + 3)) > 190);
    expect(bright.filter(Boolean).length).toBeGreaterThan(60);
    expect(bright.filter((one) => !one).length).toBeGreaterThan(40);
  });

  it('puts a number beside its outline: on a dark disc where it counts, on a white one where it does not', async () => {
    const photo = await drawWoundPhoto({ withoutWound: true });
    for (const counted of [true, false]) {
      const numbered = await drawn(photo, { outlines: [{ polygon: outline, number: 1, counted }] });
      const { data, info } = await sharp(numbered)
        .extract({ left: 441, top: 60, width: 60, height: 60 })
        .raw()
        .toBuffer({ resolveWithObject: true });
      const isDisc = (value: number) => (counted ? value < 70 : value > 235);
      const pixels = Array.from({ length: info.width * info.height }, (_, at) => [
        ...data.subarray(3 * at, 3 * at + 3),
      ]);
      expect(pixels.filter((pixel) => pixel.every(isDisc)).length).toBeGreaterThan(50);
    }
  });

  it('has a scale bar as long as it says', async () => {
    const photo = await drawWoundPhoto({ withoutWound: true });
    const bar = await drawn(photo, { outlines: [], scaleBar: { mm: 20, lengthPx: 120 } });
    const { data, info } = await sharp(bar)
      .extract({ left: 0, top: 380, width: 320, height: 100 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const longest = Array.from({ length: info.height }, (_, y) => {
      const white = Array.from(
        { length: info.width },
        (_, x) => data[3 * (y * info.width + x)]! > 200 && data[3 * (y * info.width + x) + 2]! > 200,
      );
      return white.filter(Boolean).length;
    });
    expect(Math.max(...longest)).toBeGreaterThanOrEqual(117);
    expect(Math.max(...longest)).toBeLessThanOrEqual(126);
  });

  it('fills the outlines that count with the tissues of the map, and leaves the rest', async () => {
    const photo = await drawWoundPhoto({ withoutWound: true });
    const numbers = new Uint8Array(320 * 240).map((_, at) => (at % 320 < 160 ? 1 : 3));
    const { bytes: tissueMap } = await drawTissuePicture({ numbers, width: 320, height: 240 });
    const picture = await drawn(photo, { tissueMap });
    const [left, right, outside] = [
      await pixelAt(picture, 240, 200),
      await pixelAt(picture, 409, 208),
      await pixelAt(picture, 100, 200),
    ];
    expect(left[0]! - left[2]!).toBeGreaterThan(80);
    expect(left[1]!).toBeLessThan(120);
    expect(Math.max(...right)).toBeLessThan(110);
    expect(outside[1]!).toBeGreaterThan(150);
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
