import { randomBytes } from 'node:crypto';

/** What a token allows, and to whom it was given. */
export interface AccessGrant {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The patient in context, as the EHR's id. */
  readonly patientId?: string;
  /** The session of a person from which it came, if it came from one. */
  readonly session?: string;
}

interface Issued extends AccessGrant {
  readonly expiresAtMs: number;
}

/** Tokens that the EHR gave out. */
export class AccessTokens {
  private readonly issued = new Map<string, Issued>();

  constructor(private readonly now: () => number) {}

  /** A new token; `lifeS` may be negative, for one that has ended. */
  issue(grant: AccessGrant, lifeS: number): string {
    const token = randomBytes(24).toString('base64url');
    this.issued.set(token, { ...grant, expiresAtMs: this.now() + lifeS * 1_000 });
    return token;
  }

  /** What a token allows; null for one that is unknown or has ended. */
  find(token: string): AccessGrant | null {
    const found = this.issued.get(token);
    return found === undefined || found.expiresAtMs <= this.now() ? null : found;
  }

  /** Ends all tokens, or those of one session. */
  end(session?: string): void {
    for (const [token, grant] of this.issued)
      if (session === undefined || grant.session === session) this.issued.delete(token);
  }
}
