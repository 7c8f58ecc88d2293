import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { Settings } from '../../platform/config/settings.js';
import { TokenBuckets } from './token-buckets.js';

/** Colleagues at one address: a hospital goes out by one, and opens the desk with each chart. */
const PEOPLE_PER_ADDRESS = 10;

/** The throttle of launches: per browser, and widely per EHR and address, so that nobody is cut off by colleagues, nor a hospital by another. */
@Injectable()
export class LaunchThrottle {
  private readonly browsers: TokenBuckets;
  private readonly places: TokenBuckets;

  constructor({ limits }: Settings) {
    const { readsPerS: perSecond, readBurst: burst } = limits;
    this.browsers = new TokenBuckets({ perSecond, burst });
    this.places = new TokenBuckets({ perSecond: perSecond * PEOPLE_PER_ADDRESS, burst: burst * PEOPLE_PER_ADDRESS });
  }

  /** `browser`: by what it is known from launches before; null: it is not. `rate.limited` with the seconds until the next launch is allowed. */
  countLaunch(ehrId: string, browser: string | null, address: string): void {
    const waitS =
      (browser === null ? 0 : this.browsers.take(`${ehrId} ${browser}`)) || this.places.take(`${ehrId} ${address}`);
    if (waitS > 0) throw new SuturaError('rate.limited', { retryAfterS: waitS });
  }
}
