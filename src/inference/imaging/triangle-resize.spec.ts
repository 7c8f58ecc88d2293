import { resizeRegion } from './triangle-resize.js';

/** One grey row as an RGB picture of that row alone. */
const row = (...values: number[]) => Uint8Array.from(values.flatMap((value) => [value, value, value]));
const greys = (pixels: Uint8Array) => [...pixels].filter((_, index) => index % 3 === 0);
const whole = (width: number, height = 1) => ({ x: 0, y: 0, width, height });

describe('resizeRegion', () => {
  it('leaves a picture of the wanted size as it is', () => {
    expect(greys(resizeRegion(row(10, 200, 30), 3, whole(3), 3, 1))).toEqual([10, 200, 30]);
  });

  // Values of Pillow 13.0.0: Image.fromarray(…).resize(size, Image.Resampling.BILINEAR).
  it.each([
    ['enlarges', [0, 100, 200], 6, [0, 25, 75, 125, 175, 200]],
    ['enlarges unevenly', [0, 255], 5, [0, 25, 128, 230, 255]],
    ['shrinks', [0, 40, 80, 120, 160, 200], 3, [29, 100, 171]],
    ['shrinks by little', [10, 250, 10, 250], 3, [82, 130, 178]],
  ])('%s as the training code does', (_, values, width, wanted) => {
    expect(greys(resizeRegion(row(...values), values.length, whole(values.length), width, 1))).toEqual(wanted);
  });

  it('sees nothing outside the region', () => {
    const pixels = Uint8Array.from(
      [row(255, 255, 255, 255), row(255, 10, 30, 255), row(255, 50, 70, 255)].flatMap((one) => [...one]),
    );
    expect(greys(resizeRegion(pixels, 4, { x: 1, y: 1, width: 2, height: 2 }, 1, 1))).toEqual([40]);
    expect(Math.max(...resizeRegion(pixels, 4, { x: 1, y: 1, width: 2, height: 2 }, 8, 8))).toBe(70);
  });

  it('keeps the colours apart', () => {
    expect([...resizeRegion(Uint8Array.from([10, 20, 30, 50, 60, 70]), 2, whole(2), 1, 1)]).toEqual([30, 40, 50]);
  });
});
