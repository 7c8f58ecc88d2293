import sharp from 'sharp';
import { drawWoundPhoto } from '../../../test/support/wound-photo.js';
import { lockDownDecoders } from './decoder-lockdown.js';
import { readPhotoRaster } from './photo-raster.js';
import { toPhotoTensor, type PhotoTensor } from './photo-tensor.js';

const SHAPE = { width: 128, height: 128, mean: [0.5, 0.4, 0.3], std: [0.25, 0.2, 0.1] };
const PLANE = SHAPE.width * SHAPE.height;
const MAX_PIXELS = 50_000_000;

const flat = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });
const at = ({ values }: PhotoTensor, channel: number, x: number, y: number) =>
  values[channel * PLANE + y * SHAPE.width + x]!;
const normalised = (value: number, channel: number) => (value / 255 - SHAPE.mean[channel]!) / SHAPE.std[channel]!;

const tensorOf = async (bytes: Uint8Array) => toPhotoTensor(await readPhotoRaster(bytes, MAX_PIXELS), SHAPE);

beforeAll(() => lockDownDecoders());

describe('toPhotoTensor', () => {
  it('normalises each channel and surrounds the photo with black', async () => {
    const tensor = await tensorOf(await flat(256, 128, 'rgb(200, 100, 50)').png().toBuffer());
    expect(tensor.content).toEqual({ x: 0, y: 32, width: 128, height: 64 });
    [200, 100, 50].forEach((value, channel) => {
      expect(at(tensor, channel, 64, 64)).toBeCloseTo(normalised(value, channel), 4);
      expect(at(tensor, channel, 0, 32)).toBeCloseTo(normalised(value, channel), 4);
      expect(at(tensor, channel, 64, 31)).toBeCloseTo(normalised(0, channel), 4);
      expect(at(tensor, channel, 64, 96)).toBeCloseTo(normalised(0, channel), 4);
    });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('turns a photo of EXIF orientation %d upright', async (orientation) => {
    const upright = await tensorOf(await drawWoundPhoto({ width: 320, height: 240, format: 'png' }));
    const turned = await tensorOf(await drawWoundPhoto({ width: 320, height: 240, format: 'png', orientation }));
    expect(turned.content).toEqual(upright.content);
    const worst = upright.values.reduce(
      (most, value, index) => Math.max(most, Math.abs(value - turned.values[index]!)),
      0,
    );
    expect(worst).toBeLessThan(0.25);
  });

  it('reads grey, 16-bit and CMYK photos as sRGB, and transparency as black', async () => {
    const grey = await sharp(Buffer.alloc(100 * 100, 120), { raw: { width: 100, height: 100, channels: 1 } })
      .png()
      .toBuffer();
    const deep = await flat(100, 100, 'rgb(120, 120, 120)').toColourspace('rgb16').png().toBuffer();
    for (const bytes of [grey, deep]) {
      const tensor = await tensorOf(bytes);
      for (const channel of [0, 1, 2]) expect(at(tensor, channel, 64, 64)).toBeCloseTo(normalised(120, channel), 1);
    }
    const printed = await tensorOf(await flat(100, 100, 'rgb(200, 60, 60)').toColourspace('cmyk').jpeg().toBuffer());
    expect(at(printed, 0, 64, 64)).toBeGreaterThan(normalised(140, 0));
    const clear = await sharp({
      create: { width: 100, height: 100, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    expect(at(await tensorOf(clear), 0, 64, 64)).toBeCloseTo(normalised(0, 0), 4);
  });

  it("takes a photo of the frame's own size pixel by pixel", async () => {
    const png = await drawWoundPhoto({ width: 128, height: 128, format: 'png' });
    const pixels = await sharp(png).raw().toBuffer();
    const tensor = await tensorOf(png);
    for (const channel of [0, 1, 2]) {
      for (let pixel = 0; pixel < PLANE; pixel += 97) {
        expect(tensor.values[channel * PLANE + pixel]).toBeCloseTo(
          normalised(pixels[pixel * 3 + channel]!, channel),
          5,
        );
      }
    }
  });

  it('fits one region into the frame and says where the whole photo lies around it', async () => {
    const left = await flat(100, 200, 'rgb(10, 20, 30)').png().toBuffer();
    const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'rgb(200, 100, 50)' } })
      .composite([{ input: left, left: 0, top: 0 }])
      .png()
      .toBuffer();
    const raster = await readPhotoRaster(photo, MAX_PIXELS);
    const tensor = await toPhotoTensor(raster, SHAPE, { x: 100, y: 50, width: 64, height: 32 });
    expect(tensor.region).toEqual({ x: 0, y: 32, width: 128, height: 64 });
    expect(tensor.content).toEqual({ x: -200, y: -68, width: 600, height: 400 });
    [200, 100, 50].forEach((value, channel) => {
      expect(at(tensor, channel, 0, 32)).toBeCloseTo(normalised(value, channel), 4);
      expect(at(tensor, channel, 127, 95)).toBeCloseTo(normalised(value, channel), 4);
      expect(at(tensor, channel, 64, 31)).toBeCloseTo(normalised(0, channel), 4);
    });
  });
});
