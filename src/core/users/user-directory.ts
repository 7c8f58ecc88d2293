import { SuturaError } from '../errors/sutura-error.js';
import { changeAccount, requireLocal } from './account-reach.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { Transaction, UnitOfWork } from '../ports/unit-of-work.js';
import { sessionOf, strangerTo } from './login-devices.js';
import type { LoginMint } from './login-secrets.js';
import type { LoginFailures } from './login-failures.js';
import type { SessionRepository } from './session.repository.js';
import type { UserRecord } from './user.js';
import type { KeptSetup, ProviderIdentity, UserChange, UserRepository } from './user.repository.js';

export interface UserDirectoryPorts {
  readonly unitOfWork: UnitOfWork;
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
  readonly failures: LoginFailures;
  readonly mint: LoginMint;
  readonly clock: Clock;
  readonly ids: IdSource;
}

export type NewUser = Pick<UserRecord, 'name' | 'displayName' | 'isInstallationAdmin' | 'roles'>;

/** A user with the code by which they set their password; the only moment at which its text exists outside the user. */
export interface InvitedUser {
  readonly user: UserRecord;
  readonly setupCode: string;
  readonly setupExpiresAt: Date;
}

/** What is to become of a user; what is left out stays. */
export interface UserChangeRequest extends Omit<UserChange, 'disabledAt'> {
  readonly disabled?: boolean | undefined;
}

const SETUP_LIFE_MS = 24 * 3600 * 1000;

/** The users of the admin API: what the command line and the admin API offer to those who administer them. */
export class UserDirectory {
  constructor(private readonly ports: UserDirectoryPorts) {}

  /** `setupBy`: the organization whose admin asks; null: of the installation. `user.name_taken`, `organization.not_found`. */
  create(newUser: NewUser, setupBy: string | null = null): Promise<InvitedUser> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      const user = { ...this.recordOf(newUser), setupBy };
      const { setup, text } = this.newSetup();
      if (!(await this.ports.users.insert(transaction, user, { setup }))) throw new SuturaError('user.name_taken');
      return { user, setupCode: text, setupExpiresAt: setup.expiresAt };
    });
  }

  list(): Promise<UserRecord[]> {
    return this.ports.unitOfWork.inSystem((transaction) => this.ports.users.list(transaction));
  }

  /**
   * Takes effect with the user's next request; disabling ends every session. `user.not_found`; `user.changed` where the user is not as expected by now;
   * `user.last_admin`, `organization.not_found`.
   */
  async change(
    userId: string,
    { disabled, ...change }: UserChangeRequest,
    isExpected: (user: UserRecord) => boolean = () => true,
  ): Promise<UserRecord> {
    const user = await this.ports.unitOfWork.inSystem(async (transaction) => {
      // Before the user's own row: all admins are held in one order.
      if (change.isInstallationAdmin === false || disabled === true) await this.requireOtherAdmin(transaction, userId);
      const present = await this.ports.users.lock(transaction, userId);
      if (present === null) throw new SuturaError('user.not_found');
      if (!isExpected(present)) throw new SuturaError('user.changed');
      const { disabledAt } = present;
      const ending =
        disabled === undefined ? {} : { disabledAt: disabled ? (disabledAt ?? this.ports.clock.now()) : null };
      return changeAccount(this.ports.users, transaction, userId, { ...change, ...ending });
    });
    if (disabled === true) await this.ports.sessions.endAll(userId);
    return user;
  }

  /**
   * A new set-up code; password, one-time codes and sessions end, and a lock-out too. `user.not_found`, `user.provider`.
   * @param permit throws where this user, who is held, is not to be reset; nothing has changed then
   * @param by the organization whose admin asks, for one of its users; null: of the installation
   */
  async reset(
    userId: string,
    permit: (user: UserRecord) => void = () => undefined,
    by: string | null = null,
  ): Promise<InvitedUser> {
    const { users, unitOfWork } = this.ports;
    const { setup, text } = this.newSetup();
    const user = await unitOfWork.inSystem(async (transaction) => {
      const present = await (by === null
        ? users.lock(transaction, userId)
        : users.lockOfOrganization(transaction, by, userId));
      if (present === null) throw new SuturaError('user.not_found');
      permit(present);
      requireLocal(present);
      await users.reset(transaction, userId, setup, by);
      return this.require(transaction, userId);
    });
    for (const trier of [strangerTo(user.name), sessionOf(user.name)]) await this.ports.failures.clear(trier);
    return { user, setupCode: text, setupExpiresAt: setup.expiresAt };
  }

  /**
   * The user whom the identity provider identified, made at the first login; rights are those that the provider states now.
   * `login.refused` for a disabled one, `user.name_taken` if another user has the name, `organization.not_found`.
   */
  admit(identity: ProviderIdentity, newUser: NewUser): Promise<UserRecord> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      const known = await this.ports.users.findByIdentity(transaction, identity);
      if (known === null) {
        const user = { ...this.recordOf(newUser), hasProvider: true };
        if (!(await this.ports.users.insert(transaction, user, { identity }))) throw new SuturaError('user.name_taken');
        return user;
      }
      const held = await this.ports.users.lock(transaction, known.id);
      if (held === null || held.disabledAt !== null) throw new SuturaError('login.refused');
      const { displayName, isInstallationAdmin, roles } = newUser;
      return changeAccount(this.ports.users, transaction, known.id, { displayName, isInstallationAdmin, roles });
    });
  }

  private recordOf({ name, displayName, isInstallationAdmin, roles }: NewUser): UserRecord {
    return {
      id: this.ports.ids.next(),
      name,
      displayName,
      isInstallationAdmin,
      roles,
      createdAt: this.ports.clock.now(),
      disabledAt: null,
      lastLoginAt: null,
      hasPassword: false,
      hasCodes: false,
      hasProvider: false,
      setupBy: null,
    };
  }

  private newSetup(): { readonly setup: KeptSetup; readonly text: string } {
    const { text, sha256 } = this.ports.mint.mint();
    return { setup: { sha256, expiresAt: new Date(this.ports.clock.now().getTime() + SETUP_LIFE_MS) }, text };
  }

  /** At least one admin must remain. */
  private async requireOtherAdmin(transaction: Transaction, userId: string): Promise<void> {
    const admins = await this.ports.users.lockActiveAdmins(transaction);
    if (admins.length === 1 && admins[0] === userId) throw new SuturaError('user.last_admin');
  }

  private async require(transaction: Transaction, userId: string): Promise<UserRecord> {
    const user = await this.ports.users.find(transaction, userId);
    if (user === null) throw new SuturaError('user.not_found');
    return user;
  }
}
