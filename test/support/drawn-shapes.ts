import type { ContentRegion, ProbabilityMap } from '../../src/core/measurement/probability-map.js';

const norm = (x: number, y: number) => Math.sqrt(x * x + y * y);

/** A drawn shape: how deep a point lies inside it (in pixels, negative outside), and its figures by formula. */
export interface DrawnShape {
  readonly depth: (x: number, y: number) => number;
  readonly area: number;
  readonly length: number;
  readonly width: number;
  readonly perimeter: number;
}

/** A map as a model gives it: 1 inside, 0 outside, linear over `softness` pixels at the border (real ones take two and more). */
export function drawMap(
  size: number,
  depth: DrawnShape['depth'],
  options: { content?: ContentRegion; softness?: number } = {},
): ProbabilityMap {
  const values = new Float32Array(size * size);
  const softness = options.softness ?? 2;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      values[row * size + column] = Math.min(1, Math.max(0, depth(column + 0.5, row + 0.5) / softness + 0.5));
    }
  }
  return { width: size, height: size, values, content: options.content ?? { x: 0, y: 0, width: size, height: size } };
}

/** The shape turned about the origin and moved to a centre. */
export function place(shape: DrawnShape, degrees: number, centreX: number, centreY = centreX): DrawnShape {
  const [along, across] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const depth = (x: number, y: number) => {
    const [dx, dy] = [x - centreX, y - centreY];
    return shape.depth(dx * along + dy * across, dy * along - dx * across);
  };
  return { ...shape, depth };
}

/** Around the origin, its longer half axis along x. */
export function ellipse(a: number, b: number): DrawnShape {
  const depth = (x: number, y: number) => {
    const r = norm(x / a, y / b);
    return (1 - r) * (r / (norm(x / a ** 2, y / b ** 2) || 1));
  };
  // Ramanujan's second approximation; its error is below a millionth here.
  const h = ((a - b) / (a + b)) ** 2;
  const perimeter = Math.PI * (a + b) * (1 + (3 * h) / (10 + Math.sqrt(4 - 3 * h)));
  return { depth, area: Math.PI * a * b, length: 2 * a, width: 2 * b, perimeter };
}

/** Five rounded points: the distance from the middle goes as 1 + 0.3 cos 5φ. */
export function star(radius: number): DrawnShape {
  const unit = radius / 1.3;
  const along = (angle: number) => unit * (1 + 0.3 * Math.cos(5 * angle));
  const slope = (angle: number) => -1.5 * unit * Math.sin(5 * angle);
  const depth = (x: number, y: number) => {
    const [angle, r] = [Math.atan2(y, x), norm(x, y)];
    return (along(angle) - r) / norm(1, slope(angle) / Math.max(r, unit * 0.2));
  };
  const outline = Array.from({ length: 3600 }, (_, step) => (step * Math.PI) / 1800).map(
    (angle) => [along(angle) * Math.cos(angle), along(angle) * Math.sin(angle)] as const,
  );
  return { depth, area: Math.PI * unit ** 2 * (1 + 0.3 ** 2 / 2), ...extentOf(outline) };
}

/** A half ring of round ends: all points within `halfWidth` of a half circle. */
export function crescent(radius: number, halfWidth: number): DrawnShape {
  const depth = (x: number, y: number) =>
    halfWidth - (y >= 0 ? Math.abs(norm(x, y) - radius) : norm(Math.abs(x) - radius, y));
  return {
    depth,
    area: 2 * halfWidth * Math.PI * radius + Math.PI * halfWidth ** 2,
    length: 2 * (radius + halfWidth),
    width: radius + 2 * halfWidth,
    perimeter: 2 * Math.PI * radius + 2 * Math.PI * halfWidth,
  };
}

/** An ellipse with a round hole in it; length, width and perimeter are the outer border's. */
export function ellipseWithHole(a: number, b: number, holeRadius: number): DrawnShape {
  const [outer, hole] = [ellipse(a, b), ellipse(holeRadius, holeRadius)];
  return { ...outer, depth: (x, y) => Math.min(outer.depth(x, y), -hole.depth(x, y)), area: outer.area - hole.area };
}

/** By looking at every pair of points of a fine outline. */
function extentOf(outline: readonly (readonly [number, number])[]): Pick<DrawnShape, 'length' | 'width' | 'perimeter'> {
  let [length, angle, perimeter] = [0, 0, 0];
  outline.forEach(([x, y], index) => {
    const [nextX, nextY] = outline[(index + 1) % outline.length]!;
    perimeter += norm(nextX - x, nextY - y);
    for (let other = index + 1; other < outline.length; other += 7) {
      const distance = norm(outline[other]![0] - x, outline[other]![1] - y);
      if (distance > length) [length, angle] = [distance, Math.atan2(outline[other]![1] - y, outline[other]![0] - x)];
    }
  });
  const across = outline.map(([x, y]) => y * Math.cos(angle) - x * Math.sin(angle));
  return { length, width: Math.max(...across) - Math.min(...across), perimeter };
}

/** A smooth shape by chance, about twice as long as wide; `next` gives numbers from 0 to 1. */
export function randomShape(radius: number, next: () => number): DrawnShape {
  const waves = [2, 3, 4, 5].map((order) => ({
    order,
    height: (order === 2 ? 0.25 : 0.16 / order) * (0.6 + 0.4 * next()),
    phase: 2 * Math.PI * next(),
  }));
  const along = (angle: number) =>
    radius * waves.reduce((sum, { order, height, phase }) => sum + height * Math.cos(order * angle + phase), 1);
  const slope = (angle: number) =>
    radius * waves.reduce((sum, { order, height, phase }) => sum - order * height * Math.sin(order * angle + phase), 0);
  const depth = (x: number, y: number) => {
    const [angle, r] = [Math.atan2(y, x), norm(x, y)];
    return (along(angle) - r) / norm(1, slope(angle) / Math.max(r, radius * 0.2));
  };
  const outline = Array.from({ length: 1800 }, (_, step) => (step * Math.PI) / 900).map(
    (angle) => [along(angle) * Math.cos(angle), along(angle) * Math.sin(angle)] as const,
  );
  const area = Math.PI * radius ** 2 * (1 + waves.reduce((sum, { height }) => sum + height ** 2 / 2, 0));
  return { depth, area, ...extentOf(outline) };
}

/** Park and Miller's minimal standard generator: the same numbers at each run. */
export function numbersFrom(seed: number): () => number {
  let state = (seed * 7919) % 2147483647;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}
