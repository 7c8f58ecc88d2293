import { drawPhoto, type DrawnPhoto } from '../../scripts/demo-series/draw-photo.mjs';
import { WOUND_COURSE, type WeekOfCourse } from '../../scripts/demo-series/wound-course.mjs';

export { WOUND_COURSE, type DrawnPhoto, type WeekOfCourse };

const WEEK_MS = 7 * 86_400_000;
/** Enough for the card; a test does not wait for more. */
const SIZE = { width: 1000, height: 750 };

/** One photo of a drawn wound's course, beside the calibration card. */
export interface SeriesPhoto extends DrawnPhoto {
  readonly week: number;
  readonly capturedAt: string;
}

/** The eight weekly photos that the demo draws, in plain colours for the test model; the first is of `start`. */
export async function drawWoundSeries(start: Date): Promise<SeriesPhoto[]> {
  const photos: SeriesPhoto[] = [];
  for (const week of WOUND_COURSE) {
    const capturedAt = new Date(start.getTime() + (week.week - 1) * WEEK_MS).toISOString();
    photos.push({ ...(await drawWeek(week)), week: week.week, capturedAt });
  }
  return photos;
}

export function drawWeek(week: WeekOfCourse): Promise<DrawnPhoto> {
  return drawPhoto(week, { plain: true, ...SIZE });
}

/** A GeoJSON polygon around the true wound of a photo, `share` of its size in each direction. */
export function contourOf(
  { outlinePx }: DrawnPhoto,
  share = 1,
): { readonly type: 'Polygon'; readonly coordinates: number[][][] } {
  const ring = outlinePx(share);
  return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] };
}
