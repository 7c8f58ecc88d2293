import { textWidth, WRITABLE, writeText } from './stroke-letters.js';

describe('signs in pictures', () => {
  it('are digits and the letters of units: anything else is refused', () => {
    expect([...WRITABLE].sort().join('')).toBe(' 0123456789cm');
    expect(() => writeText('5 km', 10, [0, 0])).toThrow('"k" cannot be written');
  });

  it.each([...'0123456789cm'])('%s lies within its box', (sign) => {
    const points = writeText(sign, 100, [0, 0]).flat();
    expect(points.length).toBeGreaterThan(2);
    for (const [x, y] of points) {
      expect(x).toBeGreaterThanOrEqual(-1);
      expect(x).toBeLessThanOrEqual(textWidth(sign, 100) + 1);
      expect(y).toBeGreaterThanOrEqual(-1);
      expect(y).toBeLessThanOrEqual(101);
    }
  });

  it('follow each other from left to right', () => {
    const [one, two] = [writeText('1', 20, [0, 0]).flat(), writeText('17', 20, [0, 0]).flat()];
    expect(two.slice(0, one.length)).toEqual(one);
    expect(Math.min(...two.slice(one.length).map(([x]) => x))).toBeGreaterThan(Math.max(...one.map(([x]) => x)));
    expect(textWidth('', 20)).toBe(0);
  });
});
