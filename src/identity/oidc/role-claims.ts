import { ROLES, type Role, type UserRole } from '../../core/tenancy/roles.js';
import type { NewUser } from '../../core/users/user-directory.js';

/** What a value of the provider's claim gives: a role in an organization, or all of the installation. */
export interface RoleRule {
  readonly value: string;
  readonly gives: UserRole | 'installation-admin';
}

type Claims = Readonly<Record<string, unknown>>;

/** `realm_access.roles` leads into objects, unless a claim has that very name. A single text is a list of one. */
export function claimValues(claims: Claims, path: string): readonly string[] {
  const found = claimAt(claims, path);
  const list = Array.isArray(found) ? found : [found];
  return list.filter((value): value is string => typeof value === 'string');
}

/** True where the claim is there, though it may be empty. */
export function statesClaim(claims: Claims, path: string): boolean {
  return claimAt(claims, path) !== undefined;
}

/** The rights that these values give; in each organization the strongest. null: none. */
export function rightsOf(
  values: readonly string[],
  rules: readonly RoleRule[],
): Pick<NewUser, 'isInstallationAdmin' | 'roles'> | null {
  const given = rules.filter(({ value }) => values.includes(value)).map(({ gives }) => gives);
  const best = new Map<string, Role>();
  for (const gives of given) {
    if (gives === 'installation-admin') continue;
    const held = best.get(gives.organizationId);
    if (held === undefined || ROLES.indexOf(held) < ROLES.indexOf(gives.role))
      best.set(gives.organizationId, gives.role);
  }
  const roles = [...best].map(([organizationId, role]) => ({ organizationId, role }));
  return given.length === 0 ? null : { isInstallationAdmin: given.includes('installation-admin'), roles };
}

function claimAt(claims: Claims, path: string): unknown {
  return (
    claims[path] ??
    path.split('.').reduce<unknown>((inner, name) => {
      return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined;
    }, claims)
  );
}
