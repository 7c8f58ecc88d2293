import type { Identifier, Resource } from '@medplum/fhirtypes';
import { identifyingNumbers } from '../../../core/patients/patient-numbers.js';
import { ACCESSION, SUTURA } from '../../../reports/index.js';
import { indexable } from '../search-index/values/index-key.js';
import { rowOf } from '../types/served-types.js';
import { targetOf } from '../search-index/rows/element-values.js';

/** An identifier that no other client's resource of the type may have. */
interface UniqueIdentifier {
  readonly system: string;
  readonly value: string;
}

export interface UniqueIdentifiers {
  /** The scope of uniqueness: '' for the tenant, a patient's id for a wound. */
  readonly scope: string;
  readonly identifiers: readonly UniqueIdentifier[];
}

/** Numberings of this service, in which each number is given once, across all types. */
const OWN_NUMBERINGS = `${SUTURA}/sid/`;

/** Pictures of several orders may be filed under one accession number: it names none of them. */
function namesOne({ type }: Identifier): boolean {
  return type?.coding?.some(({ code }) => code === ACCESSION.code) !== true;
}

/**
 * For types that are joined by them, all identifiers (of a patient those that patients are known by); for the others those of our own numberings
 * (docs/decisions/0021). Identifiers with a system: a value alone identifies nothing beyond its sender; and in use, since one that is old may be
 * another's by now.
 */
export function uniqueIdentifiersOf(resource: Resource): UniqueIdentifiers {
  const isJoined = rowOf(resource.resourceType)?.joinedByIdentifier === true;
  const stated = (resource as { identifier?: Identifier | Identifier[] }).identifier ?? [];
  const all = Array.isArray(stated) ? stated : [stated];
  const naming = resource.resourceType === 'Patient' ? identifyingNumbers(all) : all.filter(namesOne);
  const identifiers = naming.flatMap(({ system, value, use }) =>
    system === undefined || value === undefined || use === 'old' || !(isJoined || system.startsWith(OWN_NUMBERINGS))
      ? []
      : [{ system: indexable(system), value: indexable(value) }],
  );
  const distinct = new Map(identifiers.map((each) => [`${each.system}|${each.value}`, each]));
  return {
    scope: resource.resourceType === 'BodyStructure' ? (targetOf(resource.patient)?.id ?? '') : '',
    identifiers: [...distinct.values()],
  };
}
