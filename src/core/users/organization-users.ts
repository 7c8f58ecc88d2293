import { SuturaError } from '../errors/sutura-error.js';
import { changeAccount, requireOwn, requireUnbound } from './account-reach.js';
import type { Clock } from '../ports/clock.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { SessionRepository } from './session.repository.js';
import type { InvitedUser, UserDirectory } from './user-directory.js';
import type { Role } from '../tenancy/roles.js';
import type { UserRecord } from './user.js';
import type { UserRepository } from './user.repository.js';

export interface OrganizationUsersPorts {
  readonly unitOfWork: UnitOfWork;
  readonly users: UserRepository;
  readonly directory: UserDirectory;
  readonly sessions: SessionRepository;
  readonly clock: Clock;
}

/** What an admin of an organization changes of one of its users; what is left out stays. */
export interface OrganizationUserChange {
  /** null: none there any more. */
  readonly role?: Role | null | undefined;
  readonly disabled?: boolean | undefined;
}

/**
 * The users of one organization, for its own admins: those who have a role there, or had one. Of all others they learn nothing. Nobody here becomes an
 * installation admin, and nothing is changed that another organization relies on.
 */
export class OrganizationUsers {
  constructor(private readonly ports: OrganizationUsersPorts) {}

  /** By name; those without a role there any more included. */
  list(organizationId: string): Promise<UserRecord[]> {
    return this.ports.unitOfWork.inSystem((transaction) =>
      this.ports.users.listOfOrganization(transaction, organizationId),
    );
  }

  /** `user.name_taken`, `organization.not_found`. */
  create(
    organizationId: string,
    { role, ...named }: Pick<UserRecord, 'name' | 'displayName'> & { readonly role: Role },
  ): Promise<InvitedUser> {
    const roles = [{ organizationId, role }];
    return this.ports.directory.create({ ...named, isInstallationAdmin: false, roles }, organizationId);
  }

  /**
   * Takes effect with the user's next request. `asker`: the name of the user who asks, null for an operator who is none. `user.not_found`; `user.self`;
   * `user.elsewhere` where a user is disabled who has no role here, has one in another organization or is an installation admin; and where a user
   * is given a role whose set-up code another organization's admin was handed.
   */
  async change(
    organizationId: string,
    userId: string,
    { role, disabled }: OrganizationUserChange,
    asker: string | null,
  ): Promise<UserRecord> {
    const { unitOfWork, users, sessions, clock } = this.ports;
    const changed = await unitOfWork.inSystem(async (transaction) => {
      const user = await users.lockOfOrganization(transaction, organizationId, userId);
      if (user === null) throw new SuturaError('user.not_found');
      if (user.name === asker) throw new SuturaError('user.self');
      const others = user.roles.filter((held) => held.organizationId !== organizationId);
      const given = role === undefined || role === null ? [] : [{ organizationId, role }];
      if (given.length > 0) requireUnbound(user, organizationId);
      if (disabled !== undefined) requireOwn({ ...user, roles: [...user.roles, ...given] }, organizationId);
      const ending = disabled === undefined ? {} : { disabledAt: disabled ? (user.disabledAt ?? clock.now()) : null };
      const roles = role === undefined ? {} : { roles: [...others, ...given] };
      return changeAccount(users, transaction, userId, { ...ending, ...roles });
    });
    if (disabled === true) await sessions.endAll(userId);
    return changed;
  }

  /** As UserDirectory.reset, only for an organization's own users: the set-up code is full access to the account. `user.self`, `user.elsewhere`. */
  reset(organizationId: string, userId: string, asker: string | null): Promise<InvitedUser> {
    const permit = (user: UserRecord): void => {
      if (user.name === asker) throw new SuturaError('user.self');
      requireOwn(user, organizationId);
    };
    return this.ports.directory.reset(userId, permit, organizationId);
  }
}
