import type { PixelPoint } from '../../../core/measurement/wound-result.js';
import { ringContains } from '../../../core/measurement/polygon.js';
import { numbersFrom } from '../../../../test/support/drawn-shapes.js';
import { plainLabelPlaces } from '../../../../test/support/plain-label-places.js';
import { processorMs } from '../../../../test/support/processor-time.js';
import { eachSeed, seedsOf } from '../../../../test/support/rounds.js';
import { placeLabels, type LabelSpace } from './place-labels.js';

const RADIUS = 12;
const GROUND = { width: 640, height: 480, radius: RADIUS, taken: [], lines: [] };

function disc(x: number, y: number, radius: number, points = 60, phase: number | null = null): PixelPoint[] {
  return Array.from({ length: points }, (_, index): PixelPoint => {
    const angle = (index / points) * 2 * Math.PI;
    const away = radius * (phase === null ? 1 : 1 + 0.3 * Math.cos(5 * angle + phase));
    return [x + away * Math.cos(angle), y + away * Math.sin(angle)];
  });
}

/** Outlines of five waves, whatever of each other they cover, with two lines across each. */
function drawScene(
  seed: number,
  count: number,
  points: number,
  width = 640,
  height = 480,
): [PixelPoint[][], LabelSpace] {
  const next = numbersFrom(seed);
  const outlines = Array.from({ length: count }, () => {
    const [x, y, radius, phase] = [next() * width, next() * height, 5 + next() * 90, next() * 6];
    return disc(x, y, radius, points, phase);
  });
  const lines = outlines.flatMap((ring) =>
    [0, points / 4].map((from) => [ring[Math.floor(from)]!, ring[Math.floor(from + points / 2)]!] as const),
  );
  return [outlines, { ...GROUND, width, height, lines, taken: [{ x: 10, y: 400, width: 160, height: 70 }] }];
}

describe('labels of outlines', () => {
  it('are left out where the picture has no room', () => {
    expect(placeLabels([disc(10, 10, 4)], { ...GROUND, width: 20, height: 20 })).toEqual([null]);
  });

  it('never cover each other, leave the picture or stand where something else does', () => {
    const taken = [{ x: 10, y: 400, width: 160, height: 70 }];
    return eachSeed('place-labels', seedsOf('place-labels', 40), (seed) => {
      const next = numbersFrom(seed);
      const outlines = Array.from({ length: 1 + Math.floor(next() * 20) }, () =>
        disc(next() * 640, next() * 480, 5 + next() * 90),
      );
      const places = placeLabels(outlines, { ...GROUND, taken }).filter((place) => place !== null);
      for (const [index, [x, y]] of places.entries()) {
        expect(x >= RADIUS && y >= RADIUS && x <= 640 - RADIUS && y <= 480 - RADIUS).toBe(true);
        expect(x + RADIUS < 10 || x - RADIUS > 170 || y + RADIUS < 400 || y - RADIUS > 470).toBe(true);
        for (const [px, py] of places.slice(0, index)) expect(Math.hypot(px - x, py - y)).toBeGreaterThan(2 * RADIUS);
      }
    });
  });

  it('stand where a plain comparison of every place with every edge puts them', () =>
    eachSeed('place-labels', seedsOf('place-labels', 60), (seed) => {
      const scene = drawScene(seed, 1 + (seed % 12), 3 + (seed % 30));
      expect(placeLabels(...scene)).toEqual(plainLabelPlaces(...scene));
    }));

  it('are found for 60 outlines before the plain comparison has placed eight, and for 240 not in sixteen times as long', () => {
    /** The compiler and the collector of garbage work for whichever of them comes first. */
    const leastMs = (work: () => void): number => Math.min(...[1, 2, 3].map(() => processorMs(work)));
    const few = drawScene(3, 60, 300, 1280, 960);
    const fewMs = leastMs(() => placeLabels(...few));
    expect(fewMs).toBeLessThan(leastMs(() => plainLabelPlaces(...drawScene(3, 8, 300))));
    const many = drawScene(3, 240, 300, 2560, 1920);
    expect(leastMs(() => placeLabels(...many)) / fewMs).toBeLessThan(10);
  });

  it('stand outside their wound where there is room, close to it, and within where there is none', () => {
    const small = disc(320, 240, 60);
    const [outside] = placeLabels([small], GROUND);
    const away = Math.hypot(outside![0] - 320, outside![1] - 240) - 60;
    expect(away).toBeGreaterThan(RADIUS);
    expect(away).toBeLessThan(3 * RADIUS);
    const whole = disc(320, 240, 600);
    expect(ringContains(whole, placeLabels([whole], GROUND)[0]!)).toBe(true);
  });

  it('stay off an outline of few points, as people draw them', () => {
    const drawn: PixelPoint[] = [
      [200, 100],
      [440, 100],
      [440, 300],
      [200, 300],
      [200, 100],
    ];
    const [[x, y]] = placeLabels([drawn], GROUND) as [PixelPoint];
    expect(x < 200 - RADIUS || x > 440 + RADIUS || y < 100 - RADIUS || y > 300 + RADIUS).toBe(true);
  });

  it('stay off the wounds beside theirs', () => {
    const outlines = [disc(200, 240, 60), disc(290, 180, 40)];
    const [first] = placeLabels(outlines, GROUND);
    expect(ringContains(outlines[1]!, first!)).toBe(false);
  });
});
