import { SuturaError } from '../errors/sutura-error.js';
import type { Scope } from '../tenancy/api-key.js';
import { mayAct, type HeldRights, type Role } from '../tenancy/roles.js';
import { isAllowed, readSystemScope, RIGHTS, type SystemScope } from '../tenancy/system-scopes.js';

/** The rights that a key or a client has, or is to get. */
export interface CredentialRights {
  readonly organizationId: string;
  /** Of a key: `analysis:read`; of a client: `system/Type.crus`. */
  readonly scopes: readonly string[];
  readonly namesPersons: boolean;
}

/** Who may give a scope away: users who may do by their role what it allows. To connect systems is to give them charts to read and to write. */
const GIVEN_BY: Readonly<Record<Scope, Role>> = {
  'images:write': 'integrator',
  'analysis:write': 'integrator',
  'analysis:read': 'integrator',
  'webhooks:manage': 'integrator',
  'bulk:export': 'integrator',
  'analysis:review': 'reviewer',
  'audit:read': 'admin',
  'patients:erase': 'admin',
};

/**
 * Nobody may grant more than they hold, whether a credential is created, changed or handed over. `giver` undefined: the operator of the machine, who may grant everything. `auth.role`, naming what is beyond the giver.
 */
export function requireMayGive(giver: HeldRights | undefined, given: CredentialRights): void {
  const { organizationId } = given;
  const beyond = needs(given).filter(({ role }) => giver !== undefined && !mayAct(giver, role, organizationId));
  if (beyond.length === 0) return;
  const named = beyond.map(({ right }) => right).join(', ');
  throw new SuturaError('auth.role', {
    detail: `Nobody gives a right that they lack, and your role in the organization does not have: ${named}. An admin of the organization can do this.`,
  });
}

/**
 * As `requireMayGive`, for a change of a credential in use. Taking the naming of persons away needs no more than the route asks for; whoever says
 * where a credential works must hold all that it can do.
 */
export function requireMayChange(
  giver: HeldRights | undefined,
  present: CredentialRights,
  change: { readonly allowedNetworks?: unknown; readonly namesPersons?: boolean | undefined },
): void {
  const { namesPersons = present.namesPersons } = change;
  if (change.allowedNetworks === undefined && !namesPersons) return;
  requireMayGive(giver, { ...present, namesPersons });
}

/**
 * A file of the gateway's machine may be the key of another organization: whoever runs the installation names it. `present`: those that the
 * peer has, which may stay. `auth.role`.
 */
export async function requireMayNameFiles(
  giver: HeldRights | undefined,
  files: readonly string[],
  present: () => Promise<readonly string[]> = () => Promise.resolve([]),
): Promise<void> {
  if (giver === undefined || giver.isInstallationAdmin || files.length === 0) return;
  const standing = await present();
  if (files.every((file) => standing.includes(file))) return;
  throw new SuturaError('auth.role', {
    detail:
      'caFile, certFile and keyFile are files of the gateway’s machine: have an installation admin name them, here or at the command line. Without them TLS is checked by the authorities of the system.',
  });
}

function needs({ scopes, namesPersons }: CredentialRights): { readonly right: string; readonly role: Role }[] {
  const system = scopes.map(readSystemScope).filter((scope) => scope !== null);
  const ofKey = (Object.keys(GIVEN_BY) as Scope[]).filter((scope) => scopes.includes(scope) || means(system, scope));
  return [
    ...ofKey.map((right) => ({ right, role: GIVEN_BY[right] })),
    ...(namesPersons ? [{ right: 'naming of persons', role: 'admin' as const }] : []),
  ];
}

/** What a client's scopes amount to, of those that not everybody gives who registers clients. */
function means(system: readonly SystemScope[], scope: Scope): boolean {
  if (scope === 'analysis:review') return isAllowed(system, 'DiagnosticReport', 'u');
  return scope === 'audit:read' && RIGHTS.some((right) => isAllowed(system, 'AuditEvent', right));
}
