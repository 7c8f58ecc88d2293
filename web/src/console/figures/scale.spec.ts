import { breaksOf, niceTop, ticksOfTime } from './scale.js';

describe('the scale of a chart', () => {
  it('has room for nothing at all, and a round top above every figure', () => {
    expect([0, 3, 5, 17, 40, 101, 999, 1_000_000].map(niceTop)).toEqual([4, 4, 5, 20, 40, 200, 1000, 1_000_000]);
  });

  it('breaks a line where nothing is known, and shows a figure between two gaps', () => {
    expect(breaksOf([null, null])).toEqual([]);
    expect(breaksOf([1, 2, null, 3]).map((run) => run.map(({ place, value }) => [place, value]))).toEqual([
      [
        [0, 1],
        [1, 2],
      ],
      [
        [3, 3],
        [3.5, 3],
      ],
    ]);
  });

  it('names some times, all of which are there', () => {
    const at = Array.from({ length: 288 }, (_, place) => String(place));
    expect(ticksOfTime(at).every((place) => place > 0 && place < 288)).toBe(true);
    expect(ticksOfTime([])).toEqual([]);
  });
});
