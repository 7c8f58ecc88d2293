import { SuturaError } from '../errors/sutura-error.js';

/** How far a sender's clock may be ahead of ours. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * Why a photo or a finding cannot be of that moment, as `capture.future`; null: it can. The one place where this is decided, whichever door it came
 * through. `earliest` is the first moment that is meant: of a day without a time the moment at which that day begins anywhere.
 */
export function captureFault(earliest: Date, now: Date): SuturaError | null {
  return earliest.getTime() - now.getTime() > CLOCK_SKEW_MS ? new SuturaError('capture.future') : null;
}
