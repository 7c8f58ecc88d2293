import { isBeforeBirth } from '../patients/patient-age.js';
import { ClinicalTime } from '../times/clinical-time.js';
import { captureFault, CLOCK_SKEW_MS } from './photo-fault.js';

/** No phone or camera that writes EXIF is older; clocks that were never set begin in 1970 or 1980. */
const FIRST_YEAR = 1990;

/** By what the time of a camera is judged. */
export interface CameraTimeBounds {
  readonly now: Date;
  /** When the photo came here; null: it comes now. */
  readonly storedAt: Date | null;
  /** Of the patient; null: not known. */
  readonly birthDate: string | null;
}

/** The time that a camera wrote into its photo, where it can be; null: none, or one that no photo of this patient was taken at. */
export function usableCameraTime(
  text: string | null | undefined,
  { now, storedAt, birthDate }: CameraTimeBounds,
): ClinicalTime | null {
  const taken = ClinicalTime.read(text);
  if (taken === null || captureFault(taken.earliest, now) !== null) return null;
  const [first, last] = [taken.earliest.getTime(), (storedAt ?? now).getTime() + CLOCK_SKEW_MS];
  const isPossible = Number(taken.text.slice(0, 4)) >= FIRST_YEAR && first <= last;
  return isPossible && !isBeforeBirth(birthDate, new Date(endOf(taken))) ? taken : null;
}

/** Of a day its end, wherever it was. */
function endOf(taken: ClinicalTime): number {
  return taken.spanIn('Etc/GMT+12').high.getTime() - 1;
}
