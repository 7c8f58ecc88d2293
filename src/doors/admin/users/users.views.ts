import { z } from 'zod';
import { entityTagOf, matchesEntityTag } from '../../../platform/http/entity-tag.js';
import type { InvitedUser } from '../../../core/users/user-directory.js';
import { ROLES } from '../../../core/tenancy/roles.js';
import type { UserRecord } from '../../../core/users/user.js';
import { id, list, moment, named } from '../action/answer-fields.js';

/** A user as the admin API and --json show them. */
export const USER_VIEW = z.object({
  id,
  userId: id,
  name: z.string(),
  displayName: z.string(),
  installationAdmin: z.boolean(),
  roles: list(z.object({ organizationId: id, role: z.enum(ROLES) })),
  state: z.enum(['active', 'invited', 'disabled']).describe('invited: has not set a password yet.'),
  oneTimeCodes: z.boolean().describe('Asked for at each login.'),
  createdAt: moment,
  disabledAt: moment.nullable(),
  lastLoginAt: moment.nullable(),
  etag: z.string().describe('For If-Match of a change.'),
});

const invitation = { setupCode: z.string().describe('Shown this once.'), setupExpiresAt: moment };
export const INVITED_USER_VIEW = USER_VIEW.extend(invitation);

/** A user as the admins of one organization see them: of others nothing is said. */
export const ORGANIZATION_USER_VIEW = USER_VIEW.omit({ installationAdmin: true, roles: true, etag: true }).extend({
  role: z.enum(ROLES).nullable().describe('In this organization; null: they had one.'),
});
export const INVITED_ORGANIZATION_USER_VIEW = ORGANIZATION_USER_VIEW.extend(invitation);

/** The session of whoever asks. */
export const SESSION_VIEW = z.object({
  user: USER_VIEW,
  organizations: list(z.object({ id, name: named })).describe('Of the roles; of an installation admin none.'),
  csrfToken: z.string().describe('To be sent as X-CSRF-Token with every change.'),
  expiresAt: moment,
});

export type UserView = z.output<typeof USER_VIEW>;
export type InvitedUserView = z.output<typeof INVITED_USER_VIEW>;
export type OrganizationUserView = z.output<typeof ORGANIZATION_USER_VIEW>;
export type InvitedOrganizationUserView = z.output<typeof INVITED_ORGANIZATION_USER_VIEW>;
export type SessionView = z.output<typeof SESSION_VIEW>;

/** Says whether what an admin can change of a user was changed meanwhile: for `If-Match`. */
function etagOf({ id: userId, displayName, isInstallationAdmin, roles, disabledAt }: UserRecord): string {
  const held = roles.map(({ organizationId, role }) => `${role}@${organizationId}`).sort();
  return entityTagOf(JSON.stringify([userId, displayName, isInstallationAdmin, held, disabledAt]));
}

/** Whether an `If-Match` is of the user as they are; without one, it is of any. */
export function isAsRead(user: UserRecord, ifMatch: string | undefined): boolean {
  return ifMatch === undefined || matchesEntityTag(ifMatch, etagOf(user));
}

export function toUserView(user: UserRecord): UserView {
  const { id: userId, name, displayName, isInstallationAdmin, roles, createdAt, disabledAt, lastLoginAt } = user;
  const isInvited = !user.hasPassword && !user.hasProvider;
  return {
    id: userId,
    userId,
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

export function toInvitedOrganizationUserView(
  { user, setupCode, setupExpiresAt }: InvitedUser,
  organizationId: string,
): InvitedOrganizationUserView {
  return { ...toOrganizationUserView(user, organizationId), setupCode, setupExpiresAt: setupExpiresAt.toISOString() };
}
