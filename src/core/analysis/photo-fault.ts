import { SuturaError } from '../errors/sutura-error.js';
import { unreadableFault, type ImageVerdict } from '../images/image.js';
import { regionFault } from '../measurement/photo-region.js';
import { scaleFault } from '../measurement/scale-plausibility.js';
import type { JobRequest } from './analysis-job.js';

/** Why a photo is not analysed as it is asked for: `image.unreadable`, `image.damaged`, `calibration.implausible`, `region.outside_photo`, `capture.future`; null: it is. */
export function photoFault(
  verdict: ImageVerdict,
  {
    mmPerPixel,
    capturedAt,
    subject,
  }: Pick<JobRequest, 'mmPerPixel' | 'capturedAt'> & Partial<Pick<JobRequest, 'subject'>>,
  now: Date,
): SuturaError | null {
  if (!verdict.readable) return unreadableFault(verdict.reason);
  const fault = mmPerPixel === null ? null : scaleFault(mmPerPixel, verdict);
  if (fault !== null) return fault;
  const outside = subject?.region === undefined ? null : regionFault(subject.region, verdict);
  if (outside !== null) return new SuturaError('region.outside_photo', { detail: sentence(outside) });
  return capturedAt === null ? null : captureFault(capturedAt, now);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
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
