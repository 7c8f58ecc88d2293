/** @jest-environment node */
import { numberPlace } from './number-place.js';

const PHOTO = { widthPx: 1000, heightPx: 800 };

describe('the number of an outline', () => {
  it('stands beside its top right corner', () => {
    expect(numberPlace({ x: 100, y: 200, width: 300 }, '1', 40, PHOTO)).toEqual({ x: 400, y: 240 });
  });

  it('is whole within the photo where the outline reaches its right edge, its lower edge, or both', () => {
    for (const [label, width] of [
      ['2', 0.6],
      ['12', 1.2],
    ] as const) {
      const { x, y } = numberPlace({ x: 700, y: 795, width: 300 }, label, 40, PHOTO);
      expect(x + width * 40).toBeLessThanOrEqual(PHOTO.widthPx);
      expect(x).toBeGreaterThan(900);
      expect(y).toBeLessThanOrEqual(PHOTO.heightPx);
    }
    // Of a photo that is smaller on the screen than a number.
    expect(numberPlace({ x: 0, y: 0, width: 20 }, '1', 40, { widthPx: 20, heightPx: 800 }).x).toBe(0);
  });
});
