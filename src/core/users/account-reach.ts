import { SuturaError } from '../errors/sutura-error.js';
import type { Transaction } from '../ports/unit-of-work.js';
import type { UserRecord } from './user.js';
import type { UserChange, UserRepository } from './user.repository.js';

type Reach = Pick<UserRecord, 'isInstallationAdmin' | 'roles' | 'setupBy'>;

/** `user.elsewhere` unless the account belongs to this organization alone. */
export function requireOwn({ isInstallationAdmin, roles }: Reach, organizationId: string): void {
  if (isInstallationAdmin || roles.some((held) => held.organizationId !== organizationId))
    throw new SuturaError('user.elsewhere');
  if (roles.length === 0)
    throw new SuturaError('user.elsewhere', {
      detail: 'The user has no role in this organization now. Give one first, or ask an installation admin.',
    });
}

/** `user.elsewhere` for a person whose code another organization's admin was handed: a role here would end what they log in with there. */
export function requireUnbound({ setupBy, roles }: Reach, organizationId: string): void {
  const isHere = roles.some((held) => held.organizationId === organizationId);
  if (!isHere && setupBy !== null && setupBy !== organizationId)
    throw new SuturaError('user.elsewhere', {
      detail:
        'The account is another organization’s. An installation admin can give a role here, and a new set-up code.',
    });
}

/** `user.provider`: who logs in at the identity provider has no password here, and gets none. */
export function requireLocal({ hasProvider }: Pick<UserRecord, 'hasProvider'>): void {
  if (hasProvider) throw new SuturaError('user.provider');
}

/**
 * Changes a user whose row is held. Whoever was handed a set-up code could be that user: once the user may do more than things of the organization
 * whose admin it was, code, password, one-time codes and sessions end, and whoever gave the right hands out a new code.
 */
export async function changeAccount(
  users: UserRepository,
  transaction: Transaction,
  userId: string,
  change: UserChange,
): Promise<UserRecord> {
  await users.change(transaction, userId, change);
  const changed = (await users.find(transaction, userId))!;
  if (!reachesBeyond(changed)) return changed;
  await users.endCredentials(transaction, userId);
  return (await users.find(transaction, userId))!;
}

function reachesBeyond({ setupBy, isInstallationAdmin, roles }: Reach): boolean {
  return setupBy !== null && (isInstallationAdmin || roles.some((held) => held.organizationId !== setupBy));
}
