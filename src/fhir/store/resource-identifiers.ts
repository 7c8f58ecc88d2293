import type { Identifier, Resource } from '@medplum/fhirtypes';
import { knownBy } from '../../core/patients/patient-numbers.js';
import { indexable } from '../search/values/index-key.js';
import { targetOf } from '../search/index/element-values.js';

/** What no other client's resource of the type may have. */
export interface UniqueIdentifier {
  readonly system: string;
  readonly value: string;
}

export interface UniqueIdentifiers {
  /** Within what they are unique: '' for the tenant, a patient's id for a wound. */
  readonly scope: string;
  readonly identifiers: readonly UniqueIdentifier[];
}

/**
 * Identifiers with a system, a value alone identifies nothing beyond its sender; and in use, since one that is old may be another's by now. Of a
 * patient those that patients are known by.
 */
export function uniqueIdentifiersOf(resource: Resource): UniqueIdentifiers {
  const stated = (resource as { identifier?: Identifier | Identifier[] }).identifier ?? [];
  const all = Array.isArray(stated) ? stated : [stated];
  const identifiers = (resource.resourceType === 'Patient' ? knownBy(all) : all).flatMap(({ system, value, use }) =>
    system === undefined || value === undefined || use === 'old' ? [] : [{ system: indexable(system), value: indexable(value) }],
  );
  const distinct = new Map(identifiers.map((each) => [`${each.system}|${each.value}`, each]));
  return { scope: resource.resourceType === 'BodyStructure' ? (targetOf(resource.patient)?.id ?? '') : '', identifiers: [...distinct.values()] };
}
