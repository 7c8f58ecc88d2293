import { SuturaError } from '../errors/sutura-error.js';

/** Millimetres a pixel that photos of wounds have: from a close-up of a large sensor to a whole body in a small picture. */
export const PLAUSIBLE_MM_PER_PIXEL = { from: 0.005, to: 5 } as const;
/** Plausible extents of the longer side of a wound photo, in mm. */
const PLAUSIBLE_SIDE_MM = { from: 5, to: 3000 } as const;

/** In pixels of the oriented photo. */
export interface PhotoSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Why a stated scale cannot be that of a photo of a wound, as `calibration.implausible`; null: it can. `size`: null where it is not known yet.
 * The one place where this is decided, whichever door the scale came through.
 */
export function scaleFault(mmPerPixel: number, size: PhotoSize | null): SuturaError | null {
  const { from, to } = PLAUSIBLE_MM_PER_PIXEL;
  if (!(mmPerPixel >= from && mmPerPixel <= to))
    return implausible(
      `A photo of a wound has ${from} to ${to} mm a pixel. State millimetres per pixel, not pixels per millimetre, or leave the scale out.`,
    );
  if (size === null) return null;
  const sideMm = Math.max(size.widthPx, size.heightPx) * mmPerPixel;
  if (sideMm > PLAUSIBLE_SIDE_MM.to)
    return implausible(
      'With this scale the photo shows more than 3 m. State millimetres per pixel of the photo as it was uploaded, or leave the scale out.',
    );
  if (sideMm < PLAUSIBLE_SIDE_MM.from)
    return implausible(
      'With this scale the photo shows less than 5 mm. State millimetres per pixel of the photo as it was uploaded, or leave the scale out.',
    );
  return null;
}

function implausible(detail: string): SuturaError {
  return new SuturaError('calibration.implausible', { detail });
}
