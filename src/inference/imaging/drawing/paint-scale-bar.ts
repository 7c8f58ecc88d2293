import type { ScaleBar } from '../../../core/measurement/scale-bar.js';
import { ringBoundingBox, type Ring } from '../../../core/measurement/polygon.js';
import type { BoundingBox } from '../../../core/measurement/wound-result.js';
import { blend, BRIGHT, DARK, paintStrokes, type Pen, type RgbPicture } from './paint-strokes.js';
import { textWidth, writeText } from './stroke-letters.js';

/** Of the picture's longer side. */
const TEXT_SHARE = 0.021;
const LEAST_TEXT_PX = 13;
const PANEL_OPACITY = 0.72;
const MM_PER_CM = 10;
const RGB = 3;

/** A scale bar in a corner of the picture. */
export interface PlacedScaleBar {
  readonly text: string;
  readonly lengthPx: number;
  readonly textPx: number;
  readonly panel: BoundingBox;
}

/** In the corner where it hides least of these outlines; the lower left one where that is no matter. */
export function placeScaleBar(
  picture: RgbPicture,
  { mm, lengthPx }: ScaleBar,
  avoided: readonly Ring[],
): PlacedScaleBar {
  const text = mm < MM_PER_CM ? `${mm} mm` : `${mm / MM_PER_CM} cm`;
  const textPx = Math.max(LEAST_TEXT_PX, Math.max(picture.width, picture.height) * TEXT_SHARE);
  const [width, height] = [Math.max(lengthPx, textWidth(text, textPx)) + 1.6 * textPx, 3 * textPx];
  const gap = textPx * 0.6;
  const [right, bottom] = [picture.width - width - gap, picture.height - height - gap];
  const corners = [
    [gap, bottom],
    [right, bottom],
    [gap, gap],
    [right, gap],
  ] as const;
  const panels = corners.map(([x, y]) => ({ x, y, width, height }));
  const boxes = avoided.map((ring) => ringBoundingBox(ring));
  const hidden = (panel: BoundingBox) => boxes.reduce((sum, box) => sum + sharedArea(panel, box), 0);
  const panel = panels.reduce((best, one) => (hidden(one) < hidden(best) ? one : best));
  return { text, lengthPx, textPx, panel };
}

/** White on a dark panel, which is seen on every skin. */
export function paintScaleBar(picture: RgbPicture, { text, lengthPx, textPx, panel }: PlacedScaleBar): void {
  paintPanel(picture, panel);
  const middle = panel.x + panel.width / 2;
  const pen = whitePen(Math.max(0.9, textPx * 0.085));
  const corner = [middle - textWidth(text, textPx) / 2, panel.y + textPx * 0.6] as const;
  paintStrokes(picture, writeText(text, textPx, corner), pen);
  const [y, tick] = [panel.y + textPx * 2.3, textPx * 0.32];
  const [left, right] = [middle - lengthPx / 2, middle + lengthPx / 2];
  const ends = [left, right].map((x) => [[x, y - tick] as const, [x, y + tick] as const]);
  paintStrokes(
    picture,
    [
      [
        [left, y],
        [right, y],
      ],
      ...ends,
    ],
    pen,
  );
}

function whitePen(halfWidth: number): Pen {
  return { edge: BRIGHT, edgeHalfWidth: halfWidth, core: BRIGHT, coreHalfWidth: halfWidth };
}

function paintPanel({ width, height, pixels }: RgbPicture, panel: BoundingBox): void {
  const right = Math.min(width, Math.round(panel.x + panel.width));
  const bottom = Math.min(height, Math.round(panel.y + panel.height));
  for (let y = Math.max(0, Math.round(panel.y)); y < bottom; y += 1)
    for (let x = Math.max(0, Math.round(panel.x)); x < right; x += 1)
      blend(pixels, (y * width + x) * RGB, DARK, PANEL_OPACITY);
}

function sharedArea(one: BoundingBox, two: BoundingBox): number {
  const width = Math.min(one.x + one.width, two.x + two.width) - Math.max(one.x, two.x);
  const height = Math.min(one.y + one.height, two.y + two.height) - Math.max(one.y, two.y);
  return width > 0 && height > 0 ? width * height : 0;
}
