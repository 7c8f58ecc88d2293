import sharp from 'sharp';
import type { ImageFormat } from '../../core/images/image.js';
import { ConcurrencyLimit } from '../../platform/turns/concurrency-limit.js';
import { lockDownDecoders } from './decoder-lockdown.js';
import { SharpImageInspector } from './sharp-image.inspector.js';

const MAX_PIXELS = 50_000_000;
const inspector = new SharpImageInspector(MAX_PIXELS, new ConcurrencyLimit(2));
const inspect = (bytes: Uint8Array, format: ImageFormat) => inspector.inspect(() => Promise.resolve(bytes), format);

function draw(width: number, height: number, channels: 1 | 2 | 3 | 4 = 3) {
  const pixels = Buffer.alloc(width * height * channels);
  for (let index = 0; index < pixels.length; index += 1) pixels[index] = (index * 7 + Math.floor(index / width)) & 255;
  return sharp(pixels, { raw: { width, height, channels } });
}

/** An APNG is a PNG with an acTL chunk after the header chunk, which ends at byte 33. */
function withAnimationChunk(png: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from('acTL'), Buffer.alloc(8), Buffer.alloc(4)]);
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

/** A PNG header that promises more than the file holds. */
async function pngClaiming(width: number, height: number): Promise<Buffer> {
  const png = await draw(100, 100).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

beforeAll(() => lockDownDecoders());

describe('SharpImageInspector', () => {
  it.each([0.6, 0.97])('finds a JPEG broken that was cut to %d of its length', async (share) => {
    const jpeg = await draw(640, 480).jpeg().toBuffer();
    expect(await inspect(jpeg.subarray(0, Math.floor(jpeg.length * share)), 'jpeg')).toEqual({
      readable: false,
      format: 'jpeg',
      reason: 'broken',
    });
  });

  it.each([true, false])('finds a JPEG broken that lacks only its last byte (progressive: %s)', async (progressive) => {
    const jpeg = await draw(640, 480).jpeg({ progressive }).toBuffer();
    expect(await inspect(jpeg.subarray(0, -1), 'jpeg')).toMatchObject({ readable: false, reason: 'broken' });
  });

  it.each(['png', 'webp'] as const)('finds a %s broken that was cut off near its end', async (format) => {
    const bytes = await draw(640, 480)[format]().toBuffer();
    expect(await inspect(bytes.subarray(0, Math.floor(bytes.length * 0.97)), format)).toMatchObject({
      readable: false,
      reason: 'broken',
    });
  });

  it.each([
    [3000, { readable: false, reason: 'broken' }],
    [300, { readable: true, widthPx: 640 }],
  ])('with %d empty segments before the pixels of a JPEG says %j, since each takes memory', async (count, verdict) => {
    const jpeg = await draw(640, 480).jpeg().toBuffer();
    const segments = Buffer.alloc(count * 4, Buffer.from('ffe10002', 'hex'));
    const bytes = Buffer.concat([jpeg.subarray(0, 2), segments, jpeg.subarray(2)]);
    expect(await inspect(bytes, 'jpeg')).toMatchObject(verdict);
  });

  it.each([
    [3000, { readable: false, reason: 'broken' }],
    [300, { readable: true, widthPx: 640 }],
  ])('with %d empty segments between the scans of a JPEG says %j', async (count, verdict) => {
    const jpeg = await draw(640, 480).jpeg({ progressive: true }).toBuffer();
    const scan = jpeg.lastIndexOf(Buffer.from('ffda', 'hex'));
    const tables = jpeg.lastIndexOf(Buffer.from('ffc4', 'hex'), scan);
    const segments = Buffer.alloc(count * 4, Buffer.from('ffe10002', 'hex'));
    const bytes = Buffer.concat([jpeg.subarray(0, tables), segments, jpeg.subarray(tables)]);
    expect(await inspect(bytes, 'jpeg')).toMatchObject(verdict);
  });

  it('takes no bytes behind the picture for segments of it', async () => {
    const jpeg = await draw(640, 480).jpeg().toBuffer();
    const appended = Buffer.alloc(12_000, Buffer.from('ffe10002', 'hex'));
    expect(await inspect(Buffer.concat([jpeg, appended]), 'jpeg')).toMatchObject({ readable: true });
  });

  it('finds bytes broken that only begin like a picture', async () => {
    expect(
      await inspect(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('no picture')]), 'jpeg'),
    ).toMatchObject({ reason: 'broken' });
    expect(await inspect(new Uint8Array(), 'jpeg')).toMatchObject({ reason: 'broken' });
  });

  it('refuses an animated WebP', async () => {
    const frames = await Promise.all(
      [1, 2].map((value) =>
        sharp(Buffer.alloc(100 * 100 * 3, value * 80), { raw: { width: 100, height: 100, channels: 3 } })
          .png()
          .toBuffer(),
      ),
    );
    const webp = await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer();
    expect(await inspect(webp, 'webp')).toEqual({ readable: false, format: 'webp', reason: 'animated' });
  });

  it('refuses an animated PNG', async () => {
    expect(await inspect(withAnimationChunk(await draw(100, 100).png().toBuffer()), 'png')).toMatchObject({
      reason: 'animated',
    });
  });

  it.each([
    [20_000, 20_000],
    [65_535, 65_535],
  ])('refuses a header of %d × %d pixels without decoding', async (width, height) => {
    expect(await inspect(await pngClaiming(width, height), 'png')).toMatchObject({
      readable: false,
      reason: 'too_many_pixels',
    });
  });

  it.each([
    [1, 1],
    [63, 640],
    [640, 63],
  ])('refuses %d × %d pixels as too small', async (width, height) => {
    expect(await inspect(await draw(width, height).png().toBuffer(), 'png')).toMatchObject({ reason: 'too_small' });
  });

  it('refuses more than 20 times as long as wide', async () => {
    expect(await inspect(await draw(64, 1281).png().toBuffer(), 'png')).toMatchObject({ reason: 'too_narrow' });
    expect(await inspect(await draw(64, 1280).png().toBuffer(), 'png')).toMatchObject({ readable: true });
  });

  it('cannot be brought to read SVG, GIF, TIFF or AVIF', async () => {
    const others = [draw(100, 100).gif(), draw(100, 100).tiff(), draw(100, 100).avif({ effort: 0 })];
    const files = await Promise.all(others.map((picture) => picture.toBuffer()));
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>');
    for (const bytes of [...files, svg]) {
      expect(await inspect(bytes, 'jpeg')).toMatchObject({ readable: false, reason: 'broken' });
    }
  });

  it.each(['jpeg', 'png', 'webp'] as const)('reads a %s', async (format) => {
    const bytes = await draw(640, 480)[format]().toBuffer();
    expect(await inspect(bytes, format)).toEqual({ readable: true, format, widthPx: 640, heightPx: 480 });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('says the size after the EXIF orientation %d', async (orientation) => {
    const bytes = await draw(640, 480).withMetadata({ orientation }).jpeg().toBuffer();
    const [widthPx, heightPx] = orientation >= 5 ? [480, 640] : [640, 480];
    expect(await inspect(bytes, 'jpeg')).toEqual({ readable: true, format: 'jpeg', widthPx, heightPx });
  });

  it('reads a CMYK JPEG, 16-bit and grey PNGs, alpha, and a JPEG with something appended', async () => {
    const jpeg = await draw(100, 100).jpeg().toBuffer();
    const files: [Buffer, ImageFormat][] = [
      [await draw(100, 100).toColourspace('cmyk').jpeg().toBuffer(), 'jpeg'],
      [await draw(100, 100).toColourspace('rgb16').png().toBuffer(), 'png'],
      [await draw(100, 100, 1).png().toBuffer(), 'png'],
      [await draw(100, 100, 4).png().toBuffer(), 'png'],
      [Buffer.concat([jpeg, Buffer.from('PK\u0003\u0004 an archive')]), 'jpeg'],
    ];
    for (const [bytes, format] of files)
      expect(await inspect(bytes, format)).toMatchObject({ readable: true, widthPx: 100, heightPx: 100 });
  });

  it('reads 49 megapixels', async () => {
    const bytes = await sharp({ create: { width: 7000, height: 7000, channels: 3, background: '#803020' } })
      .png()
      .toBuffer();
    expect(await inspect(bytes, 'png')).toMatchObject({ readable: true, widthPx: 7000 });
  });
});
