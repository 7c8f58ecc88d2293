import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { ehrAddressFault } from '../../core/ehrs/ehr-addresses.js';
import { EhrRegister } from '../../core/ehrs/ehr.register.js';
import type { Ehr } from '../../core/ehrs/ehr.js';
import { isSuturaError, SuturaError } from '../../core/errors/sutura-error.js';
import { LaunchStates } from '../../core/launch/launch-states.js';
import { CHANGED_MEANWHILE } from '../../core/report/review-links.js';
import { redirectAddress } from '../../ehrs/index.js';
import { LaunchThrottle } from '../../identity/index.js';
import { PublicAddress } from '../../platform/http/public-address.js';
import { AuthorizationServer, type LaunchingEhr } from './protocol/authorization-server.js';
import { SmartDiscovery } from './protocol/smart-discovery.js';
import { LaunchRefusal, type StatedLaunch } from './launch-refusal.js';

/** Between leaving for the EHR and coming back, logging in there included. */
const LIFE_S = 600;

/** The browser that asks. */
export interface LaunchingBrowser {
  /** In its cookie. */
  readonly secret: string;
  /** It came with that cookie: from a launch before. */
  readonly isKnown: boolean;
  readonly address: string;
  readonly isFramed: boolean;
}

/** Sends the browser of a launch to the EHR's authorization server. */
@Injectable()
export class LaunchBegin {
  constructor(
    private readonly register: EhrRegister,
    private readonly states: LaunchStates,
    private readonly discovery: SmartDiscovery,
    private readonly server: AuthorizationServer,
    private readonly throttle: LaunchThrottle,
    private readonly address: PublicAddress,
  ) {}

  /**
   * Where the browser goes. `launch.unknown` where no registration has this `iss`: nothing is asked of it then. LaunchRefusal with `rate.limited`,
   * `launch.frame`, `launch.unreachable`, `launch.answer`, `launch.state` where the registration is changed meanwhile.
   */
  async begin(stated: StatedLaunch, browser: LaunchingBrowser): Promise<string> {
    const ehr = await this.ehrOf(stated.iss);
    const { isKnown, secret, address } = browser;
    try {
      this.throttle.countLaunch(ehr.id, isKnown ? digestOf(secret).toString('base64url') : null, address);
      if (browser.isFramed && ehr.frameAncestors.length === 0)
        throw new LaunchRefusal(new SuturaError('launch.frame'), ehr, stated);
      return await this.send(ehr, stated, browser);
    } catch (fault) {
      throw isSuturaError(fault) ? new LaunchRefusal(fault, ehr) : fault;
    }
  }

  private async ehrOf(iss: string): Promise<LaunchingEhr> {
    // An address is compared in one spelling, which drops what no base has.
    const ehr = ehrAddressFault(iss) === null ? await this.register.byFhirBaseUrl(iss) : null;
    if (ehr === null || !hasLaunch(ehr)) throw new SuturaError('launch.unknown');
    return ehr;
  }

  private async send(
    ehr: LaunchingEhr,
    { iss, launch }: StatedLaunch,
    { secret, isFramed }: LaunchingBrowser,
  ): Promise<string> {
    const smart = await this.discovery.of(ehr);
    const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
    const redirectUri = redirectAddress(this.address.url, ehr.id);
    const address = await this.server.addressFor(ehr, smart, { iss, launch, state, nonce, verifier, redirectUri });
    const { id: ehrId, organizationId, environment } = ehr;
    const isBegun = await this.states.begin(
      digestOf(state),
      { organizationId, environment, ehrId, iss, launch, verifier, nonce, browserSha256: digestOf(secret), isFramed },
      ehr.updatedAt,
      LIFE_S,
    );
    // What the registration said when it was read decided where the browser goes.
    if (!isBegun) throw new SuturaError('launch.state', { detail: CHANGED_MEANWHILE });
    return address;
  }
}

/** True where the EHR may open this service. */
export function hasLaunch(ehr: Ehr): ehr is LaunchingEhr {
  return ehr.launch !== null;
}

/** Of a state or a secret, which are kept nowhere themselves. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
