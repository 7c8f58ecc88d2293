import {
  countedBox,
  fittedSize,
  mmPerPixelIn,
  wholeView,
  type DrawnOutline,
  type PhotoView,
} from '../analysis/photo-view.js';
import type { AssessmentFindings } from '../followup/assessment.js';
import { planeScaleOf, type PlaneScale } from '../measurement/plane-scale.js';
import type { PhotoSize } from '../measurement/probability-map.js';
import { scaleBarFor } from '../measurement/scale-bar.js';
import type { BoundingBox, WoundResult } from '../measurement/wound-result.js';
import { isSameJson } from './same-content.js';

/** Pictures of a report are as large as paper shows them at 200 to 250 dots an inch. */
const OVERVIEW_SIDE_PX = 960;
const SCREEN_SIDE_PX = 2000;
const CLOSE_UP_SIDE_PX = 480;
const COMPARED_SIDE_PX = 480;
/** Skin around the wound, as a share of its longer side. */
const MARGIN = 0.25;
/** A close-up of a long, narrow wound is no strip. */
const LEAST_RATIO = 0.6;
/** Less of a photo shows nothing that is not blurred. */
const LEAST_FRAME_PX = 160;
const MOST_ENLARGED = 3;
const SHORTEST_LINE_PX = 60;
/** Of a comparison: a wound of a few millimetres has skin around it. */
const LEAST_COMPARED_MM = 20;

/** The photo of an assessment, as pictures of it are planned. */
export interface PlannedPhoto {
  readonly photo: PhotoSize;
  readonly outlines: readonly DrawnOutline[];
  readonly figures: AssessmentFindings['figures'];
  /** null where no figure is stated by it. */
  readonly scale: PlaneScale | null;
}

/** The outlines of the findings, and where the result is at hand the photo's other ones. */
export function planPhoto(findings: AssessmentFindings, result: WoundResult | null): PlannedPhoto {
  const { photo, figures } = findings;
  const measured = figures === null || figures.area.cm2 !== null;
  return {
    photo,
    figures,
    scale: measured ? planeScaleOf(findings.scale) : null,
    outlines: outlinesOf(findings, result),
  };
}

function outlinesOf({ outlines, outlineSource }: AssessmentFindings, result: WoundResult | null): DrawnOutline[] {
  // What a person drew takes the place of all that was found.
  if (result === null || outlineSource === 'reviewer_contour')
    return outlines.map((polygon, index) => ({ polygon, number: index + 1, counted: true }));
  return result.wounds.map(({ contour, index }) => ({
    polygon: contour,
    number: index + 1,
    counted: outlines.some((outline) => isSameJson(outline, contour)),
  }));
}

/** The whole photo with every outline numbered. */
export function overviewOf({ photo, outlines, figures, scale }: PlannedPhoto): PhotoView {
  const view = wholeView(photo, OVERVIEW_SIDE_PX, outlines, figures, scale);
  return showsLines(view) ? view : { ...view, distances: [], thin: true };
}

/** The whole photo for a screen, where outlines are drawn by who shows it. */
export function plainViewOf({ photo, outlines }: PlannedPhoto, tissueMap: Uint8Array | null): PhotoView {
  return { ...wholeView(photo, SCREEN_SIDE_PX, tissueMap === null ? [] : outlines, null, null), thin: true, tissueMap };
}

/** Lines over a tiny wound hide it: they stand in the close-up then. */
function showsLines({ distances, size, frame }: PhotoView): boolean {
  return distances.some(
    ([[x1, y1], [x2, y2]]) => (Math.hypot(x2 - x1, y2 - y1) * size.widthPx) / frame.width >= SHORTEST_LINE_PX,
  );
}

/** The wound and a little of the skin around it; null without an outline. */
export function closeUpOf(planned: PlannedPhoto, tissueMap: Uint8Array | null): PhotoView | null {
  const { photo, outlines, figures, scale } = planned;
  const whole = wholeView(photo, OVERVIEW_SIDE_PX, outlines, figures, scale);
  const box = countedBox(outlines);
  if (box === null) return null;
  const frame = frameAround(box, photo);
  const mmPerPixel = mmPerPixelIn(scale, box);
  return {
    frame,
    size: fittedSize({ widthPx: frame.width, heightPx: frame.height }, CLOSE_UP_SIDE_PX, MOST_ENLARGED),
    outlines: outlines.map((outline) => ({ ...outline, number: null })),
    thin: true,
    distances: showsLines(whole) || tissueMap !== null ? [] : whole.distances,
    scaleBar: mmPerPixel === null ? null : scaleBarFor(mmPerPixel, frame.width),
    tissueMap,
  };
}

/** Equally large squares around the wound of each photo: of as many centimetres where the photo has a scale. */
export function comparedViewsOf(photos: readonly PlannedPhoto[]): PhotoView[] {
  const placed = photos.map((planned) => {
    const { photo, outlines, scale } = planned;
    const box = countedBox(outlines) ?? { x: 0, y: 0, width: photo.widthPx, height: photo.heightPx };
    return {
      planned,
      box,
      sidePx: (1 + 2 * MARGIN) * Math.max(box.width, box.height),
      mmPerPixel: mmPerPixelIn(scale, box),
    };
  });
  const scaled = placed.map(({ sidePx, mmPerPixel }) => (mmPerPixel === null ? 0 : sidePx * mmPerPixel));
  const sideMm = Math.max(LEAST_COMPARED_MM, ...scaled);
  return placed.map(({ planned, box, sidePx, mmPerPixel }) => {
    const side = mmPerPixel === null ? Math.max(LEAST_FRAME_PX, sidePx) : sideMm / mmPerPixel;
    return {
      frame: { x: box.x + (box.width - side) / 2, y: box.y + (box.height - side) / 2, width: side, height: side },
      size: { widthPx: COMPARED_SIDE_PX, heightPx: COMPARED_SIDE_PX },
      outlines: planned.outlines.filter(({ counted }) => counted).map((outline) => ({ ...outline, number: null })),
      thin: true,
      distances: [],
      scaleBar: mmPerPixel === null ? null : scaleBarFor(mmPerPixel, side),
      tissueMap: null,
    };
  });
}

/** How wide a view is on the skin; null without a scale. */
export function widthCmOf({ frame, scaleBar }: PhotoView): number | null {
  return scaleBar === null ? null : ((scaleBar.mm / scaleBar.lengthPx) * frame.width) / 10;
}

function frameAround(box: BoundingBox, photo: PhotoSize): BoundingBox {
  const margin = 2 * MARGIN * Math.max(box.width, box.height);
  const [wide, high] = [box.width + margin, box.height + margin];
  const width = Math.min(photo.widthPx, Math.max(wide, LEAST_RATIO * high, LEAST_FRAME_PX));
  const height = Math.min(photo.heightPx, Math.max(high, LEAST_RATIO * wide, LEAST_FRAME_PX));
  const within = (middle: number, side: number, most: number) => Math.min(most - side, Math.max(0, middle - side / 2));
  return {
    x: within(box.x + box.width / 2, width, photo.widthPx),
    y: within(box.y + box.height / 2, height, photo.heightPx),
    width,
    height,
  };
}
