import { SuturaError } from '../errors/sutura-error.js';
import { unreadableFault, type ImageVerdict } from '../images/image.js';
import { scaleFault } from '../measurement/scale-plausibility.js';
import type { JobRequest } from './analysis-job.js';

/** Why a photo is not analysed as it is asked for: `image.unreadable`, `image.damaged`, `calibration.implausible`, `capture.future`; null: it is. */
export function photoFault(
  verdict: ImageVerdict,
  { mmPerPixel, capturedAt }: Pick<JobRequest, 'mmPerPixel' | 'capturedAt'>,
  now: Date,
): SuturaError | null {
  if (!verdict.readable) return unreadableFault(verdict.reason);
  const fault = mmPerPixel === null ? null : scaleFault(mmPerPixel, verdict);
  return fault ?? (capturedAt === null ? null : captureFault(capturedAt, now));
}

/** Tolerance for a sender's clock that is ahead of ours. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * Why a photo or a finding cannot be of that moment, as `capture.future`; null: it can. The one place where this is decided, whichever door it came
 * through. `earliest` is the first moment that is meant: of a day without a time the moment at which that day begins anywhere.
 */
export function captureFault(earliest: Date, now: Date): SuturaError | null {
  return earliest.getTime() - now.getTime() > CLOCK_SKEW_MS ? new SuturaError('capture.future') : null;
}
