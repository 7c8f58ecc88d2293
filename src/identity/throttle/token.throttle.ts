import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { TokenBuckets } from './token-buckets.js';

/** A token lives five minutes, so that a client asks a few times an hour. Signatures are dear to check. */
const REQUESTS = { perSecond: 5, burst: 20 };
/** Of all addresses together, in one process: enough for thirty thousand clients, and no flood takes the time of those who have a token. */
const ALL_REQUESTS = { perSecond: 100, burst: 200 };
const ALL = 'all';

/** The throttle of token requests, per address and in all. */
@Injectable()
export class TokenThrottle {
  private readonly buckets = new TokenBuckets(REQUESTS);
  private readonly all = new TokenBuckets(ALL_REQUESTS);

  /** `rate.limited` with the seconds until the next request is allowed. */
  countRequest(address: string): void {
    const waitS = this.buckets.take(address);
    if (waitS > 0) throw refusal(waitS, 'Too many token requests.');
    const restS = this.all.take(ALL);
    if (restS > 0) throw refusal(restS, 'Too many clients ask for tokens at once.');
  }
}

function refusal(retryAfterS: number, reason: string): SuturaError {
  return new SuturaError('rate.limited', {
    retryAfterS,
    detail: `${reason} Use a token until it ends, and ask again after Retry-After.`,
  });
}
