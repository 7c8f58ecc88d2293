import { cornersOf } from './outline-history.js';
import { withMovedCorner, withNewCorner, withoutCorner } from './outline-edits.js';
import type { Point, Polygon } from './types.js';

const polygon = (corners: readonly Point[]): Polygon => ({ type: 'Polygon', coordinates: [[...corners, corners[0]!]] });
const ring = (count: number): Polygon =>
  polygon(Array.from({ length: count }, (_, place): Point => [Math.cos(place) * 100, Math.sin(place) * 100]));

describe('an outline that a person edits', () => {
  it('keeps at least three corners', () => {
    const triangle = polygon([
      [0, 0],
      [9, 0],
      [0, 9],
    ]);
    expect(withoutCorner(triangle, 0, 1)).toBe(triangle);
    expect(withoutCorner(ring(8), 2, 4)).not.toBe(triangle);
    expect(cornersOf(withoutCorner(ring(8), 2, 4)).length).toBeGreaterThanOrEqual(3);
  });

  it('moves one corner alone where each has a handle', () => {
    const before = ring(10);
    const after = cornersOf(withMovedCorner(before, 3, [500, 500], 1));
    expect(after[3]).toEqual([500, 500]);
    expect(after.filter((_, place) => place !== 3)).toEqual(cornersOf(before).filter((_, place) => place !== 3));
  });

  it('takes corners between two handles along, and moves no other handle', () => {
    const before = ring(40);
    const [x, y] = cornersOf(before)[8]!;
    const after = cornersOf(withMovedCorner(before, 8, [x + 40, y], 4));
    const shift = (place: number) => after[place]![0] - cornersOf(before)[place]![0];
    expect(shift(8)).toBeCloseTo(40);
    expect(shift(6)).toBeCloseTo(20);
    expect(shift(11)).toBeCloseTo(10);
    expect([shift(4), shift(12)]).toEqual([0, 0]);
  });

  it('goes along around the beginning of the ring, and stays closed', () => {
    const before = ring(20);
    const moved = withMovedCorner(before, 0, [300, 0], 4);
    expect(cornersOf(moved)[19]![0]).toBeGreaterThan(cornersOf(before)[19]![0]);
    expect(moved.coordinates[0]!.at(-1)).toEqual(moved.coordinates[0]![0]);
  });

  it('gets a corner half way to the next one', () => {
    const square = polygon([
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
    ]);
    expect(cornersOf(withNewCorner(square, 3))[4]).toEqual([0, 5]);
    expect(cornersOf(withoutCorner(square, 1, 1))).toEqual([
      [0, 0],
      [10, 10],
      [0, 10],
    ]);
  });
});
