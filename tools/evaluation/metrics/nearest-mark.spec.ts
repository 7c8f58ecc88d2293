import { findNearestMarks } from './nearest-mark.js';

describe('findNearestMarks', () => {
  it('is infinitely far from nothing', () => {
    const { squaredPx, marks } = findNearestMarks(new Uint8Array(6), 3, 2);
    expect([...squaredPx]).toEqual(new Array(6).fill(Infinity));
    expect([...marks]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('agrees with the search of every mark for every pixel', () => {
    const [width, height] = [23, 17];
    const marked = new Int32Array(width * height);
    for (const [index, place] of [5, 60, 61, 199, 250, 388].entries()) marked[place] = index + 1;
    const { squaredPx, marks } = findNearestMarks(marked, width, height);
    for (let pixel = 0; pixel < marked.length; pixel += 1) {
      const squaredTo = (place: number) =>
        ((pixel % width) - (place % width)) ** 2 + (Math.floor(pixel / width) - Math.floor(place / width)) ** 2;
      const places = [...marked.keys()].filter((place) => marked[place] !== 0);
      const nearest = Math.min(...places.map(squaredTo));
      expect(squaredPx[pixel]).toBe(nearest);
      expect(places.filter((place) => squaredTo(place) === nearest).map((place) => marked[place])).toContain(
        marks[pixel],
      );
    }
  });
});
