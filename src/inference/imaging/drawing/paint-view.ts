import type { DrawnOutline, PhotoView } from '../../../core/analysis/photo-view.js';
import type { Ring } from '../../../core/measurement/polygon.js';
import type { BoundingBox, PixelPoint } from '../../../core/measurement/wound-result.js';
import { paintNumbers } from './paint-numbers.js';
import { placeScaleBar, paintScaleBar } from './paint-scale-bar.js';
import { dashed, doubleLine, paintStrokes, type RgbPicture, type Stroke } from './paint-strokes.js';
import { paintTissue, type TissueAt } from './paint-tissue.js';

const REFERENCE_SIDE_PX = 1600;
const LEAST_SCALE = 0.85;
/** Half widths at the reference size. */
const OUTLINE = { core: 1.25, edge: 3 };
const THIN_OUTLINE = { core: 0.9, edge: 2 };
const DISTANCE = { core: 1, edge: 2.4 };
const TICK = 11;
const DASH = { on: 16, off: 11 };

/** From pixels of the photo to those of the picture. */
export type ToPicture = (point: PixelPoint) => PixelPoint;

/** Draws everything of a view over its part of the photo. */
export function paintView(picture: RgbPicture, view: PhotoView, place: ToPicture, tissueAt: TissueAt | null): void {
  const size = Math.max(LEAST_SCALE, Math.max(picture.width, picture.height) / REFERENCE_SIDE_PX);
  const outlines = view.outlines.map((outline) => ({ ...outline, rings: ringsOf(outline, place) }));
  const counted = outlines.filter((outline) => outline.counted);
  if (tissueAt !== null) for (const { rings } of counted) paintTissue(picture, rings, tissueAt);
  const { core, edge } = view.thin ? THIN_OUTLINE : OUTLINE;
  const pen = doubleLine(core * size, edge * size);
  const dashes = outlines
    .filter((outline) => !outline.counted)
    .flatMap(({ rings }) => rings.flatMap((ring) => dashed(ring, DASH.on * size, DASH.off * size)));
  paintStrokes(picture, dashes, pen);
  paintStrokes(
    picture,
    counted.flatMap(({ rings }) => rings),
    pen,
  );
  const lines = view.distances.map(([from, to]) => [place(from), place(to)] as const);
  const distancePen = doubleLine(DISTANCE.core * size, DISTANCE.edge * size);
  for (const line of lines) paintStrokes(picture, withEnds(line, TICK * size), distancePen);
  const taken = paintBar(
    picture,
    view,
    place,
    counted.flatMap(({ rings }) => rings),
  );
  paintNumbers(picture, outlines, { lines, taken });
}

function paintBar(
  picture: RgbPicture,
  { scaleBar, frame }: PhotoView,
  place: ToPicture,
  avoided: readonly Ring[],
): BoundingBox[] {
  if (scaleBar === null) return [];
  const lengthPx = place([frame.x + scaleBar.lengthPx, frame.y])[0] - place([frame.x, frame.y])[0];
  const bar = placeScaleBar(picture, { mm: scaleBar.mm, lengthPx }, avoided);
  paintScaleBar(picture, bar);
  return [bar.panel];
}

function ringsOf({ polygon }: DrawnOutline, place: ToPicture): Ring[] {
  return polygon.coordinates.map((ring) => ring.map(place));
}

/** A distance with a short line across each end. */
function withEnds([from, to]: readonly [PixelPoint, PixelPoint], tick: number): Stroke[] {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length === 0) return [];
  const [dx, dy] = [((to[1] - from[1]) * tick) / length, ((from[0] - to[0]) * tick) / length];
  const across = ([x, y]: PixelPoint): Stroke => [
    [x - dx, y - dy],
    [x + dx, y + dy],
  ];
  return [[from, to], across(from), across(to)];
}
