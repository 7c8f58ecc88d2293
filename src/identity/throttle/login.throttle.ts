import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { TokenBuckets } from './token-buckets.js';

/** A person logs in a few times a day, and a ward may share one address. */
const TRIES = { perSecond: 0.5, burst: 30 };

/** The throttle of logins, by address, or by browser where it is known. Tries on one name are counted apart, over all addresses (LoginFailures). */
@Injectable()
export class LoginThrottle {
  private readonly buckets = new TokenBuckets(TRIES);

  /** `rate.limited` with the seconds until the next try is allowed. */
  countTry(addressOrBrowser: string): void {
    const waitS = this.buckets.take(addressOrBrowser);
    if (waitS > 0) throw new SuturaError('rate.limited', { retryAfterS: waitS });
  }
}
