import sharp from 'sharp';
import { TISSUE_TABLE, TISSUES } from '../../core/tissue/tissues.js';
import { lockDownDecoders } from './decoder-lockdown.js';
import { drawTissuePicture } from './tissue-picture.js';

beforeAll(() => lockDownDecoders());

describe('a kept tissue map', () => {
  it('is a picture of the tissues in their colours, transparent where no wound is', async () => {
    const tissues = TISSUES.map((tissue) => TISSUE_TABLE[tissue]);
    const numbers = Uint8Array.from([0, ...tissues.map(({ number }) => number), 0]);
    const picture = await drawTissuePicture({ numbers, width: 3, height: 2 });
    expect([picture.width, picture.height]).toEqual([3, 2]);
    const { data, info } = await sharp(picture.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 3, height: 2, channels: 4 });
    const pixels = Array.from({ length: 6 }, (_, index) => data.subarray(index * 4, index * 4 + 4).toString('hex'));
    expect([pixels[0]!.slice(6), pixels[5]!.slice(6)]).toEqual(['00', '00']);
    expect(pixels.slice(1, 5)).toEqual(tissues.map(({ colour }) => `${colour.slice(1)}ff`));
  });

  it('is small: a photo of three megapixels takes less than twenty kilobytes', async () => {
    const [width, height] = [2016, 1512];
    const numbers = new Uint8Array(width * height);
    for (let row = 500; row < 900; row += 1)
      numbers.fill(1 + (row % 3), row * width + 700 + (row % 90), row * width + 1300);
    const { bytes } = await drawTissuePicture({ numbers, width, height });
    expect(bytes.length).toBeLessThan(20_000);
  });
});
