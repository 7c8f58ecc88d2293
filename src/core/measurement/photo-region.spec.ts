import { drawResult } from '../../../test/support/wound-results.js';
import { haveLikeSize, likeSizeShare } from './like-outlines.js';
import { outlineAt, regionFault } from './photo-region.js';

const PHOTO = { widthPx: 640, heightPx: 480 };
/** A large wound on the left and a small one on the right. */
const { wounds } = drawResult({
  boxes: [
    [50, 50, 250, 250],
    [400, 100, 440, 140],
  ],
});
const at = (region: Parameters<typeof outlineAt>[1]) => outlineAt(wounds, region, PHOTO).outline;

describe('a region of a photo', () => {
  it.each([
    ['has a width without a height', { x: 1, y: 1, width: 10 }],
    ['begins left of it', { x: -1, y: 1 }],
    ['ends beyond it', { x: 600, y: 100, width: 41, height: 10 }],
    ['lies below it', { x: 1, y: 481 }],
    ['is empty', { x: 1, y: 1, width: 0, height: 0 }],
    ['is no number', { x: Number.NaN, y: 1 }],
  ])('is refused where it %s', (_why, region) => {
    expect(regionFault(region, PHOTO)).toEqual(expect.any(String));
  });

  it('may reach to its edges', () => {
    expect(regionFault({ x: 0, y: 0, width: 640, height: 480 }, PHOTO)).toBeNull();
    expect(regionFault({ x: 640, y: 480 }, PHOTO)).toBeNull();
  });

  it.each([
    ['a point in the large wound', { x: 100, y: 100 }, 0],
    ['a point in the small wound', { x: 420, y: 120 }, 1],
    ['a point that misses the small wound by a finger', { x: 452, y: 120 }, 1],
    ['a point far from both', { x: 330, y: 400 }, null],
    ['a box around the small wound', { x: 380, y: 80, width: 80, height: 80 }, 1],
    ['a box around both', { x: 0, y: 0, width: 640, height: 480 }, 0],
    ['a box within the large wound', { x: 100, y: 100, width: 50, height: 50 }, 0],
    ['a box that cuts off a third of the small wound', { x: 413, y: 80, width: 100, height: 100 }, 1],
    ['a box on healthy skin', { x: 300, y: 300, width: 60, height: 60 }, null],
    ['a box that touches a corner of the large wound', { x: 240, y: 240, width: 100, height: 100 }, null],
  ])('means, by %s, the outline there', (_what, region, outline) => {
    expect(at(region)).toBe(outline);
  });

  it('means nothing in a photo without an outline', () => {
    expect(outlineAt([], { x: 1, y: 1 }, PHOTO)).toEqual({ outline: null });
  });
});

describe('outlines are of like size', () => {
  it('where another photo may show them in the other order: from 70 % on with the shipped model, and earlier the less it repeats itself', () => {
    expect(likeSizeShare(9.8)).toBeCloseTo(0.7, 2);
    expect(likeSizeShare(5)).toBeCloseTo(0.83, 2);
  });

  it('by the second alone', () => {
    expect(haveLikeSize([{ pixels: 100 }], 10)).toBe(false);
    expect(haveLikeSize([{ pixels: 100 }, { pixels: 60 }, { pixels: 55 }], 10)).toBe(false);
    expect(haveLikeSize([{ pixels: 100 }, { pixels: 75 }], 10)).toBe(true);
  });
});
