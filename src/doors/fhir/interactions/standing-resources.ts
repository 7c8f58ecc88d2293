import type { Patient, Resource } from '@medplum/fhirtypes';
import type { ResourceStore, StoredResource } from '../../../standards/fhir/store/resource-store.js';
import type { FhirCall } from '../call/fhir-call.js';
import { targetOf } from './reference-walk.js';

/** A chain of merges is no longer; longer ones would be circles. */
const LONGEST_CHAIN = 20;

/** Follows merges of patients, to find which of several matches are current. */
export class StandingResources {
  constructor(private readonly store: ResourceStore) {}

  /** A Patient that another replaced counts as that one; a wound that is no longer in use counts only where there is no other. Each once. */
  async of(
    call: Pick<FhirCall, 'transaction' | 'caller'>,
    matches: readonly StoredResource[],
  ): Promise<StoredResource[]> {
    const found = new Map<string, StoredResource>();
    for (const match of matches) {
      const standing = await this.follow(call, match);
      found.set(standing.resource.id!, standing);
    }
    const used = [...found.values()].filter(
      ({ resource }) => !(resource.resourceType === 'BodyStructure' && resource.active === false),
    );
    return used.length === 0 ? [...found.values()] : used;
  }

  private async follow(
    { transaction }: Pick<FhirCall, 'transaction' | 'caller'>,
    match: StoredResource,
  ): Promise<StoredResource> {
    let present = match;
    for (let step = 0; step < LONGEST_CHAIN; step += 1) {
      const next = replacementOf(present.resource);
      const stored = next === null ? null : await this.store.find<Patient>(transaction, 'Patient', next);
      if (stored === null) return present;
      present = stored;
    }
    return present;
  }
}

/** The Patient that replaced this one; null: none, or not a Patient. */
function replacementOf(resource: Resource): string | null {
  if (resource.resourceType !== 'Patient') return null;
  const link = resource.link?.find(({ type }) => type === 'replaced-by');
  const target = targetOf(link?.other.reference ?? '');
  return target?.type === 'Patient' ? target.id : null;
}
