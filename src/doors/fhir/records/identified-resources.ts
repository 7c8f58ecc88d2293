import { Injectable } from '@nestjs/common';
import type { BodyStructure, Resource, ResourceType } from '@medplum/fhirtypes';
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
    const [found = []] = await this.findEach(transaction, type, [identifiers]);
    return found as T[];
  }

  /** The wound of this patient (`Patient/id`) with this number; null: none. */
  async woundOf(
    transaction: TenantTransaction,
    patient: string,
    number: RecordIdentifier,
  ): Promise<BodyStructure | null> {
    const [found] = await this.matching(transaction, 'BodyStructure', [number], `patient=${patient}&`);
    return (found?.resource as BodyStructure | undefined) ?? null;
  }

  /** As `find` for each of several lists, in their order, by as few statements as for one. */
  async findEach(
    transaction: TenantTransaction,
    type: ResourceType,
    lists: readonly (readonly RecordIdentifier[])[],
  ): Promise<Resource[][]> {
    const found =
      type === 'Patient'
        ? await this.patientsWith(transaction, lists)
        : await Promise.all(
            lists.map(async (list) => (list.length === 0 ? [] : this.matching(transaction, type, list))),
          );
    return found.map((stored) => stored.slice(0, LIMIT).map(({ resource }) => resource));
  }

  private async patientsWith(
    transaction: TenantTransaction,
    lists: readonly (readonly RecordIdentifier[])[],
  ): Promise<StoredResource[][]> {
    const all = lists.flat();
    if (all.length === 0) return lists.map(() => []);
    const carriers = await this.patients.carriers(transaction, all);
    let from = 0;
    const idsOf = lists.map(
      ({ length }) => new Set(carriers.slice(from, (from += length)).filter((id) => id !== null)),
    );
    const ids = new Set(idsOf.flatMap((own) => [...own]));
    const stored = await this.store.findAll(
      transaction,
      [...ids].map((id) => ({ type: 'Patient', id })),
    );
    const byId = new Map(stored.map((one) => [one.resource.id!, one]));
    return idsOf.map((own) => [...own].flatMap((id) => byId.get(id) ?? []));
  }

  private async matching(
    transaction: TenantTransaction,
    type: ResourceType,
    identifiers: readonly RecordIdentifier[],
    within = '',
  ): Promise<StoredResource[]> {
    // A search asks its caller for the tenant alone; scopes do not matter here.
    const caller = { ...transaction.tenant, keyId: '', scopes: [] };
    const matches = await this.searching.match(
      { transaction, caller, base: '', requestId: '' },
      type,
      `${within}${identifierCriteria(identifiers)}`,
      LIMIT,
    );
    return this.standing.of({ transaction, caller }, matches);
  }
}
