/** Longer side of the picture that the size classes speak of. */
const REFERENCE_SIDE_PX = 512;

export interface SizeClass {
  /** Labelled pixels where the picture is scaled to 512 pixels; from `fromPx` up to and without `toPx`. */
  readonly fromPx: number;
  /** null: no upper end. */
  readonly toPx: number | null;
}

export const SIZE_CLASSES: readonly SizeClass[] = [
  { fromPx: 0, toPx: 600 },
  { fromPx: 600, toPx: 2000 },
  { fromPx: 2000, toPx: 6000 },
  { fromPx: 6000, toPx: null },
];

/** A labelled area as it would be, were the picture's longer side 512 pixels. */
export function areaAtReferencePx(areaPx: number, widthPx: number, heightPx: number): number {
  return areaPx * (REFERENCE_SIDE_PX / Math.max(widthPx, heightPx)) ** 2;
}

export function isWithin({ fromPx, toPx }: SizeClass, areaPx: number): boolean {
  return areaPx >= fromPx && (toPx === null || areaPx < toPx);
}
