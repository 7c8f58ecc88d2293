import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { TokenBuckets } from './token-buckets.js';

/** A token lives five minutes, so that a client asks a few times an hour. Signatures are dear to check. */
const REQUESTS = { perSecond: 5, burst: 20 };

/** The throttle of token requests, per address. */
@Injectable()
export class TokenThrottle {
  private readonly buckets = new TokenBuckets(REQUESTS);

  /** `rate.limited` with the seconds until the next request is allowed. */
  countRequest(address: string): void {
    const waitS = this.buckets.take(address);
    if (waitS > 0)
      throw new SuturaError('rate.limited', {
        retryAfterS: waitS,
        detail: 'Too many token requests. Use a token until it ends, and ask again after Retry-After.',
      });
  }
}
