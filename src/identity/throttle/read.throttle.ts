import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { Settings } from '../../platform/config/settings.js';
import { TokenBuckets } from './token-buckets.js';

/** The anti-abuse throttle of reads, per key (contract, Limits). A long poll is one request and counts once. */
@Injectable()
export class ReadThrottle {
  private readonly buckets: TokenBuckets;

  constructor({ limits }: Settings) {
    this.buckets = new TokenBuckets({ perSecond: limits.readsPerS, burst: limits.readBurst });
  }

  /** `rate.limited` with the seconds until the next read is allowed. */
  countRead(keyId: string): void {
    const waitS = this.buckets.take(keyId);
    if (waitS > 0) throw new SuturaError('rate.limited', { retryAfterS: waitS });
  }
}
