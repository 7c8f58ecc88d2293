import type { Scope } from './api-key.js';
import { isAllowed, type Right, type SystemScope } from './system-scopes.js';

/**
 * Webhooks are no resources of FHIR: an organization's own keys manage them. A token exports the types that it reads, and reads the trail by
 * `system/AuditEvent`. Nothing that a token states stands for the right to erase a patient.
 */
type ClinicalScope = Exclude<Scope, 'webhooks:manage' | 'bulk:export' | 'audit:read' | 'patients:erase'>;

/** Types that a native scope shows or makes; a client has the scope where it has these rights on all of them. */
const NATIVE: Readonly<
  Record<ClinicalScope, { readonly types: readonly string[]; readonly rights: readonly Right[] }>
> = {
  'images:write': { types: ['Patient', 'BodyStructure', 'Media'], rights: ['c'] },
  'analysis:write': { types: ['ServiceRequest', 'Task'], rights: ['c'] },
  'analysis:read': {
    types: ['Patient', 'BodyStructure', 'Media', 'Task', 'Observation', 'DiagnosticReport', 'Provenance', 'Device'],
    rights: ['r', 's'],
  },
  'analysis:review': { types: ['DiagnosticReport', 'BodyStructure'], rights: ['u'] },
};

/** The scopes of the native door that these stand for. */
export function nativeScopesOf(scopes: readonly SystemScope[]): Scope[] {
  return (Object.keys(NATIVE) as ClinicalScope[]).filter((native) =>
    NATIVE[native].types.every((type) => NATIVE[native].rights.every((right) => isAllowed(scopes, type, right))),
  );
}
