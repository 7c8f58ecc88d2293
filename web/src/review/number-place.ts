import type { PhotoSize } from './editor-parts.js';

/** Of a bold figure of this font size. */
const FIGURE_WIDTH = 0.62;
/** Of the dark line around it. */
const EDGE = 0.15;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Where the number of an outline begins, in pixels of the photo: beside its top right corner, and whole within the photo. `y` is the line that it stands on. */
export function numberPlace(
  box: Box,
  label: string,
  fontSize: number,
  { widthPx, heightPx }: PhotoSize,
): { readonly x: number; readonly y: number } {
  const width = (label.length * FIGURE_WIDTH + EDGE) * fontSize;
  return {
    x: Math.max(0, Math.min(box.x + box.width, widthPx - width)),
    y: Math.min(box.y + fontSize, heightPx - EDGE * fontSize),
  };
}
