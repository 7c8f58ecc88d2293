import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { TokenBuckets } from './token-buckets.js';

const FAILURES_PER_MINUTE = 20;

/**
 * Slows down guessing, per address. Only failures count and only failures are refused: a good key behind the same
 * address as a misconfigured one keeps working.
 */
@Injectable()
export class FailedLoginThrottle {
  private readonly buckets = new TokenBuckets({ perSecond: FAILURES_PER_MINUTE / 60, burst: FAILURES_PER_MINUTE });

  /** The error to throw for a failed try: `failure` itself, or `rate.limited` once there were too many. */
  throttledFault(address: string, failure: SuturaError): SuturaError {
    const waitS = this.buckets.take(address);
    return waitS > 0 ? new SuturaError('rate.limited', { retryAfterS: waitS }) : failure;
  }
}
