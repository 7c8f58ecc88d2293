import type { Matrix3 } from '../../../core/measurement/plane-scale.js';

export type Point = readonly [number, number];

export interface PointPair {
  readonly from: Point;
  readonly to: Point;
}

/**
 * The projective map that takes each `from` to its `to` with the least squared error (direct linear transformation on normalised
 * points; Hartley and Zisserman, Multiple View Geometry, 2nd ed., 4.4). At least four pairs, no three of four on a line: else null.
 */
export function fitHomography(pairs: readonly PointPair[]): Matrix3 | null {
  const from = normalisation(pairs.map((pair) => pair.from));
  const to = normalisation(pairs.map((pair) => pair.to));
  if (from === null || to === null) return null;
  // With the centroid at 0 the last entry cannot vanish: the points' centre does not lie on the horizon.
  const solution = solve(
    normalEquations(pairs.map((pair) => ({ from: project(from, pair.from), to: project(to, pair.to) }))),
  );
  const back = invert(to);
  if (solution === null || back === null) return null;
  return multiply(multiply(back, matrixOf([...solution, 1])), from);
}

/** The image of a point under the map. */
export function project(m: Matrix3, [x, y]: Point): Point {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
}

export function multiply(a: Matrix3, b: Matrix3): Matrix3 {
  return matrixOf(
    Array.from({ length: 9 }, (_, index) => {
      const [row, column] = [Math.floor(index / 3) * 3, index % 3];
      return a[row]! * b[column]! + a[row + 1]! * b[column + 3]! + a[row + 2]! * b[column + 6]!;
    }),
  );
}

/** null for a matrix that has no inverse. */
export function invert(m: Matrix3): Matrix3 | null {
  const cofactors = [
    m[4] * m[8] - m[5] * m[7],
    m[2] * m[7] - m[1] * m[8],
    m[1] * m[5] - m[2] * m[4],
    m[5] * m[6] - m[3] * m[8],
    m[0] * m[8] - m[2] * m[6],
    m[2] * m[3] - m[0] * m[5],
    m[3] * m[7] - m[4] * m[6],
    m[1] * m[6] - m[0] * m[7],
    m[0] * m[4] - m[1] * m[3],
  ];
  const determinant = m[0] * cofactors[0]! + m[1] * cofactors[3]! + m[2] * cofactors[6]!;
  if (!Number.isFinite(1 / determinant)) return null;
  return matrixOf(cofactors.map((value) => value / determinant));
}

function matrixOf(nine: readonly number[]): Matrix3 {
  return nine as Matrix3;
}

/** The greatest and the least factor, over all directions, by which the map stretches the surroundings of a point. */
export function stretchAt(m: Matrix3, point: Point): { readonly most: number; readonly least: number } {
  const w = m[6] * point[0] + m[7] * point[1] + m[8];
  const [u, v] = project(m, point);
  const [xx, xy] = [(m[0] - u * m[6]) / w, (m[1] - u * m[7]) / w];
  const [yx, yy] = [(m[3] - v * m[6]) / w, (m[4] - v * m[7]) / w];
  // Singular values of the 2x2 Jacobian.
  const sum = Math.hypot(xx + yy, xy - yx);
  const difference = Math.hypot(xx - yy, xy + yx);
  return { most: (sum + difference) / 2, least: Math.abs(sum - difference) / 2 };
}

/** Moves the centroid to 0 and the mean distance from it to √2. */
function normalisation(points: readonly Point[]): Matrix3 | null {
  const [x, y] = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis]!, 0) / points.length) as [
    number,
    number,
  ];
  const spread = points.reduce((sum, point) => sum + Math.hypot(point[0] - x, point[1] - y), 0) / points.length;
  if (!(spread > 0)) return null;
  const scale = Math.SQRT2 / spread;
  return [scale, 0, -scale * x, 0, scale, -scale * y, 0, 0, 1];
}

/** AᵀA and Aᵀb of the eight unknowns, as rows of nine. */
function normalEquations(pairs: readonly PointPair[]): number[][] {
  const system = Array.from({ length: 8 }, () => new Array<number>(9).fill(0));
  for (const {
    from: [x, y],
    to: [u, v],
  } of pairs) {
    for (const row of [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ]) {
      for (let i = 0; i < 8; i += 1) for (let j = 0; j < 9; j += 1) system[i]![j]! += row[i]! * row[j]!;
    }
  }
  return system;
}

/** Solves a system of rows with the right side last, by Gauss’s elimination with row pivots; null where it is singular. Changes the rows. */
export function solve(rows: number[][]): number[] | null {
  const size = rows.length;
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let row = column + 1; row < size; row += 1)
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    if (Math.abs(rows[pivot]![column]!) < 1e-12) return null;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let row = 0; row < size; row += 1) {
      if (row === column) continue;
      const factor = rows[row]![column]! / rows[column]![column]!;
      for (let at = column; at <= size; at += 1) rows[row]![at]! -= factor * rows[column]![at]!;
    }
  }
  return rows.map((row, index) => row[size]! / row[index]!);
}
