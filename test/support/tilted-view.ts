import type { Matrix3 } from '../../src/core/measurement/plane-scale.js';

const { abs, cos, PI, sin, sqrt } = Math;

/** A camera before a plane whose origin it looks at. */
export interface TiltedView {
  /** From the perpendicular. */
  readonly tiltDegrees: number;
  /** Of the direction in which it tilts, and of the picture about its middle. */
  readonly turnDegrees: number;
  readonly distanceMm: number;
  readonly focalPx: number;
  readonly pictureSize: number;
}

/** The exact homography from the picture's pixels to millimetres on the plane. */
export function homographyOf({ tiltDegrees, turnDegrees, distanceMm, focalPx, pictureSize }: TiltedView): Matrix3 {
  const [tilt, turn, middle] = [(tiltDegrees * PI) / 180, (turnDegrees * PI) / 180, pictureSize / 2];
  // Plane to camera: turn about the perpendicular, then tilt about the camera's x axis, then away by the distance.
  const [ax, bx] = [cos(turn), -sin(turn)];
  const [ay, by] = [cos(tilt) * sin(turn), cos(tilt) * cos(turn)];
  const [az, bz] = [sin(tilt) * sin(turn), sin(tilt) * cos(turn)];
  return invert([
    focalPx * ax + middle * az,
    focalPx * bx + middle * bz,
    middle * distanceMm,
    focalPx * ay + middle * az,
    focalPx * by + middle * bz,
    middle * distanceMm,
    az,
    bz,
    distanceMm,
  ]);
}

/** Where a pixel lies on the plane, written out once more: a test of the product's own must not lean on it. */
export function onPlane(m: Matrix3, x: number, y: number): readonly [number, number] {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
}

/** Depth in pixels inside a region of the plane that is given by its depth in millimetres. */
export function seenFrom(toMm: Matrix3, depthMm: (x: number, y: number) => number): (x: number, y: number) => number {
  const at = (x: number, y: number) => depthMm(...onPlane(toMm, x, y));
  return (x, y) => {
    const depth = at(x, y);
    const [dx, dy] = [at(x + 0.5, y) - at(x - 0.5, y), at(x, y + 0.5) - at(x, y - 0.5)];
    return depth / (sqrt(dx * dx + dy * dy) || 1);
  };
}

function invert(m: Matrix3): Matrix3 {
  const minor = (a: number, b: number, c: number, d: number) => m[a]! * m[d]! - m[b]! * m[c]!;
  const adjugate: Matrix3 = [
    minor(4, 5, 7, 8),
    -minor(1, 2, 7, 8),
    minor(1, 2, 4, 5),
    -minor(3, 5, 6, 8),
    minor(0, 2, 6, 8),
    -minor(0, 2, 3, 5),
    minor(3, 4, 6, 7),
    -minor(0, 1, 6, 7),
    minor(0, 1, 3, 4),
  ];
  const determinant = m[0] * adjugate[0] + m[1] * adjugate[3] + m[2] * adjugate[6];
  if (abs(determinant) < 1e-12) throw new Error('The view has no homography.');
  return adjugate.map((value) => value / determinant) as unknown as Matrix3;
}
