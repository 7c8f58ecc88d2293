import { SCOPES, type Caller } from '../../../core/tenancy/api-key.js';
import { isAllowed, type Right } from '../../../core/tenancy/system-scopes.js';
import { rowOf, SERVED_TYPES } from './served-types.js';
import type { ServedType } from './type-table.js';
import type { TypeInteraction } from './type-row.js';

/** The resources that an interaction reaches: all of the tenant's, those that the key itself created, or none. */
export type Reach = 'all' | 'own' | 'none';

const RIGHT_OF: Readonly<Record<TypeInteraction, Right>> = {
  read: 'r',
  vread: 'r',
  history: 'r',
  search: 's',
  create: 'c',
  update: 'u',
  patch: 'u',
  delete: 'd',
};

const WRITING: readonly TypeInteraction[] = ['create', 'update', 'patch', 'delete'];

/**
 * The resources that a caller reaches with an interaction on a type: a key by its native scopes and what they grant (standards 3.2), the
 * token of a client by its own.
 */
export function reachOf(
  { scopes, grants }: Pick<Caller, 'scopes' | 'grants'>,
  type: string,
  interaction: TypeInteraction,
): Reach {
  const row = rowOf(type);
  if (row === undefined) return 'none';
  const { readers, writers, interactions } = row;
  if (grants !== undefined) {
    if (readers === 'every-key') return interactions.includes(interaction) ? 'all' : 'none';
    const served = readers !== 'apart' && interactions.includes(interaction);
    return served && isAllowed(grants, type, RIGHT_OF[interaction]) ? 'all' : 'none';
  }
  const writes = writers !== null && scopes.includes(writers);
  if (WRITING.includes(interaction)) return writes && interactions.includes(interaction) ? 'all' : 'none';
  if (readers === 'apart') return 'none';
  if (readers === 'every-key' || scopes.includes(readers)) return 'all';
  return writes ? 'own' : 'none';
}

/** The types that some key can reach, in the order of the table. Types with routes of their own are not among them. */
export function reachableTypes(): ServedType[] {
  return SERVED_TYPES.filter((type) => interactionsOf(type).length > 0);
}

/** The interactions of a type that some scope grants: what the CapabilityStatement promises. */
export function interactionsOf(type: ServedType): TypeInteraction[] {
  return (rowOf(type)?.interactions ?? []).filter(
    (interaction) => reachOf({ scopes: SCOPES }, type, interaction) !== 'none',
  );
}
