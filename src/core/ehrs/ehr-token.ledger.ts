/** Tokens by which EHRs called, each taken once. */
export abstract class EhrTokenLedger {
  /** Remembers a token's `jti` until it expires; false: it was used before. One statement, so that of two at once one wins. */
  abstract use(ehrId: string, jtiSha256: Uint8Array, expiresAt: Date): Promise<boolean>;
}
