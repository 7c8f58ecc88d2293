/**
 * What a user may do in an organization, weakest first: look (viewer), decide about results (reviewer), connect systems (integrator), everything
 * (admin). Published names.
 */
export const ROLES = ['viewer', 'reviewer', 'integrator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whose users may do what a role may. */
export const HELD_BY: Readonly<Record<Role, readonly Role[]>> = {
  viewer: ROLES,
  reviewer: ['reviewer', 'admin'],
  integrator: ['integrator', 'admin'],
  admin: ['admin'],
};

/** One role in one organization. */
export interface UserRole {
  readonly organizationId: string;
  readonly role: Role;
}

/** The rights of a user, or of the operator of the machine. */
export interface HeldRights {
  /** May do everything in every organization, and make organizations and users. */
  readonly isInstallationAdmin: boolean;
  /** One for each organization at most. */
  readonly roles: readonly UserRole[];
}

/** True where the role is held there, or one that includes it. `organizationId` null: of the installation. */
export function mayAct({ isInstallationAdmin, roles }: HeldRights, role: Role, organizationId: string | null): boolean {
  if (isInstallationAdmin) return true;
  return roles.some((held) => held.organizationId === organizationId && HELD_BY[role].includes(held.role));
}
