/** A length that can be read off a picture, by a bar in it. */
export interface ScaleBar {
  readonly mm: number;
  /** In pixels of the photo. */
  readonly lengthPx: number;
}

/** Round lengths, so that nobody has to reckon. */
const LENGTHS_MM = [1000, 500, 200, 100, 50, 20, 10, 5, 2, 1];
/** Of the width that is shown. */
const MOST_SHARE = 0.35;

/** The longest round bar that leaves the picture its room; null where even a millimetre does not, or the scale is none. */
export function scaleBarFor(mmPerPixel: number, shownWidthPx: number): ScaleBar | null {
  if (!(Number.isFinite(mmPerPixel) && mmPerPixel > 0)) return null;
  const mm = LENGTHS_MM.find((length) => length / mmPerPixel <= MOST_SHARE * shownWidthPx);
  return mm === undefined ? null : { mm, lengthPx: mm / mmPerPixel };
}
