import sharp from 'sharp';
import { drawWoundPhoto } from '../../../test/support/wound-photo.js';
import { lockDownDecoders } from './decoder-lockdown.js';
import { RASTER_MAX_SIDE, rasterSize, readPhotoRaster } from './photo-raster.js';

const MAX_PIXELS = 50_000_000;
const flat = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });

beforeAll(() => lockDownDecoders());

describe('readPhotoRaster', () => {
  it('refuses a photo that is cut off', async () => {
    const jpeg = await flat(300, 200, '#804020').jpeg().toBuffer();
    await expect(readPhotoRaster(jpeg.subarray(0, -1), MAX_PIXELS)).rejects.toThrow();
  });

  it('refuses more pixels than allowed', async () => {
    const png = await flat(300, 200, '#804020').png().toBuffer();
    await expect(readPhotoRaster(png, 300 * 200 - 1)).rejects.toThrow(/pixel limit/);
  });

  it('leaves the pixels of a small photo as they are', async () => {
    const png = await drawWoundPhoto({ width: 320, height: 240, format: 'png' });
    const raster = await readPhotoRaster(png, MAX_PIXELS);
    expect([raster.width, raster.height, raster.photo]).toEqual([320, 240, { widthPx: 320, heightPx: 240 }]);
    expect(Buffer.compare(raster.pixels, await sharp(png).raw().toBuffer())).toBe(0);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('turns a photo of EXIF orientation %d upright', async (orientation) => {
    const upright = await readPhotoRaster(await drawWoundPhoto({ width: 320, height: 240, format: 'png' }), MAX_PIXELS);
    const turned = await readPhotoRaster(
      await drawWoundPhoto({ width: 320, height: 240, format: 'png', orientation }),
      MAX_PIXELS,
    );
    expect([turned.width, turned.height, turned.photo]).toEqual([upright.width, upright.height, upright.photo]);
    expect(Buffer.compare(turned.pixels, upright.pixels)).toBe(0);
  });

  it.each([
    [512, 512, 512, 512],
    [2048, 1536, 2048, 1536],
    [2049, 1000, 2048, 1000],
    [4032, 3024, 2016, 1512],
    [3024, 4032, 1512, 2016],
    [6000, 4000, 2048, 1365],
    [8160, 6120, 2040, 1530],
    [9000, 500, 2048, 114],
  ])('holds a photo of %d × %d in %d × %d', (widthPx, heightPx, width, height) => {
    expect(rasterSize({ widthPx, heightPx })).toEqual({ width, height });
    expect(Math.max(width, height)).toBeLessThanOrEqual(RASTER_MAX_SIDE);
  });

  it('shrinks a large photo to what its pixels say on the average', async () => {
    const raster = await readPhotoRaster(
      await flat(4032, 3024, 'rgb(200, 100, 50)').jpeg({ quality: 95 }).toBuffer(),
      MAX_PIXELS,
    );
    expect([raster.width, raster.height]).toEqual([2016, 1512]);
    [200, 100, 50].forEach((value, channel) =>
      expect(Math.abs(raster.pixels[3_000_000 + channel]! - value)).toBeLessThanOrEqual(3),
    );
  });
});
