import type { PixelPolygon } from './wound-result.js';
import { markInside } from './outline-mask.js';

const square = (from: number, to: number) =>
  [
    [from, from],
    [to, from],
    [to, to],
    [from, to],
    [from, from],
  ] as const;
const polygon = (...coordinates: PixelPolygon['coordinates']): PixelPolygon => ({ type: 'Polygon', coordinates });
const count = (marks: Uint8Array) => marks.reduce((sum, mark) => sum + mark, 0);

describe('markInside', () => {
  it('marks nothing where the contour lies outside the frame', () => {
    expect(count(markInside(polygon(square(50, 60)), { x: 0, y: 0, width: 20, height: 20 }, 20, 20))).toBe(0);
  });

  it('marks the pixels whose centres lie inside, and leaves the hole out', () => {
    const marks = markInside(polygon(square(2, 12), square(5, 8)), { x: 0, y: 0, width: 20, height: 20 }, 20, 20);
    expect(count(marks)).toBe(100 - 9);
    expect(marks[2 * 20 + 2]).toBe(1);
    expect(marks[6 * 20 + 6]).toBe(0);
    expect(marks[12 * 20 + 12]).toBe(0);
  });

  it('marks the part of a contour that reaches into the frame, at the frame’s own resolution', () => {
    const marks = markInside(polygon(square(0, 100)), { x: 50, y: 50, width: 100, height: 100 }, 40, 40);
    expect(count(marks)).toBe(400);
    expect(marks[0]).toBe(1);
    expect(marks[20]).toBe(0);
  });
});
