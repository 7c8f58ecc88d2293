import type { Transaction } from '../ports/unit-of-work.js';
import type { UserRecord } from './user.js';
import type { UserRole } from '../tenancy/roles.js';

/** A code that lets its holder set a password once. Only its digest is kept. */
export interface KeptSetup {
  readonly sha256: Uint8Array;
  readonly expiresAt: Date;
}

/** A user with what a login is checked against. */
export interface LoginRecord extends UserRecord {
  readonly passwordHash: string | null;
  /** Base32; null: no code is asked for. */
  readonly codeSecret: string | null;
}

/** What can be changed of a user; what is left out stays. */
export interface UserChange {
  readonly displayName?: string | undefined;
  readonly isInstallationAdmin?: boolean | undefined;
  readonly disabledAt?: Date | null | undefined;
  /** In the place of those that there were. */
  readonly roles?: readonly UserRole[] | undefined;
}

/** Who a person is at the identity provider. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export abstract class UserRepository {
  /** False where the name is taken. Roles in organizations that do not exist: `organization.not_found`. */
  abstract insert(
    transaction: Transaction,
    user: UserRecord,
    known: { readonly setup: KeptSetup } | { readonly identity: ProviderIdentity },
  ): Promise<boolean>;
  /** By name. */
  abstract list(transaction: Transaction): Promise<UserRecord[]>;
  /** Those who have a role there, or had one, by name. */
  abstract listOfOrganization(transaction: Transaction, organizationId: string): Promise<UserRecord[]>;
  /** One of them, held until the transaction ends; null: none of them. */
  abstract lockOfOrganization(
    transaction: Transaction,
    organizationId: string,
    userId: string,
  ): Promise<UserRecord | null>;
  abstract find(transaction: Transaction, userId: string): Promise<UserRecord | null>;
  /** As `find`, held until the transaction ends. */
  abstract lock(transaction: Transaction, userId: string): Promise<UserRecord | null>;
  abstract findByIdentity(transaction: Transaction, identity: ProviderIdentity): Promise<UserRecord | null>;
  /** A role that is taken away is remembered as a former one. `organization.not_found`. */
  abstract change(transaction: Transaction, userId: string, change: UserChange): Promise<void>;
  /** Takes password, one-time codes and sessions, with their review desks, away; the set-up code is in force instead. `by`: the organization whose admin is handed it. */
  abstract reset(transaction: Transaction, userId: string, setup: KeptSetup, by: string | null): Promise<void>;
  /** Takes password, one-time codes, set-up code and sessions away. */
  abstract endCredentials(transaction: Transaction, userId: string): Promise<void>;
  /** Those who can log in and are installation admins; locks their rows, so that of two changes at once the second sees the first. */
  abstract lockActiveAdmins(transaction: Transaction): Promise<readonly string[]>;

  /** Outside a transaction, for the login. */
  abstract findForLogin(name: string): Promise<LoginRecord | null>;
  abstract findBySetup(sha256: Uint8Array): Promise<LoginRecord | null>;
  /** False where the code was used, or replaced, meanwhile. */
  abstract useSetup(userId: string, sha256: Uint8Array, passwordHash: string): Promise<boolean>;
  /** False where the present one, by its hash, was taken away or replaced meanwhile. */
  abstract setPassword(userId: string, present: string | null, passwordHash: string): Promise<boolean>;
  /** A secret that is not in force until `useCodeStep` takes its first code. */
  abstract offerCodes(userId: string, secret: string): Promise<void>;
  abstract findOfferedCodes(userId: string): Promise<string | null>;
  /** True for the first use of a step of time that is later than all used before; with `offered` its secret comes into force. */
  abstract useCodeStep(userId: string, step: number, offered: string | null): Promise<boolean>;
  abstract noteLogin(userId: string): Promise<void>;
  /** True where an installation admin can log in. */
  abstract hasActiveAdmin(): Promise<boolean>;
  abstract hasUsers(): Promise<boolean>;
}
