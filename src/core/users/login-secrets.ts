/** Passwords as they are kept. */
export abstract class PasswordDigest {
  /** `login.busy` where too many are computed at once. */
  abstract make(password: string): Promise<string>;
  /**
   * null: false, in the same time, so that timing does not reveal accounts. `isKnown`: of a known browser or session, which goes before strangers and
   * is not refused for them. `login.busy`.
   */
  abstract fits(kept: string | null, password: string, isKnown?: boolean): Promise<boolean>;
}

/** Random secrets: set-up codes and session cookies. */
export abstract class LoginMint {
  abstract mint(): { readonly text: string; readonly sha256: Uint8Array };
  abstract digestOf(text: string): Uint8Array;
}

/** One-time codes by the clock (RFC 6238). */
export abstract class LoginCodes {
  /** Base32. */
  abstract newSecret(): string;
  /** For an authenticator app: `otpauth://totp/…`. */
  abstract addressOf(secret: string, userName: string): string;
  /** The step of time that the code is of, one step early or late included; null for a wrong one. */
  abstract stepOf(secret: string, code: string, now: Date): number | null;
}
