import type { PixelPoint, ScaleUsed } from './wound-result.js';

/** A 3x3 matrix, row by row. */
export type Matrix3 = readonly [number, number, number, number, number, number, number, number, number];

/** The map from pixels of the oriented photo to the plane of the skin. */
export interface PlaneScale {
  readonly source: 'marker' | 'client' | 'reviewer';
  /** From pixels of the oriented photo to millimetres on the plane, in homogeneous coordinates. Its origin and direction are arbitrary. */
  readonly toMm: Matrix3;
  /** One standard deviation of a length, in per cent of it. Of an area it is twice as much. */
  readonly uncertaintyPct: number;
}

/**
 * The assumed uncertainty of a caller's scale, whose origin is not stated: about a millimetre on a 5 cm ruler,
 * read at both ends.
 */
export const CLIENT_SCALE_UNCERTAINTY_PCT = 2;

/**
 * A scale without a card knows nothing of the camera's angle, and a photo taken at an angle shows everything too small. Bounds reach up to what an
 * angle of 45 degrees does, the greatest that is no reason for another photo where a card shows it: 1 / cos 45° - 1. It is a bias, and no error to both sides.
 */
const UNSEEN_TILT_SHARE = Math.SQRT2 - 1;

/** By how much an area or a length may be larger for an angle that nothing in the photo shows, as a share; 0 by a card. */
export function unseenTiltShare({ source }: Pick<PlaneScale, 'source'>): number {
  return source === 'marker' ? 0 : UNSEEN_TILT_SHARE;
}

/** The scale that a caller states: the same in every direction and place. `mmPerPixel` is of the oriented photo, above 0. */
export function clientScale(mmPerPixel: number): PlaneScale {
  return {
    source: 'client',
    toMm: [mmPerPixel, 0, 0, 0, mmPerPixel, 0, 0, 0, 1],
    uncertaintyPct: CLIENT_SCALE_UNCERTAINTY_PCT,
  };
}

/** A pixel's place on the plane, in millimetres. Not finite for a pixel on the plane's horizon. */
export function toMillimetres({ toMm: m }: PlaneScale, [x, y]: PixelPoint): readonly [number, number] {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
}

/** The pixel of a place on the plane. */
export function toPixel({ toMm: m }: PlaneScale, [x, y]: readonly [number, number]): PixelPoint {
  // The adjugate is the inverse but for a factor, which homogeneous coordinates do not know.
  const at = (first: number, second: number, third: number) => first * x + second * y + third;
  const w = at(m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]);
  return [
    at(m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4]) / w,
    at(m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5]) / w,
  ];
}

/** Millimetres that one pixel from left to right is long, around a pixel. Not finite on the plane's horizon. */
export function mmPerPixelAcross(scale: PlaneScale, [x, y]: PixelPoint): number {
  const [[left, top], [right, bottom]] = [toMillimetres(scale, [x - 0.5, y]), toMillimetres(scale, [x + 0.5, y])];
  return Math.hypot(right - left, bottom - top);
}

/** The scale of a stored result; those written before the matrix was kept know only the scale at their largest wound. */
export function planeScaleOf({ source, mmPerPixel, uncertaintyPct, pixelToMm }: ScaleUsed): PlaneScale | null {
  if (source === 'none' || mmPerPixel === null) return null;
  const toMm = (pixelToMm as Matrix3 | null | undefined) ?? [mmPerPixel, 0, 0, 0, mmPerPixel, 0, 0, 0, 1];
  return { source, toMm, uncertaintyPct: uncertaintyPct ?? 0 };
}

/** Millimetres per pixel around one pixel: the root of how many square millimetres a square pixel covers there. */
export function mmPerPixelAt({ toMm: m }: PlaneScale, [x, y]: PixelPoint): number {
  const w = m[6] * x + m[7] * y + m[8];
  // The Jacobian of a projective map has the determinant det(M) / w³.
  return Math.sqrt(Math.abs(determinant(m) / w ** 3));
}

function determinant(m: Matrix3): number {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}
