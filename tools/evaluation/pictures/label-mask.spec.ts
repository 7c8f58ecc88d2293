import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { writeBmp } from '../../../test/support/bmp.js';
import { UnreadableInputError } from './photo-file.js';
import { readClassMask, readWoundMask } from './label-mask.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'label-mask-'));
});
afterAll(() => rm(folder, { recursive: true }));

const SIZE = { widthPx: 4, heightPx: 1 };
async function file(name: string, bytes: Buffer): Promise<string> {
  await writeFile(join(folder, name), bytes);
  return join(folder, name);
}
const grey = (values: readonly number[]) =>
  sharp(Buffer.from(values), { raw: { width: values.length, height: 1, channels: 1 } }).toColourspace('b-w');
const colours = (values: readonly number[], channels: 3 | 4) =>
  sharp(Buffer.from(values), { raw: { width: values.length / channels, height: 1, channels } });

describe('readWoundMask', () => {
  it('names the file that is damaged', async () => {
    const damaged = await file('damaged.png', (await grey([0, 255, 0, 255]).png().toBuffer()).subarray(0, 50));
    await expect(readWoundMask(damaged, SIZE)).rejects.toThrow(UnreadableInputError);
    await expect(readWoundMask(damaged, SIZE)).rejects.toThrow('damaged.png cannot be read as a mask');
    await expect(readWoundMask(join(folder, 'absent.png'), SIZE)).rejects.toThrow('absent.png');
  });

  it('names the file that has another size than its photo', async () => {
    const small = await file('small.png', await grey([0, 255]).png().toBuffer());
    await expect(readWoundMask(small, SIZE)).rejects.toThrow(/small\.png has 2 × 1 pixels, its photo 4 × 1/);
  });

  it('takes what is above 127', async () => {
    const mask = await readWoundMask(await file('grey.png', await grey([0, 127, 128, 255]).png().toBuffer()), SIZE);
    expect([...mask.pixels]).toEqual([0, 0, 1, 1]);
  });

  it('takes the brightest channel of a colour and leaves transparency out', async () => {
    const painted = [255, 0, 0, 255, 0, 0, 200, 0, 100, 100, 100, 255, 0, 0, 0, 255];
    const mask = await readWoundMask(await file('colours.png', await colours(painted, 4).png().toBuffer()), SIZE);
    expect([...mask.pixels]).toEqual([1, 1, 0, 0]);
  });

  it('reads masks with a palette, 16 bits, WebP and BMP alike', async () => {
    const values = [0, 255, 255, 0];
    const rgb = values.flatMap((value) => [value, value, value]);
    const files = [
      await file('palette.png', await colours(rgb, 3).png({ palette: true, colours: 2 }).toBuffer()),
      await file('deep.png', await grey(values).toColourspace('grey16').png().toBuffer()),
      await file('lossless.webp', await colours(rgb, 3).webp({ lossless: true }).toBuffer()),
      await file('bitmap.bmp', writeBmp(4, 1, values, { bits: 1 })),
    ];
    for (const name of files) expect([...(await readWoundMask(name, SIZE)).pixels]).toEqual([0, 1, 1, 0]);
  });
});

describe('readClassMask', () => {
  it('refuses other values than its classes, and colours', async () => {
    const high = await file('high.png', await grey([0, 1, 2, 255]).png().toBuffer());
    const painted = await file('painted.png', await colours([1, 1, 1, 2, 2, 2, 0, 1, 0, 0, 0, 0], 3).png().toBuffer());
    await expect(readClassMask(high, SIZE, 4)).rejects.toThrow(
      /high\.png: a tissue mask is grey and holds the values 0 to 3 only/,
    );
    await expect(readClassMask(painted, SIZE, 4)).rejects.toThrow(UnreadableInputError);
  });

  it('reads the class of each pixel', async () => {
    expect([
      ...(await readClassMask(await file('classes.png', await grey([3, 0, 2, 1]).png().toBuffer()), SIZE, 4)),
    ]).toEqual([3, 0, 2, 1]);
  });
});
