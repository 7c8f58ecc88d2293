import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { Settings } from '../../platform/config/settings.js';
import { TokenBuckets } from './token-buckets.js';

/** The anti-abuse throttle of reads, per key (contract, Limits). A long poll is one request and counts once. */
@Injectable()
export class ReadThrottle {
  private readonly buckets: TokenBuckets;

  constructor(settings: Settings) {
    const { SUTURA_READS_PER_S, SUTURA_READ_BURST } = settings.environment;
    this.buckets = new TokenBuckets({ perSecond: SUTURA_READS_PER_S, burst: SUTURA_READ_BURST });
  }

  /** `rate.limited` with the seconds until the next read is allowed. */
  countRead(keyId: string): void {
    const waitS = this.buckets.take(keyId);
    if (waitS > 0) throw new SuturaError('rate.limited', { retryAfterS: waitS });
  }
}
