import { Injectable } from '@nestjs/common';
import type { Resource, ResourceType } from '@medplum/fhirtypes';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { StandingResources } from '../interactions/standing-resources.js';
import { identifierCriteria } from '../search/resource-search.js';
import { ResourceSearch } from '../search/resource-search.js';
import { ResourceStore, type StoredResource } from '../../../standards/fhir/store/resource-store.js';

/** A business identifier; `system` '' is the organization's own numbering. */
export interface RecordIdentifier {
  readonly system: string;
  readonly value: string;
}

const LIMIT = 20;

/** Finds resources by the identifiers of other systems. */
@Injectable()
export class IdentifiedResources {
  private readonly standing: StandingResources;

  constructor(
    private readonly searching: ResourceSearch,
    private readonly store: ResourceStore,
    private readonly patients: PatientRepository,
  ) {
    this.standing = new StandingResources(store);
  }

  /** At most 20. A patient is the one whose record carries the identifier now. */
  async find<T extends Resource>(
    transaction: TenantTransaction,
    type: ResourceType,
    identifiers: readonly RecordIdentifier[],
  ): Promise<T[]> {
    if (identifiers.length === 0) return [];
    const stored =
      type === 'Patient'
        ? await this.patientsWith(transaction, identifiers)
        : await this.matching(transaction, type, identifiers);
    return stored.slice(0, LIMIT).map(({ resource }) => resource as T);
  }

  private async patientsWith(
    transaction: TenantTransaction,
    identifiers: readonly RecordIdentifier[],
  ): Promise<StoredResource[]> {
    const ids = new Set((await this.patients.carriers(transaction, identifiers)).filter((id) => id !== null));
    return this.store.findAll(
      transaction,
      [...ids].map((id) => ({ type: 'Patient', id })),
    );
  }

  private async matching(
    transaction: TenantTransaction,
    type: ResourceType,
    identifiers: readonly RecordIdentifier[],
  ): Promise<StoredResource[]> {
    // A search asks its caller for the tenant alone; scopes do not matter here.
    const caller = { ...transaction.tenant, keyId: '', scopes: [] };
    const matches = await this.searching.match(
      { transaction, caller, base: '', requestId: '' },
      type,
      identifierCriteria(identifiers),
      LIMIT,
    );
    return this.standing.of({ transaction, caller }, matches);
  }
}
