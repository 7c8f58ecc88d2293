import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { reachOf } from '../../../standards/fhir/types/type-access.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import type { TypeInteraction, TypeRow } from '../../../standards/fhir/types/type-row.js';

/** The permission of a caller for a type. */
export interface Permission {
  readonly row: TypeRow;
  /** 'own': only what the caller's key created. */
  readonly visible: 'all' | 'own';
}

/** `fhir.type_not_supported`, `fhir.interaction_not_supported`, `auth.scope`; in this order, since the first two say nothing about data. */
export function permit(caller: Caller, type: string, interaction: TypeInteraction): Permission {
  const row = rowOf(type);
  if (row === undefined) throw new SuturaError('fhir.type_not_supported');
  if (!row.interactions.includes(interaction))
    throw notSupported(
      `${type} has no interaction "${interaction}". The CapabilityStatement at /fhir/metadata lists those it has.`,
    );
  const reach = reachOf(caller, type, interaction);
  if (reach === 'none')
    throw new SuturaError('auth.scope', {
      detail: `No scope of this key allows "${interaction}" on ${type}. Use a key that has one.`,
    });
  return { row, visible: reach };
}

/** Parameters that identify a resource; any other one asks about its content. */
const IDENTIFYING = /^(?:identifier|(?:patient|subject)(?::Patient)?(?:\.identifier)?)$/;

/** `auth.scope` where a key that does not read all of a type asks by more than identifying criteria: their match would reveal content. */
export function permitMatch(caller: Caller, type: string, criteria: string): void {
  if (reachOf(caller, type, 'search') === 'all') return;
  const asks = [...new URLSearchParams(criteria).keys()].find((name) => !IDENTIFYING.test(name));
  if (asks !== undefined)
    throw new SuturaError('auth.scope', {
      detail: `A key without analysis:read names a ${type} by its identifier, and its patient, alone. Use a key that has that scope.`,
    });
}

export function notSupported(detail?: string): SuturaError {
  return new SuturaError('fhir.interaction_not_supported', detail === undefined ? {} : { detail });
}

/** True where the caller may see a resource of this type: any, or one of its own key. */
export function mayRead(caller: Caller, type: string, stored: StoredResource): boolean {
  const reach = reachOf(caller, type, 'read');
  return reach === 'all' || (reach === 'own' && isOwn(caller, stored));
}

export function isOwn(caller: Caller, { createdBy }: StoredResource): boolean {
  return createdBy.kind === 'client' && createdBy.keyId === caller.keyId;
}

/** `fhir.not_found`, both for a missing resource and for one that the caller may not see. */
export function visibleOf(
  { caller }: { readonly caller: Caller },
  visible: Permission['visible'],
  stored: StoredResource | null,
): StoredResource {
  if (stored === null || (visible === 'own' && !isOwn(caller, stored))) throw new SuturaError('fhir.not_found');
  return stored;
}
