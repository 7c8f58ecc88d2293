import { SIZE_CLASSES, areaAtReferencePx, isWithin } from './size-class.js';

describe('size classes', () => {
  it('take every area into exactly one', () => {
    const classOf = (areaPx: number) => SIZE_CLASSES.flatMap((size, index) => (isWithin(size, areaPx) ? [index] : []));
    expect([1, 599.9, 600, 1999, 2000, 5999, 6000, 1e6].map(classOf)).toEqual([[0], [0], [1], [1], [2], [2], [3], [3]]);
  });

  it('speak of pictures whose longer side is 512 pixels', () => {
    expect(areaAtReferencePx(600, 512, 384)).toBe(600);
    expect(areaAtReferencePx(600 * 64, 3072, 4096)).toBe(600);
    expect(areaAtReferencePx(100, 256, 256)).toBe(400);
  });
});
