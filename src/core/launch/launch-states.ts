import type { Tenant } from '../tenancy/tenant.js';

/** What this service keeps of a launch while the browser is at the EHR's authorization server. */
export interface LaunchState extends Tenant {
  readonly ehrId: string;
  /** As the EHR stated it: `aud` of the authorization. */
  readonly iss: string;
  /** The EHR's own word for this launch. */
  readonly launch: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
  readonly nonce: string;
  /** Of the secret in the cookie of the browser that was sent out. */
  readonly browserSha256: Uint8Array;
  /** It was sent out from within a frame. */
  readonly isFramed: boolean;
}

/** Launches that have not come back from the EHR, by the digest of their `state`. Kept here, since embedded browsers lose what they are given. */
export abstract class LaunchStates {
  /**
   * False: the registration is another than the one of `asOf` (its `updatedAt`), or is gone, and nothing was begun. What changes it meanwhile waits,
   * and ends this one, too. Takes expired ones with it.
   */
  abstract begin(stateSha256: Uint8Array, launch: LaunchState, asOf: Date, lifeS: number): Promise<boolean>;
  /** Once: null for one that was taken, is too old, or was never begun. */
  abstract take(stateSha256: Uint8Array): Promise<LaunchState | null>;
}
