import {
  clientScale,
  CLIENT_SCALE_UNCERTAINTY_PCT,
  mmPerPixelAcross,
  mmPerPixelAt,
  toMillimetres,
  toPixel,
  type PlaneScale,
} from './plane-scale.js';

const receding: PlaneScale = {
  source: 'marker',
  toMm: [0.2, 0.01, -10, 0, 0.25, -20, 0.0001, -0.0005, 1.1],
  uncertaintyPct: 1,
};

describe('a plane’s scale', () => {
  it('of a caller is the same everywhere, and no more certain than a ruler', () => {
    const scale = clientScale(0.25);
    expect(scale).toMatchObject({ source: 'client', uncertaintyPct: CLIENT_SCALE_UNCERTAINTY_PCT });
    expect(toMillimetres(scale, [40, 8])).toEqual([10, 2]);
    expect([mmPerPixelAt(scale, [0, 0]), mmPerPixelAt(scale, [4000, 3000])]).toEqual([0.25, 0.25]);
  });

  it('of an oblique view differs from place to place as the plane recedes', () => {
    const oblique: PlaneScale = {
      source: 'marker',
      toMm: [0.2, 0, -10, 0, 0.25, -20, 0, -0.0005, 1.1],
      uncertaintyPct: 1,
    };
    expect(mmPerPixelAt(oblique, [300, 900])).toBeGreaterThan(mmPerPixelAt(oblique, [300, 100]));
    for (const place of [
      [300, 100],
      [10, 700],
    ] as const) {
      const step = 1e-3;
      const [origin, right, down] = [
        toMillimetres(oblique, place),
        toMillimetres(oblique, [place[0] + step, place[1]]),
        toMillimetres(oblique, [place[0], place[1] + step]),
      ];
      const area =
        ((right[0] - origin[0]) * (down[1] - origin[1]) - (right[1] - origin[1]) * (down[0] - origin[0])) / step ** 2;
      expect(mmPerPixelAt(oblique, place)).toBeCloseTo(Math.sqrt(area), 4);
    }
  });

  it('is the same whatever the matrix is multiplied by', () => {
    const scale: PlaneScale = {
      source: 'marker',
      toMm: [0.2, 0.01, -10, 0, 0.25, -20, 0.0001, -0.0005, 1.1],
      uncertaintyPct: 1,
    };
    const toMm = scale.toMm.map((value) => -3 * value) as unknown as PlaneScale['toMm'];
    expect(mmPerPixelAt({ ...scale, toMm }, [200, 300])).toBeCloseTo(mmPerPixelAt(scale, [200, 300]), 12);
  });

  it('finds the pixel of a place again', () => {
    for (const place of [
      [12, 40],
      [300, 900],
      [1999, 1],
    ] as const) {
      const [x, y] = toPixel(receding, toMillimetres(receding, place));
      expect(x).toBeCloseTo(place[0], 6);
      expect(y).toBeCloseTo(place[1], 6);
    }
  });

  it('is shorter across than down where the camera looks along the skin', () => {
    const tilted = clientScale(0.2);
    const foreshortened: PlaneScale = { ...tilted, toMm: [0.2, 0, 0, 0, 0.4, 0, 0, 0, 1] };
    expect(mmPerPixelAcross(foreshortened, [50, 50])).toBeCloseTo(0.2, 9);
    expect(mmPerPixelAt(foreshortened, [50, 50])).toBeCloseTo(Math.sqrt(0.08), 9);
  });
});
