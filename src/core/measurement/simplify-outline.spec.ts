import { drawMap, ellipse, ellipseWithHole, place } from '../../../test/support/drawn-shapes.js';
import { traceIsoContours } from './iso-contour.js';
import { mapOutline, toOutlines, type Outline } from './outline.js';
import { ringBoundingBox, type Ring } from './polygon.js';
import { doRingsCross } from './ring-crossing.js';
import { simplifyOutline } from './simplify-outline.js';

const traced = (depth: (x: number, y: number) => number): Outline =>
  toOutlines(traceIsoContours(drawMap(256, depth), 0.5))[0]!;
const areaOf = (outline: Outline) => mapOutline(outline, (point) => point).area;
const points = ({ outer, holes }: Outline) => [outer, ...holes].reduce((sum, ring) => sum + ring.length, 0);

/** Distance from each point of one ring to the nearest edge of another; the greatest of them. */
function farthestFrom(ring: Ring, border: Ring): number {
  const toEdge = ([x, y]: readonly [number, number]) =>
    Math.min(
      ...border.map(([x1, y1], at) => {
        const [x2, y2] = border[(at + 1) % border.length]!;
        const squared = (x2 - x1) ** 2 + (y2 - y1) ** 2;
        const along = Math.min(1, Math.max(0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / (squared || 1)));
        return Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1));
      }),
    );
  return Math.max(...ring.map(toEdge));
}

describe('simplifyOutline', () => {
  it('leaves an outline alone whose borders would cross', () => {
    // A flat bulge that would go, and the tip of a hole inside it that would stay.
    const bulge = Array.from({ length: 101 }, (_, at): [number, number] => [
      at,
      -0.09 * Math.sin((Math.PI * at) / 100),
    ]);
    const outer: [number, number][] = [...bulge, [120, -50], [120, 100], [0, 100]];
    const hole: [number, number][] = [
      [10, 0.1],
      [50, 0.3],
      [90, 0.1],
      [50, -0.08],
    ];
    const outline = { outer, holes: [hole], area: 9990 };
    expect(doRingsCross([outer, hole].map((ring) => [...ring, ring[0]!]))).toBe(false);
    expect(simplifyOutline(outline)).toBe(outline);
  });

  it('keeps a triangle as it is', () => {
    const outer: [number, number][] = [
      [0, 0],
      [10, 0],
      [0, 10],
    ];
    expect(simplifyOutline({ outer, holes: [], area: 50 }).outer).toEqual(outer);
  });

  it.each([
    ['a large wound', ellipse(90, 60), 0.1],
    ['a small one', ellipse(6, 4), 0.009],
    ['a ring', ellipseWithHole(80, 60, 20), 0.1],
  ])('leaves no point of %s farther from the new border than it says', (_, shape, most) => {
    const outline = traced(place(shape, 0.4, 128).depth);
    const simplified = simplifyOutline(outline);
    for (const [at, ring] of [outline.outer, ...outline.holes].entries())
      expect(farthestFrom(ring, [simplified.outer, ...simplified.holes][at]!)).toBeLessThanOrEqual(most);
    expect(points(simplified)).toBeLessThan(points(outline));
  });

  it('keeps the area within a quarter of a percent, however small, and the box to the letter', () => {
    for (const radius of [3, 5, 8, 13, 21, 34, 55, 89]) {
      const outline = traced(place(ellipse(radius, radius * 0.8), 0.3, 128).depth);
      const simplified = simplifyOutline(outline);
      expect(Math.abs(areaOf(simplified) / outline.area - 1)).toBeLessThan(0.0025);
      expect(ringBoundingBox(simplified.outer)).toEqual(ringBoundingBox(outline.outer));
    }
  });

  it('needs less than a third of the points for a wound of usual size, none of them where borders cross', () => {
    const outline = traced(place(ellipse(70, 45), 0.7, 128).depth);
    const simplified = simplifyOutline(outline);
    expect(points(simplified)).toBeLessThan(points(outline) / 3);
    expect(doRingsCross([[...simplified.outer, simplified.outer[0]!]])).toBe(false);
  });
});
