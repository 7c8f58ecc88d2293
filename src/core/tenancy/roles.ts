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
