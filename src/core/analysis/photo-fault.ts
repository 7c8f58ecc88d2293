import { SuturaError } from '../errors/sutura-error.js';
import { describeUnreadable, type ImageVerdict } from '../images/image.js';
import { scaleFault } from '../measurement/scale-plausibility.js';
import type { JobRequest } from './analysis-job.js';
import { captureFault } from './capture-time.js';

/** Why a photo is not analysed as it is asked for: `image.unreadable`, `calibration.implausible`, `capture.future`; null: it is. */
export function photoFault(
  verdict: ImageVerdict,
  { mmPerPixel, capturedAt }: Pick<JobRequest, 'mmPerPixel' | 'capturedAt'>,
  now: Date,
): SuturaError | null {
  if (!verdict.readable) return new SuturaError('image.unreadable', { detail: describeUnreadable(verdict.reason) });
  const fault = mmPerPixel === null ? null : scaleFault(mmPerPixel, verdict);
  return fault ?? (capturedAt === null ? null : captureFault(capturedAt, now));
}
