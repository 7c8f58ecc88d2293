import { SCOPES, type Scope } from '../../core/tenancy/api-key.js';
import { rowOf, SERVED_TYPES } from './served-types.js';
import type { ServedType } from './type-table.js';
import type { TypeInteraction } from './type-row.js';

/** The resources that an interaction reaches: all of the tenant's, those that the key itself created, or none. */
export type Reach = 'all' | 'own' | 'none';

/** The resources that a key with these scopes reaches with an interaction on a type (standards 3.2: native scopes and what they grant). */
export function reachOf(scopes: readonly Scope[], type: string, interaction: TypeInteraction): Reach {
  const row = rowOf(type);
  if (row === undefined) return 'none';
  const { readers, writers, interactions } = row;
  const writes = writers !== null && scopes.includes(writers);
  if (interaction === 'create' || interaction === 'update' || interaction === 'patch')
    return writes && interactions.includes(interaction) ? 'all' : 'none';
  if (readers === 'operator') return 'none';
  if (readers === 'every-key' || scopes.includes(readers)) return 'all';
  return writes ? 'own' : 'none';
}

/** The types that some key can reach, in the order of the table. Types for the operator alone are not part of this API. */
export function reachableTypes(): ServedType[] {
  return SERVED_TYPES.filter((type) => interactionsOf(type).length > 0);
}

/** The interactions of a type that some scope grants: what the CapabilityStatement promises. */
export function interactionsOf(type: ServedType): TypeInteraction[] {
  return (rowOf(type)?.interactions ?? []).filter((interaction) => reachOf(SCOPES, type, interaction) !== 'none');
}
