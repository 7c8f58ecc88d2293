import { entityTagOf, matchesEntityTag } from '../../../platform/http/entity-tag.js';
import type { InvitedUser } from '../../../core/users/user-directory.js';
import type { Role, UserRole } from '../../../core/tenancy/roles.js';
import type { UserRecord } from '../../../core/users/user.js';

/** A user as the admin API and --json show them. */
export interface UserView {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly displayName: string;
  readonly installationAdmin: boolean;
  readonly roles: readonly UserRole[];
  /** `invited`: has not set a password yet. */
  readonly state: 'active' | 'invited' | 'disabled';
  /** One-time codes are asked for at each login. */
  readonly oneTimeCodes: boolean;
  readonly createdAt: string;
  readonly disabledAt: string | null;
  readonly lastLoginAt: string | null;
  /** For `If-Match` of a change. */
  readonly etag: string;
}

/** Shown once. */
export interface InvitedUserView extends UserView {
  readonly setupCode: string;
  readonly setupExpiresAt: string;
}

/** A user as the admins of one organization see them: of others nothing is said. */
export interface OrganizationUserView extends Omit<UserView, 'installationAdmin' | 'roles' | 'etag'> {
  /** In this organization; null: they had one. */
  readonly role: Role | null;
}

/** Shown once. */
export interface InvitedOrganizationUserView extends OrganizationUserView {
  readonly setupCode: string;
  readonly setupExpiresAt: string;
}

/** The session of whoever asks. */
export interface SessionView {
  readonly user: UserView;
  /** To be sent as X-CSRF-Token with every change. */
  readonly csrfToken: string;
  readonly expiresAt: string;
}

/** Says whether what an admin can change of a user was changed meanwhile: for `If-Match`. */
function etagOf({ id, displayName, isInstallationAdmin, roles, disabledAt }: UserRecord): string {
  const held = roles.map(({ organizationId, role }) => `${role}@${organizationId}`).sort();
  return entityTagOf(JSON.stringify([id, displayName, isInstallationAdmin, held, disabledAt]));
}

/** Whether an `If-Match` is of the user as they are; without one, it is of any. */
export function isAsRead(user: UserRecord, ifMatch: string | undefined): boolean {
  return ifMatch === undefined || matchesEntityTag(ifMatch, etagOf(user));
}

export function toUserView(user: UserRecord): UserView {
  const { id, name, displayName, isInstallationAdmin, roles, createdAt, disabledAt, lastLoginAt } = user;
  const isInvited = !user.hasPassword && !user.hasProvider;
  return {
    id,
    userId: id,
    name,
    displayName,
    installationAdmin: isInstallationAdmin,
    roles,
    state: disabledAt !== null ? 'disabled' : isInvited ? 'invited' : 'active',
    oneTimeCodes: user.hasCodes,
    createdAt: createdAt.toISOString(),
    disabledAt: disabledAt?.toISOString() ?? null,
    lastLoginAt: lastLoginAt?.toISOString() ?? null,
    etag: etagOf(user),
  };
}

export function toOrganizationUserView(user: UserRecord, organizationId: string): OrganizationUserView {
  const { installationAdmin: _admin, etag: _etag, roles, ...view } = toUserView(user);
  return { ...view, role: roles.find((held) => held.organizationId === organizationId)?.role ?? null };
}

export function toInvitedUserView({ user, setupCode, setupExpiresAt }: InvitedUser): InvitedUserView {
  return { ...toUserView(user), setupCode, setupExpiresAt: setupExpiresAt.toISOString() };
}
