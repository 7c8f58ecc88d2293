import { maskOf } from '../../../test/support/drawn-mask.js';
import { divideIntoRegions } from './labelled-regions.js';
import { judgeOutlines } from './outline-truth.js';

/** Digits are outlines. */
const outlinesOf = (...rows: readonly string[]) =>
  Int32Array.from(rows.join(''), (letter) => (letter === '.' ? 0 : Number(letter)));

describe('divideIntoRegions', () => {
  it('finds none in an empty label', () => {
    expect(divideIntoRegions(maskOf('...', '...')).areasPx).toEqual([0]);
  });

  it('joins pixels that touch at a corner and no others', () => {
    const { areasPx, regionOfPixel } = divideIntoRegions(maskOf('#..##', '.#...', '....#'));
    expect(areasPx).toEqual([0, 2, 2, 1]);
    expect([...regionOfPixel]).toEqual([1, 0, 0, 2, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3]);
  });
});

describe('judgeOutlines', () => {
  it('calls every labelled region missed where nothing was outlined', () => {
    expect(judgeOutlines(maskOf('##..#'), outlinesOf('.....'), 0)).toEqual({ outlines: [], missedWounds: 2 });
  });

  it('calls an outline on an empty label no wound', () => {
    expect(judgeOutlines(maskOf('.....'), outlinesOf('.11..'), 1)).toEqual({
      outlines: [{ isWound: false, labelledPx: 0 }],
      missedWounds: 0,
    });
  });

  it('needs half of the common area: 2 of 5 pixels are not enough, 3 of 5 are', () => {
    expect(judgeOutlines(maskOf('###..'), outlinesOf('.1111'), 1)).toEqual({
      outlines: [{ isWound: false, labelledPx: 3 }],
      missedWounds: 1,
    });
    expect(judgeOutlines(maskOf('####.'), outlinesOf('.1111'), 1)).toEqual({
      outlines: [{ isWound: true, labelledPx: 4 }],
      missedWounds: 0,
    });
  });

  it('gives each outline what lies nearer to it than to any other', () => {
    const judged = judgeOutlines(maskOf('###....####'), outlinesOf('11.......22'), 2);
    expect(judged).toEqual({
      outlines: [
        { isWound: true, labelledPx: 3 },
        { isWound: true, labelledPx: 4 },
      ],
      missedWounds: 0,
    });
  });

  it('calls a region missed that lies with an outline of something else', () => {
    const judged = judgeOutlines(maskOf('##.....#...'), outlinesOf('11......222'), 2);
    expect(judged).toEqual({
      outlines: [
        { isWound: true, labelledPx: 2 },
        { isWound: false, labelledPx: 1 },
      ],
      missedWounds: 1,
    });
  });
});
