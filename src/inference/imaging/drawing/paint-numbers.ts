import type { DrawnOutline } from '../../../core/analysis/photo-view.js';
import type { Ring } from '../../../core/measurement/polygon.js';
import type { BoundingBox, PixelPoint } from '../../../core/measurement/wound-result.js';
import { BRIGHT, DARK, doubleLine, paintDisc, paintStrokes, type RgbPicture } from './paint-strokes.js';
import { placeLabels } from './place-labels.js';
import { textWidth, writeText } from './stroke-letters.js';

/** Of the picture's longer side. */
const RADIUS_SHARE = 0.017;
const LEAST_RADIUS = 10;
/** Of the radius. */
const DIGIT_HEIGHT = 1.05;
const MOST_TEXT_WIDTH = 1.35;
/** Radii between label and outline from which a line leads from one to the other. */
const LEAD_FROM = 2.6;

/** An outline with its rings in the picture. */
export interface PlacedOutline extends DrawnOutline {
  readonly rings: readonly Ring[];
}

export interface NumberSpace {
  readonly taken: readonly BoundingBox[];
  readonly lines: readonly (readonly [PixelPoint, PixelPoint])[];
}

/** Each outline's number on a disc: dark for those that count, white for the others. */
export function paintNumbers(picture: RgbPicture, outlines: readonly PlacedOutline[], space: NumberSpace): void {
  const { width, height } = picture;
  const radius = Math.max(LEAST_RADIUS, Math.max(width, height) * RADIUS_SHARE);
  const numbered = outlines.filter((outline) => outline.number !== null);
  const places = placeLabels(
    numbered.map(({ rings }) => rings[0]!),
    { width, height, radius, ...space },
  );
  numbered.forEach(({ number, counted, rings }, index) => {
    const at = places[index];
    if (at === null || at === undefined) return;
    paintLead(picture, at, rings[0]!, radius);
    paintDisc(picture, at, radius, counted ? DARK : BRIGHT, counted ? BRIGHT : DARK);
    const text = String(number);
    const digits = Math.min(DIGIT_HEIGHT * radius, (MOST_TEXT_WIDTH * radius) / textWidth(text, 1));
    const corner = [at[0] - textWidth(text, digits) / 2, at[1] - digits / 2] as const;
    const ink = counted ? BRIGHT : DARK;
    const halfWidth = Math.max(0.7, digits * 0.085);
    paintStrokes(picture, writeText(text, digits, corner), {
      edge: ink,
      edgeHalfWidth: halfWidth,
      core: ink,
      coreHalfWidth: halfWidth,
    });
  });
}

function paintLead(picture: RgbPicture, at: PixelPoint, ring: Ring, radius: number): void {
  const away = ([x, y]: PixelPoint) => Math.hypot(x - at[0], y - at[1]);
  const nearest = ring.reduce((best, point) => (away(point) < away(best) ? point : best));
  if (away(nearest) > LEAD_FROM * radius) paintStrokes(picture, [[at, nearest]], doubleLine(0.8, 1.8));
}
