import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import { rounded } from '../measurement/rounded.js';
import type { SeriesFindings } from './assessment.js';

/** A ruler that is laid from head to toe is not the longest axis, and a photo is not exact: less is no contradiction. */
const SIDES_FACTOR = 1.5;
const AREA_FACTOR = 2;
/** Of an ellipse in its length times its width: a quarter of pi. */
const ELLIPSE_SHARE = 0.785;

/**
 * By what factor the size by the bedside ruler and by the photo differ: both sides in one direction, longer with longer; or the area and
 * that of an ellipse of the stated sides. null: no more than they may, or not known. The cheapest check of scale, wound and patient.
 */
export function sizeMismatch(
  { figures }: Pick<SeriesFindings, 'figures'>,
  observations: ClinicianObservations | null,
): number | null {
  const { lengthCm, widthCm } = observations ?? {};
  const [length, width, area] = [figures?.length.cm, figures?.width.cm, figures?.area.cm2];
  if (lengthCm === undefined || widthCm === undefined || !length || !width || !area) return null;
  if (Math.min(lengthCm, widthCm, length.value, width.value, area.value) <= 0) return null;
  const long = Math.max(lengthCm, widthCm) / Math.max(length.value, width.value);
  const short = Math.min(lengthCm, widthCm) / Math.min(length.value, width.value);
  const areas = factorOf((lengthCm * widthCm * ELLIPSE_SHARE) / area.value);
  const isSizeOff = long > 1 === short > 1 && Math.min(factorOf(long), factorOf(short)) > SIDES_FACTOR;
  return isSizeOff || areas > AREA_FACTOR ? rounded(Math.max(factorOf(long), factorOf(short)), 1) : null;
}

function factorOf(ratio: number): number {
  return Math.max(ratio, 1 / ratio);
}
