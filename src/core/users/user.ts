import { HELD_BY, type Role } from '../tenancy/roles.js';

/** One role in one organization. */
export interface UserRole {
  readonly organizationId: string;
  readonly role: Role;
}

/** A person who logs in to the admin API. Never deleted, so that a name in the audit trail stays that of one person. */
export interface UserRecord {
  readonly id: string;
  /** As `readUserName` gives it; unique. */
  readonly name: string;
  readonly displayName: string;
  /** May do everything in every organization, and make organizations and users. */
  readonly isInstallationAdmin: boolean;
  /** One for each organization at most. */
  readonly roles: readonly UserRole[];
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly lastLoginAt: Date | null;
  /** false: the set-up code was not used yet, or the identity provider knows the person. */
  readonly hasPassword: boolean;
  /** A one-time code is asked for at each login. */
  readonly hasCodes: boolean;
}

/** True where the user has the role there, or one that includes it. `organizationId` null: of the installation. */
export function mayAct(
  user: Pick<UserRecord, 'isInstallationAdmin' | 'roles'>,
  role: Role,
  organizationId: string | null,
): boolean {
  if (user.isInstallationAdmin) return true;
  return user.roles.some((held) => held.organizationId === organizationId && HELD_BY[role].includes(held.role));
}

const LONGEST_NAME = 64;
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._@+-]*$/u;
/** Scripts whose letters look alike. */
const LOOKALIKES = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u];

/** What a user's name may be. */
export const USER_NAME_RULE = `1 to ${LONGEST_NAME} letters, digits and any of . _ @ + -, of one script`;

/** The name by which a user is known, in small letters and compatible form (NFKC), so that one person has one; null for a text that is none. */
export function readUserName(text: string): string | null {
  if (text.length > 4 * LONGEST_NAME) return null;
  const name = text.trim().normalize('NFKC').toLowerCase().normalize('NFKC');
  const fits = [...name].length <= LONGEST_NAME && NAME.test(name);
  return fits && LOOKALIKES.filter((script) => script.test(name)).length <= 1 ? name : null;
}
