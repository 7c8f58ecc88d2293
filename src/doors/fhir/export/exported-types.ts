import type { Caller } from '../../../core/tenancy/api-key.js';
import { rowOf, SERVED_TYPES } from '../../../standards/fhir/types/served-types.js';
import { reachOf } from '../../../standards/fhir/types/type-access.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import type { ExportOptions } from './bulk-export.js';

/** The types that can be exported at a level: those that are stored and searchable. */
export function exportedTypes(level: ExportOptions['level']): ServedType[] {
  return SERVED_TYPES.filter((type) => {
    const { origin, interactions, subject, readers } = rowOf(type)!;
    const isKept = origin === 'store' && interactions.includes('search') && readers !== 'apart';
    return isKept && (level === 'system' || type === 'Patient' || subject !== null);
  });
}

/** True where the caller reads all resources of the type, by id and by search. */
export function readsAll(caller: Pick<Caller, 'scopes' | 'grants'>, type: string): boolean {
  return reachOf(caller, type, 'read') === 'all' && reachOf(caller, type, 'search') === 'all';
}

/** A key by a scope of its own; a token by the types that it reads. */
export function mayExport(caller: Pick<Caller, 'scopes' | 'grants'>): boolean {
  return caller.grants === undefined
    ? caller.scopes.includes('bulk:export')
    : exportedTypes('system').some((type) => readsAll(caller, type));
}
