import sharp from 'sharp';
import type { PixelPolygon } from '../../core/measurement/wound-result.js';
import { drawMaskPicture } from './mask-picture.js';

const polygon = (...rings: [number, number][][]): PixelPolygon => ({ type: 'Polygon', coordinates: rings });
const square = (from: number, to: number): [number, number][] => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
  [from, from],
];

async function read(outlines: readonly PixelPolygon[], widthPx: number, heightPx: number) {
  const png = await drawMaskPicture(outlines, { widthPx, heightPx });
  const facts = await sharp(png).metadata();
  const pixels = await sharp(png).extractChannel(0).raw().toBuffer();
  return {
    facts,
    pixels,
    at: (x: number, y: number) => pixels[y * widthPx + x],
    count: pixels.filter((value) => value === 255).length,
  };
}

describe('drawMaskPicture', () => {
  it('is an 8-bit grey PNG of the photo’s size, empty where no wound is', async () => {
    const { facts, pixels } = await read([], 300, 200);
    expect(facts).toMatchObject({ format: 'png', width: 300, height: 200, channels: 1, depth: 'uchar' });
    expect(new Set(pixels)).toEqual(new Set([0]));
  });

  it('is 255 inside and 0 outside, and counts as many pixels as the outline has area', async () => {
    const { at, count, pixels } = await read([polygon(square(10, 60))], 100, 80);
    expect([at(9, 30), at(10, 30), at(59, 30), at(60, 30), at(30, 9), at(30, 10), at(30, 59), at(30, 60)]).toEqual([
      0, 255, 255, 0, 0, 255, 255, 0,
    ]);
    expect(count).toBe(2500);
    expect(new Set(pixels)).toEqual(new Set([0, 255]));
  });

  it('leaves holes open and draws several outlines', async () => {
    const { at, count } = await read([polygon(square(10, 60), square(20, 30)), polygon(square(70, 80))], 100, 100);
    expect(at(25, 25)).toBe(0);
    expect(at(75, 75)).toBe(255);
    expect(count).toBe(2500 - 100 + 100);
  });

  it('keeps to the photo where an outline follows its border', async () => {
    const { count } = await read(
      [
        polygon([
          [0, 0],
          [100, 0],
          [100, 50],
          [0, 50],
          [0, 0],
        ]),
      ],
      100,
      50,
    );
    expect(count).toBe(5000);
  });

  it('agrees with the area of a slanted outline to a pixel per border pixel', async () => {
    const { count } = await read(
      [
        polygon([
          [10.3, 5.2],
          [90.7, 40.1],
          [20.4, 70.9],
          [10.3, 5.2],
        ]),
      ],
      100,
      80,
    );
    const area = Math.abs((90.7 - 10.3) * (70.9 - 5.2) - (20.4 - 10.3) * (40.1 - 5.2)) / 2;
    expect(Math.abs(count - area)).toBeLessThan(25);
  });
});
