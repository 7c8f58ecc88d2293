import { drawMap, ellipse } from '../../../test/support/drawn-shapes.js';
import { homographyOf, onPlane, seenFrom } from '../../../test/support/tilted-view.js';
import { measureWounds } from './measure-wounds.js';
import { clientScale, toMillimetres, type Matrix3, type PlaneScale } from './plane-scale.js';

import type { WoundMeasurement } from './wound-result.js';

const SIZE = 384;
const PHOTO = { widthPx: SIZE, heightPx: SIZE };
const RULES = { threshold: 0.5, minAreaShare: 0.0003 };
const TURNS = [0, 25, 90, 140];

const scaleOf = (toMm: Matrix3): PlaneScale => ({ source: 'marker', toMm, uncertaintyPct: 1 });

describe('measureWounds on a plane seen at an angle', () => {
  it('gives no centimetres beyond the plane’s horizon, where no skin can lie', () => {
    const toMm: Matrix3 = [1, 0, 0, 0, 1, 0, 0, 1 / 192, -1];
    const [wound] = measureWounds(
      drawMap(SIZE, (x, y) => ellipse(60, 60).depth(x - 192, y - 192)),
      PHOTO,
      RULES,
      scaleOf(toMm),
    );
    expect(wound!.area.cm2).toBeNull();
    expect(wound!.length.cm).toBeNull();
    expect(wound!.area.pixels).toBeGreaterThan(0);
  });

  it.each([0, 15, 30, 45, 60])(
    'finds the true size of a disc at a tilt of %d°: area within 1 %%, lengths within 1.5 %%',
    (tiltDegrees) => {
      for (const turnDegrees of TURNS) {
        for (const radiusMm of [12, 25]) {
          const toMm = homographyOf({ tiltDegrees, turnDegrees, distanceMm: 250, focalPx: 900, pictureSize: SIZE });
          const [x, y] = onPlane(toMm, 200.3, 180.8);
          const disc = ellipse(radiusMm, radiusMm);
          const map = drawMap(
            SIZE,
            seenFrom(toMm, (px, py) => disc.depth(px - x, py - y)),
          );
          const [wound] = measureWounds(map, PHOTO, RULES, scaleOf(toMm));
          const close = (found: number, truth: number, share: number) =>
            expect(Math.abs(found - truth)).toBeLessThanOrEqual(truth * share + 0.005);
          close(wound!.area.cm2!.value, (Math.PI * radiusMm ** 2) / 100, 0.01);
          close(wound!.length.cm!.value, (2 * radiusMm) / 10, 0.015);
          close(wound!.width.cm!.value, (2 * radiusMm) / 10, 0.015);
          close(wound!.perimeter.cm!.value, (2 * Math.PI * radiusMm) / 10, 0.015);
        }
      }
    },
  );

  it('measures pixels in the photo as it lies there, foreshortened', () => {
    const toMm = homographyOf({ tiltDegrees: 60, turnDegrees: 0, distanceMm: 250, focalPx: 900, pictureSize: SIZE });
    const [wound] = measureWounds(drawMap(SIZE, seenFrom(toMm, ellipse(20, 20).depth)), PHOTO, RULES, scaleOf(toMm));
    expect(wound!.width.pixels / wound!.length.pixels).toBeLessThan(0.6);
    expect(wound!.width.cm!.value / wound!.length.cm!.value).toBeGreaterThan(0.98);
  });

  it('measures the same by a homography that only scales as by a stated scale', () => {
    const map = drawMap(SIZE, (x, y) => ellipse(90, 50).depth(x - 190, y - 200));
    const stated = clientScale(0.4);
    const seen: PlaneScale = { ...stated, toMm: [-1.2, 0, 77, 0, 1.2, -5, 0, 0, 3] };
    const [one, two] = [seen, stated].map((scale) => measureWounds(map, PHOTO, RULES, scale)[0]!);
    // Of two lines that are equally long either may be drawn.
    const withoutLines = (wound: WoundMeasurement) =>
      JSON.parse(JSON.stringify(wound, (key, value) => (key === 'line' ? null : value)));
    expect(withoutLines(one!)).toEqual(withoutLines(two!));
  });

  it('draws each line where the camera saw what it measures', () => {
    const toMm = homographyOf({ tiltDegrees: 40, turnDegrees: 30, distanceMm: 250, focalPx: 900, pictureSize: SIZE });
    const scale = scaleOf(toMm);
    const map = drawMap(
      SIZE,
      seenFrom(toMm, (x, y) => ellipse(24, 12).depth(x - 5, y - 9)),
    );
    const [wound] = measureWounds(map, PHOTO, RULES, scale);
    const [length, width] = [wound!.length.line!, wound!.width.line!].map((line) => {
      const [[x1, y1], [x2, y2]] = line.map((end) => toMillimetres(scale, end)) as [[number, number], [number, number]];
      return { cm: Math.hypot(x2 - x1, y2 - y1) / 10, direction: Math.atan2(y2 - y1, x2 - x1) };
    });
    expect(length!.cm).toBeCloseTo(wound!.length.cm!.value, 1);
    expect(width!.cm).toBeCloseTo(wound!.width.cm!.value, 1);
    expect(Math.abs(Math.cos(length!.direction - width!.direction))).toBeLessThan(0.02);
  });
});
