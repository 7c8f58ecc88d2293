import { isHttpsOrigin } from '../../core/tenancy/https-origin.js';
import { originOf } from '../../core/ehrs/ehr-addresses.js';
import type { Ehr } from '../../core/ehrs/ehr.js';
import type { SuturaError } from '../../core/errors/sutura-error.js';

/** What an EHR stated when it opened this service. */
export interface StatedLaunch {
  readonly iss: string;
  readonly launch: string;
}

/** A launch of a known EHR that was refused, with what its page needs beside the error. */
export class LaunchRefusal extends Error {
  constructor(
    readonly error: SuturaError,
    readonly ehr: Ehr,
    /** What a window of its own would begin with; null: nothing is gained by one. */
    readonly again: StatedLaunch | null = null,
    /** Whom the EHR vouched for; null: nobody yet. */
    readonly person: string | null = null,
  ) {
    super(error.code);
  }

  /** Who may show that page in a frame. It holds no data: where the registration names nobody, the EHR's own origins, so that a person reads why. */
  get frames(): readonly string[] {
    const { frameAncestors, fhirBaseUrl, origins } = this.ehr;
    const own = [fhirBaseUrl, ...origins].flatMap((address) => originOf(address) ?? []);
    return (frameAncestors.length === 0 ? [...new Set(own)] : frameAncestors).filter(isHttpsOrigin);
  }
}
