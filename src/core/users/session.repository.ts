import type { ProviderTokens } from './provider-sessions.js';
import type { LoginDevice } from './login-devices.js';
import type { UserRecord } from './user.js';

export interface NewSession {
  readonly sha256: Uint8Array;
  readonly userId: string;
  readonly lifeS: number;
  /** The password that it was opened by, as it is kept; null: by the identity provider. */
  readonly passwordHash: string | null;
  /** Of a login by the identity provider; `tokens` null: it cannot be asked again. */
  readonly provider?: { readonly tokens: ProviderTokens | null } | undefined;
  /** The browser that holds it, where it is known by one. */
  readonly device?: LoginDevice | undefined;
}

/** A session in force, with its user as they are now. */
export interface SessionRecord {
  readonly user: UserRecord;
  readonly expiresAt: Date;
  /** The identity provider is to be asked again. */
  readonly isLookDue: boolean;
}

/** Sessions of users. Only the digest of what the browser holds is kept. */
export abstract class SessionRepository {
  /**
   * Takes ended ones with it, so that the table stays as large as what is in force. False where the user was disabled, or the password ended,
   * since it was looked at.
   */
  abstract insert(session: NewSession): Promise<boolean>;
  /** Null for one that ended, that was not used for `idleS`, whose user was disabled, or about which the identity provider said nothing for an hour. Notes the use. */
  abstract find(sha256: Uint8Array, idleS: number): Promise<SessionRecord | null>;
  abstract end(sha256: Uint8Array): Promise<void>;
  /** All of a user, with the review desks opened from them, and the browsers that the user is known by; `but` the browser of this session. */
  abstract endAll(userId: string, but?: Uint8Array): Promise<void>;
}
