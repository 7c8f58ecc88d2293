import type { PixelPoint } from '../../../core/measurement/wound-result.js';
import { ringContains } from '../../../core/measurement/polygon.js';
import { numbersFrom } from '../../../../test/support/drawn-shapes.js';
import { placeLabels } from './place-labels.js';

const RADIUS = 12;
const GROUND = { width: 640, height: 480, radius: RADIUS, taken: [], lines: [] };

function disc(x: number, y: number, radius: number): PixelPoint[] {
  return Array.from({ length: 60 }, (_, index): PixelPoint => {
    const angle = (index / 60) * 2 * Math.PI;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

describe('labels of outlines', () => {
  it('are left out where the picture has no room', () => {
    expect(placeLabels([disc(10, 10, 4)], { ...GROUND, width: 20, height: 20 })).toEqual([null]);
  });

  it('never cover each other, leave the picture or stand where something else does', () => {
    const next = numbersFrom(11);
    const taken = [{ x: 10, y: 400, width: 160, height: 70 }];
    for (let run = 0; run < 40; run += 1) {
      const outlines = Array.from({ length: 1 + Math.floor(next() * 20) }, () =>
        disc(next() * 640, next() * 480, 5 + next() * 90),
      );
      const places = placeLabels(outlines, { ...GROUND, taken }).filter((place) => place !== null);
      for (const [index, [x, y]] of places.entries()) {
        expect(x >= RADIUS && y >= RADIUS && x <= 640 - RADIUS && y <= 480 - RADIUS).toBe(true);
        expect(x + RADIUS < 10 || x - RADIUS > 170 || y + RADIUS < 400 || y - RADIUS > 470).toBe(true);
        for (const [px, py] of places.slice(0, index)) expect(Math.hypot(px - x, py - y)).toBeGreaterThan(2 * RADIUS);
      }
    }
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
