import sharp from 'sharp';
import { drawWoundPhoto } from '../../../test/support/wound-photo.js';
import { lockDownDecoders } from './decoder-lockdown.js';
import { readPhotoTensor, type PhotoTensor } from './photo-tensor.js';

const SHAPE = { width: 128, height: 128, mean: [0.5, 0.4, 0.3], std: [0.25, 0.2, 0.1] };
const PLANE = SHAPE.width * SHAPE.height;
const MAX_PIXELS = 50_000_000;

const flat = (width: number, height: number, background: string) => sharp({ create: { width, height, channels: 3, background } });
const at = ({ values }: PhotoTensor, channel: number, x: number, y: number) => values[channel * PLANE + y * SHAPE.width + x]!;
const normalised = (value: number, channel: number) => (value / 255 - SHAPE.mean[channel]!) / SHAPE.std[channel]!;

beforeAll(() => lockDownDecoders());

describe('readPhotoTensor', () => {
  it('refuses a photo that is cut off', async () => {
    const jpeg = await flat(300, 200, '#804020').jpeg().toBuffer();
    await expect(readPhotoTensor(jpeg.subarray(0, -1), SHAPE, MAX_PIXELS)).rejects.toThrow();
  });

  it('refuses more pixels than allowed', async () => {
    const png = await flat(300, 200, '#804020').png().toBuffer();
    await expect(readPhotoTensor(png, SHAPE, 300 * 200 - 1)).rejects.toThrow(/pixel limit/);
  });

  it('normalises each channel and surrounds the photo with black', async () => {
    const tensor = await readPhotoTensor(await flat(256, 128, 'rgb(200, 100, 50)').png().toBuffer(), SHAPE, MAX_PIXELS);
    expect(tensor.content).toEqual({ x: 0, y: 32, width: 128, height: 64 });
    expect(tensor.photo).toEqual({ widthPx: 256, heightPx: 128 });
    [200, 100, 50].forEach((value, channel) => {
      expect(at(tensor, channel, 64, 64)).toBeCloseTo(normalised(value, channel), 4);
      expect(at(tensor, channel, 0, 32)).toBeCloseTo(normalised(value, channel), 4);
      expect(at(tensor, channel, 64, 31)).toBeCloseTo(normalised(0, channel), 4);
      expect(at(tensor, channel, 64, 96)).toBeCloseTo(normalised(0, channel), 4);
    });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('turns a photo of EXIF orientation %d upright', async (orientation) => {
    const upright = await readPhotoTensor(await drawWoundPhoto({ width: 320, height: 240, format: 'png' }), SHAPE, MAX_PIXELS);
    const turned = await readPhotoTensor(await drawWoundPhoto({ width: 320, height: 240, format: 'png', orientation }), SHAPE, MAX_PIXELS);
    expect(turned.photo).toEqual(upright.photo);
    expect(turned.content).toEqual(upright.content);
    const worst = upright.values.reduce((most, value, index) => Math.max(most, Math.abs(value - turned.values[index]!)), 0);
    expect(worst).toBeLessThan(0.25);
  });

  it('reads grey, 16-bit and CMYK photos as sRGB, and transparency as black', async () => {
    const grey = await sharp(Buffer.alloc(100 * 100, 120), { raw: { width: 100, height: 100, channels: 1 } }).png().toBuffer();
    const deep = await flat(100, 100, 'rgb(120, 120, 120)').toColourspace('rgb16').png().toBuffer();
    for (const bytes of [grey, deep]) {
      const tensor = await readPhotoTensor(bytes, SHAPE, MAX_PIXELS);
      for (const channel of [0, 1, 2]) expect(at(tensor, channel, 64, 64)).toBeCloseTo(normalised(120, channel), 1);
    }
    const printed = await readPhotoTensor(await flat(100, 100, 'rgb(200, 60, 60)').toColourspace('cmyk').jpeg().toBuffer(), SHAPE, MAX_PIXELS);
    expect(at(printed, 0, 64, 64)).toBeGreaterThan(normalised(140, 0));
    const clear = await sharp({ create: { width: 100, height: 100, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } } }).png().toBuffer();
    expect(at(await readPhotoTensor(clear, SHAPE, MAX_PIXELS), 0, 64, 64)).toBeCloseTo(normalised(0, 0), 4);
  });
});
