import { contourFault, MAX_CONTOUR_POINTS } from '../../../src/core/measurement/contour-check.js';
import { mapOutline } from '../../../src/core/measurement/outline.js';
import type { PixelPolygon } from '../../../src/core/measurement/wound-result.js';
import { seedsOf } from '../../../test/support/rounds.js';
import { withStroke, type Stroke } from './brush.js';
import type { Point, Polygon } from './types.js';

const PHOTO = { widthPx: 1200, heightPx: 900 };
const square = (left: number, top: number, side: number): Polygon => ({
  type: 'Polygon',
  coordinates: [
    [
      [left, top],
      [left + side, top],
      [left + side, top + side],
      [left, top + side],
      [left, top],
    ],
  ],
});
const areaOf = (outlines: readonly Polygon[]): number =>
  outlines.reduce((sum, { coordinates: [outer, ...holes] }) => {
    return (
      sum + mapOutline({ outer: outer!.slice(1), holes: holes.map((hole) => hole.slice(1)), area: 0 }, (p) => p).area
    );
  }, 0);
const faultOf = (outlines: readonly Polygon[], photo = PHOTO) =>
  contourFault(outlines as readonly PixelPolygon[], photo);
const stroke = (kind: Stroke['kind'], radiusPx: number, ...path: Point[]): Stroke => ({ kind, radiusPx, path });

describe('a stroke of the brush', () => {
  it.each([
    ['beside the photo', stroke('add', 20, [-400, -400])],
    ['of the eraser where nothing is', stroke('erase', 20, [900, 700])],
  ])('changes nothing %s', (_, one) => {
    const outlines = [square(100, 100, 200)];
    expect(withStroke(outlines, one, PHOTO)).toBe(outlines);
  });

  it('draws a wound where there was none, as large as the brush', () => {
    const outlines = withStroke([], stroke('add', 50, [600, 450]), PHOTO);
    expect(areaOf(outlines) / (Math.PI * 50 ** 2)).toBeCloseTo(1, 1);
    expect(faultOf(outlines)).toBeNull();
  });

  it('grows the outline that it touches, and leaves the other one exactly as it is', () => {
    const [near, far] = [square(100, 100, 200), square(800, 600, 100)];
    const outlines = withStroke([near, far], stroke('add', 40, [280, 200], [360, 200]), PHOTO);
    expect(outlines[0]).toBe(far);
    // 200 × 200, and of the painted line what lies to the right of 300: 60 × 80 with a half disc at its end.
    expect(areaOf(outlines.slice(1)) / (40_000 + 60 * 80 + (Math.PI * 40 ** 2) / 2)).toBeCloseTo(1, 2);
    expect(faultOf(outlines)).toBeNull();
  });

  it('joins two outlines, cuts one in two, and rubs a hole', () => {
    const two = [square(100, 100, 100), square(260, 100, 100)];
    expect(withStroke(two, stroke('add', 20, [180, 150], [280, 150]), PHOTO)).toHaveLength(1);
    const cut = withStroke([square(100, 100, 200)], stroke('erase', 15, [200, 60], [200, 340]), PHOTO);
    expect(cut).toHaveLength(2);
    const [ring] = withStroke([square(100, 100, 200)], stroke('erase', 30, [200, 200]), PHOTO);
    expect(ring!.coordinates).toHaveLength(2);
    expect(areaOf([ring!]) / (40_000 - Math.PI * 30 ** 2)).toBeCloseTo(1, 2);
    for (const outlines of [cut, [ring!]]) expect(faultOf(outlines)).toBeNull();
  });

  it('leaves nothing of an outline that was rubbed out', () => {
    expect(withStroke([square(100, 100, 60)], stroke('erase', 90, [130, 130]), PHOTO)).toEqual([]);
  });

  it('stays within the photo at its edge', () => {
    const outlines = withStroke([], stroke('add', 60, [0, 0], [1200, 0]), PHOTO);
    expect(faultOf(outlines)).toBeNull();
    expect(areaOf(outlines) / (1200 * 60)).toBeCloseTo(1, 1);
  });

  it.each(seedsOf('brush', 3))('is never an outline that the server refuses, whatever was scribbled (%i)', (seed) => {
    let state = seed * 7919;
    const next = (most: number) => {
      state = (state * 48271) % 2147483647;
      return (state / 2147483647) * most;
    };
    let outlines: readonly Polygon[] = [square(400, 300, 300)];
    for (let one = 0; one < 9; one += 1) {
      const path = Array.from({ length: 6 }, (): Point => [next(1200), next(900)]);
      outlines = withStroke(outlines, stroke(one % 3 === 2 ? 'erase' : 'add', 6 + next(40), ...path), PHOTO);
      if (outlines.length > 0) expect(faultOf(outlines)).toBeNull();
    }
    expect(areaOf(outlines)).toBeGreaterThan(0);
  });

  it('takes a photo of 48 megapixels, and an outline of as many points as the server takes', () => {
    const photo = { widthPx: 8000, heightPx: 6000 };
    const corners = Array.from({ length: MAX_CONTOUR_POINTS - 1 }, (_, place): Point => {
      const turn = (2 * Math.PI * place) / (MAX_CONTOUR_POINTS - 1);
      return [4000 + 2000 * Math.cos(turn), 3000 + 2000 * Math.sin(turn)];
    });
    const round: Polygon = { type: 'Polygon', coordinates: [[...corners, corners[0]!]] };
    const outlines = withStroke([round], stroke('add', 200, [6000, 3000]), photo);
    expect(faultOf(outlines, photo)).toBeNull();
    expect(outlines[0]!.coordinates[0]!.length).toBeLessThan(1500);
    expect(areaOf(outlines) / (Math.PI * 2000 ** 2)).toBeGreaterThan(1);
    expect(areaOf(outlines) / (Math.PI * 2000 ** 2)).toBeLessThan(1.01);
  });
});
