import type { FastifyRequest } from 'fastify';
import type { ResourceOwners, OwnedKind } from '../../core/users/resource-owners.js';
import type { Role } from '../../core/tenancy/roles.js';

/** What an address or a body names, by which the organization is known that a role is needed in. */
export type Named = OwnedKind | 'organization';

/** Where a request names it: the field for each kind that may be there. */
export interface NamedIn {
  readonly in: 'path' | 'query' | 'body';
  readonly fields: Partial<Readonly<Record<Named, string>>>;
}

/** What a route of the admin API needs of a user. Without it the route is for installation admins alone. */
export type AdminNeed =
  | { readonly kind: 'session' }
  | { readonly kind: 'role'; readonly role: Role; readonly of: NamedIn };

/** The organization in the path, which most routes have. */
export const IN_PATH: NamedIn = { in: 'path', fields: { organization: 'organizationId' } };
export const IN_QUERY: NamedIn = { in: 'query', fields: { organization: 'organizationId' } };
export const IN_BODY: NamedIn = { in: 'body', fields: { organization: 'organizationId' } };

/** `{ in: 'path', fields: { key: 'keyId' } }`: the organization that the key in the path belongs to. */
export function ownerInPath(kind: OwnedKind): NamedIn {
  return { in: 'path', fields: { [kind]: `${kind}Id` } as NamedIn['fields'] };
}

/** The organizations of all that a request names there; null for what does not exist. None: it names nothing. */
export async function organizationsAsked(
  { params, query, body }: Pick<FastifyRequest, 'params' | 'query' | 'body'>,
  { in: place, fields }: NamedIn,
  owners: ResourceOwners,
): Promise<readonly (string | null)[]> {
  const holder = { path: params, query, body }[place] as Readonly<Record<string, unknown>> | null | undefined;
  const named = Object.entries(fields).flatMap(([kind, field]): [Named, unknown][] => {
    const value = holder?.[field];
    return value === undefined ? [] : [[kind as Named, value]];
  });
  return Promise.all(
    named.map(async ([kind, value]) => {
      if (typeof value !== 'string') return null;
      return kind === 'organization' ? value : owners.ownerOf(kind, value);
    }),
  );
}
