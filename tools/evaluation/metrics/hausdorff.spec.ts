import { maskOf, rectangleMask } from '../../../test/support/drawn-mask.js';
import { hausdorff95Px } from './hausdorff.js';

const square = (x: number, y: number, side = 20) => rectangleMask(64, 64, { x, y, width: side, height: side });

describe('hausdorff95Px', () => {
  it('is not defined where one of the masks is empty', () => {
    expect(hausdorff95Px(square(4, 4), rectangleMask(64, 64, { x: 0, y: 0, width: 0, height: 0 }))).toBeNull();
    expect(hausdorff95Px(maskOf('...'), maskOf('.#.'))).toBeNull();
    expect(hausdorff95Px(maskOf('...'), maskOf('...'))).toBeNull();
  });

  it('is 0 between equal masks, one pixel included', () => {
    expect(hausdorff95Px(square(8, 8), square(8, 8))).toBe(0);
    expect(hausdorff95Px(maskOf('.#.'), maskOf('.#.'))).toBe(0);
  });

  it('is the shift of a shifted square: the leading edge is more than 5 % of the border', () => {
    expect(hausdorff95Px(square(4, 10), square(9, 10))).toBe(5);
    expect(hausdorff95Px(square(10, 4), square(10, 30))).toBe(26);
  });

  it('is the straight distance of two single pixels', () => {
    expect(
      hausdorff95Px(
        rectangleMask(20, 20, { x: 2, y: 3, width: 1, height: 1 }),
        rectangleMask(20, 20, { x: 5, y: 7, width: 1, height: 1 }),
      ),
    ).toBe(5);
  });

  it('takes the larger direction: from the far island back to the square', () => {
    const both = square(4, 4);
    both.pixels.set(square(40, 4).pixels.map((pixel, index) => pixel | both.pixels[index]!));
    // From the island (columns 40 to 59) to the square's right edge (column 23): every border pixel lies 17 to 36 away.
    expect(hausdorff95Px(square(4, 4), both)).toBe(36);
    expect(hausdorff95Px(both, square(4, 4))).toBe(36);
  });

  it('forgives the farthest 5 % of a border', () => {
    // A border of 4 * 59 pixels and a spike of 5 pixels, which is less than a twentieth.
    const plain = rectangleMask(100, 100, { x: 10, y: 10, width: 60, height: 60 });
    const spiked = { ...plain, pixels: plain.pixels.slice() };
    spiked.pixels.fill(1, 30 * 100 + 70, 30 * 100 + 75);
    expect(hausdorff95Px(plain, spiked)).toBe(0);
  });

  it('counts the edge of the picture as a border', () => {
    expect(hausdorff95Px(maskOf('###', '###', '###'), maskOf('###', '#.#', '###'))).toBe(0);
  });
});
