import { fitLetterbox } from './letterbox.js';

describe('fitLetterbox', () => {
  it.each([
    [512, 512, { x: 0, y: 0, width: 512, height: 512 }],
    [4000, 3000, { x: 0, y: 64, width: 512, height: 384 }],
    [3000, 4000, { x: 64, y: 0, width: 384, height: 512 }],
    [100, 50, { x: 0, y: 128, width: 512, height: 256 }],
    [1280, 64, { x: 0, y: 243, width: 512, height: 26 }],
    [1000, 333, { x: 0, y: 171, width: 512, height: 170 }],
  ])('centres %d × %d in a frame of 512', (widthPx, heightPx, content) => {
    expect(fitLetterbox({ widthPx, heightPx }, 512, 512)).toEqual(content);
  });

  it('brings a point of the photo back to within half a map pixel', () => {
    for (const [widthPx, heightPx] of [
      [4032, 3024],
      [333, 1999],
      [65, 1300],
      [512, 511],
    ] as const) {
      const content = fitLetterbox({ widthPx, heightPx }, 512, 512);
      const [scaleX, scaleY] = [widthPx / content.width, heightPx / content.height];
      expect(content.x + content.width).toBeLessThanOrEqual(512);
      expect(content.y + content.height).toBeLessThanOrEqual(512);
      // Both axes are scaled alike but for rounding to whole pixels.
      expect(Math.abs(scaleX / scaleY - 1)).toBeLessThanOrEqual(0.5 / Math.min(content.width, content.height) + 1e-9);
    }
  });
});
