import { writeBmp } from '../../../test/support/bmp.js';
import { readBmp } from './bmp-picture.js';

// Odd widths, so that rows end in filling bytes.
const GREY = [0, 255, 255, 0, 0, 0, 255, 0, 255, 255];
const greyOf = (bytes: Buffer) => {
  const { width, height, pixels } = readBmp(bytes);
  return { width, height, grey: [...pixels].filter((_, index) => index % 3 === 0) };
};

describe('readBmp', () => {
  it('refuses what is no bitmap, is compressed or is cut off', () => {
    const whole = writeBmp(5, 2, GREY, { bits: 24 });
    const compressed = Buffer.from(whole);
    compressed.writeUInt32LE(1, 30);
    expect(() => readBmp(Buffer.from('not a picture at all'))).toThrow('no bitmap');
    expect(() => readBmp(compressed)).toThrow('only uncompressed bitmaps');
    expect(() => readBmp(whole.subarray(0, whole.length - 1))).toThrow('cut off');
  });

  it('refuses a size that is none', () => {
    const endless = writeBmp(5, 2, GREY, { bits: 24 });
    endless.writeInt32LE(2_000_000_000, 18);
    expect(() => readBmp(endless)).toThrow('no usable size');
  });

  it.each([1, 4, 8, 24, 32] as const)('reads %d bits a pixel, from the bottom up and from the top down', (bits) => {
    for (const isTopDown of [false, true])
      expect(greyOf(writeBmp(5, 2, GREY, { bits, isTopDown }))).toEqual({ width: 5, height: 2, grey: GREY });
  });

  it('keeps red, green and blue apart', () => {
    const bytes = writeBmp(1, 1, [0], { bits: 24 });
    bytes.set([10, 20, 30], 54);
    expect([...readBmp(bytes).pixels]).toEqual([30, 20, 10]);
  });
});
