/** What this service keeps of a login that was sent to the identity provider. */
export interface ProviderLogin {
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
  readonly nonce: string;
}

/** Logins that have not come back from the identity provider, by the digest of their `state`. */
export abstract class ProviderLogins {
  /** Takes expired ones with it. */
  abstract begin(stateSha256: Uint8Array, login: ProviderLogin, lifeS: number): Promise<void>;
  /** Once: null for one that was taken, is too old, or was never begun. */
  abstract take(stateSha256: Uint8Array): Promise<ProviderLogin | null>;
}
