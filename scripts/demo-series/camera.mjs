const { cos, sin, PI } = Math;

/** Focal length as a share of the picture's width: a telephone's. */
const FOCAL_SHARE = 0.8;

/**
 * A pinhole camera over the plane of the skin. `aimMm` lies in the middle of the picture, `distanceMm` away; the camera leans by
 * `tiltDegrees` around the direction `axisDegrees` of the plane, and the picture is turned by `turnDegrees`.
 */
export function cameraOf({ width, height, distanceMm, tiltDegrees, axisDegrees, turnDegrees, aimMm }) {
  const [tilt, axis, turn] = [tiltDegrees, axisDegrees, turnDegrees].map((degrees) => (degrees * PI) / 180);
  const lean = [1, 0, 0, 0, cos(tilt), -sin(tilt), 0, sin(tilt), cos(tilt)];
  const rotation = product(product(spin(turn + axis), lean), spin(-axis));
  const onPlane = [rotation[0], rotation[1], 0, rotation[3], rotation[4], 0, rotation[6], rotation[7], distanceMm];
  const focal = FOCAL_SHARE * width;
  const toPicture = product([focal, 0, width / 2, 0, focal, height / 2, 0, 0, 1], onPlane);
  const fromMm = product(toPicture, [1, 0, -aimMm[0], 0, 1, -aimMm[1], 0, 0, 1]);
  const toMm = inverse(fromMm);
  return { width, height, toPx: (x, y) => carried(fromMm, x, y), toMm: (x, y) => carried(toMm, x, y) };
}

function spin(angle) {
  return [cos(angle), -sin(angle), 0, sin(angle), cos(angle), 0, 0, 0, 1];
}

function carried(m, x, y) {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
}

function product(a, b) {
  return a.map((_, at) => {
    const [row, column] = [at - (at % 3), at % 3];
    return a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6];
  });
}

function inverse([a, b, c, d, e, f, g, h, i]) {
  const adjugate = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  const determinant = a * adjugate[0] + b * adjugate[3] + c * adjugate[6];
  return adjugate.map((value) => value / determinant);
}
