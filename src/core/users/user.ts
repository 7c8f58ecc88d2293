import type { HeldRights } from '../tenancy/roles.js';

/** A person who logs in to the admin API. Never deleted, so that a name in the audit trail stays that of one person. */
export interface UserRecord extends HeldRights {
  readonly id: string;
  /** As `readUserName` gives it; unique. */
  readonly name: string;
  readonly displayName: string;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly lastLoginAt: Date | null;
  /** false: the set-up code was not used yet, or the identity provider knows the person. */
  readonly hasPassword: boolean;
  /** A one-time code is asked for at each login. */
  readonly hasCodes: boolean;
  /** The identity provider knows the person, who has no other way in. */
  readonly hasProvider: boolean;
  /** The organization whose admin was handed the set-up code behind the present credentials; null: none, or only those of the installation. */
  readonly setupBy: string | null;
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
