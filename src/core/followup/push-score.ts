import type { ClinicianObservations, ExudateAmount } from '../analysis/clinician-observations.js';
import { PUSH_PARTS, type PushScore } from '../measurement/wound-result.js';
import { PUSH_TISSUES, type PushTissue } from '../tissue/tissues.js';

// PUSH Tool 3.0: length × width in cm². Below the first limit 1, up to and including each further one 2 to 9, above the last 10.
const AREA_LIMITS_CM2 = [0.3, 0.6, 1, 2, 3, 4, 8, 12, 24];
const EXUDATE_SCORES: Readonly<Record<ExudateAmount, number>> = { none: 0, light: 1, moderate: 2, heavy: 3 };

/**
 * PUSH 3.0 from what a clinician measured and confirmed; a photo's own figures feed none of it.
 * @param confirmedTissue the worst tissue that a clinician confirmed, null where none was
 */
export function pushScore(observations: ClinicianObservations | null, confirmedTissue: PushTissue | null): PushScore {
  const { lengthCm, widthCm, exudate } = observations ?? {};
  const parts = {
    area: lengthCm === undefined || widthCm === undefined ? null : areaScore(lengthCm * widthCm),
    tissue: confirmedTissue === null ? null : PUSH_TISSUES.indexOf(confirmedTissue),
    exudate: exudate === undefined ? null : EXUDATE_SCORES[exudate],
  };
  const missing = PUSH_PARTS.filter((part) => parts[part] === null);
  const total = missing.length > 0 ? null : PUSH_PARTS.reduce((sum, part) => sum + (parts[part] ?? 0), 0);
  return { ...parts, total, missing };
}

function areaScore(productCm2: number): number {
  if (productCm2 === 0) return 0;
  if (productCm2 < AREA_LIMITS_CM2[0]!) return 1;
  // The form names ranges by tenths; what lies between two of them is rounded.
  const tenths = Math.round(productCm2 * 10) / 10;
  const range = AREA_LIMITS_CM2.findIndex((limit, index) => index > 0 && tenths <= limit);
  return range < 0 ? AREA_LIMITS_CM2.length + 1 : range + 1;
}
