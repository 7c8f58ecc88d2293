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
  private readonly failures: TokenBuckets;
  private readonly lookUps: TokenBuckets;
  private readonly calls: TokenBuckets;

  constructor({ limits }: Settings) {
    const { readsPerS: perSecond, readBurst: burst } = limits;
    this.browsers = new TokenBuckets({ perSecond, burst });
    const ofPlace = { perSecond: perSecond * PEOPLE_PER_ADDRESS, burst: burst * PEOPLE_PER_ADDRESS };
    [this.places, this.lookUps, this.calls] = [1, 2, 3].map(() => new TokenBuckets(ofPlace)) as [
      TokenBuckets,
      TokenBuckets,
      TokenBuckets,
    ];
    this.failures = new TokenBuckets({ perSecond, burst });
  }

  /** `browser`: by what it is known from launches before; null: it is not. `rate.limited` with the seconds until the next launch is allowed. */
  countLaunch(ehrId: string, browser: string | null, address: string): void {
    const waitS =
      (browser === null ? 0 : this.browsers.take(`${ehrId} ${browser}`)) || this.places.take(`${ehrId} ${address}`);
    if (waitS > 0) throw new SuturaError('rate.limited', { retryAfterS: waitS });
  }

  /** Of an EHR that asks for cards, with each chart that a hospital opens. `rate.limited`. */
  countCall(ehrId: string): void {
    const waitS = this.calls.take(ehrId);
    if (waitS > 0) throw new SuturaError('rate.limited', { retryAfterS: waitS });
  }

  /** Before anything is looked up that a stranger may have made up. Widely, since colleagues who launch as they should have the same address. `rate.limited`. */
  requireTurn(address: string): void {
    const waitS = this.lookUps.waitOf(address);
    if (waitS > 0) throw new SuturaError('rate.limited', { retryAfterS: waitS });
  }

  /** What was looked up was not there. Returns what to tell: `failure` itself, or `rate.limited` where that address did it too often. */
  failed<T>(address: string, failure: T): T | SuturaError {
    this.lookUps.take(address);
    const waitS = this.failures.take(address);
    return waitS > 0 ? new SuturaError('rate.limited', { retryAfterS: waitS }) : failure;
  }
}
