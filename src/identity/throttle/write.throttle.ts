import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { Caller } from '../../core/tenancy/api-key.js';
import { Settings } from '../../platform/config/settings.js';
import { TokenBuckets } from './token-buckets.js';

/**
 * The throttle of writes, per key and per organization, so that no key and no organization takes the turn of others.
 */
@Injectable()
export class WriteThrottle {
  private readonly keys: TokenBuckets;
  private readonly organizations: TokenBuckets;

  constructor({ limits }: Settings) {
    this.keys = new TokenBuckets({ perSecond: limits.writesPerS, burst: limits.writeBurst });
    this.organizations = new TokenBuckets({
      perSecond: limits.organizationWritesPerS,
      burst: limits.organizationWriteBurst,
    });
  }

  /** `rate.limited` with the seconds until the next write is allowed. */
  countWrite({ keyId, organizationId }: Pick<Caller, 'keyId' | 'organizationId'>): void {
    // A call that the key's own bucket refuses takes nothing from the organization's.
    const waitS = this.keys.take(keyId) || this.organizations.take(organizationId);
    if (waitS > 0)
      throw new SuturaError('rate.limited', {
        retryAfterS: waitS,
        detail:
          'Too many writes at once. Slow down and try again after Retry-After, or send several resources as one Bundle.',
      });
  }
}
