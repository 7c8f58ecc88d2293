import { Injectable } from '@nestjs/common';
import type { Resource } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { isSameJson } from '../../core/report/same-content.js';
import { ResourceStore, type Author, type StoredResource } from '../store/resource-store.js';

const SERVICE: Author = { kind: 'service' };

/** Writes the service's own resources. An existing resource is not written again, so that a projection may be repeated. */
@Injectable()
export class ServiceResources {
  constructor(private readonly store: ResourceStore) {}

  /** Serialises projections of a patient until the transaction ends. Taken first, and for several patients in the order of their ids. */
  lockPatient(transaction: TenantTransaction, patientId: string): Promise<void> {
    return this.store.lockCriteria(transaction, 'Patient', `projection of ${patientId}`);
  }

  /** The resource as it is kept, made where there is none. What somebody else made or completed stays as it is. */
  async ensure<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
    make: () => T | Promise<T>,
  ): Promise<StoredResource<T>> {
    const known =
      (await this.store.find<T>(transaction, type, id)) ?? (await this.lockAndFind<T>(transaction, type, id));
    return known ?? this.store.insert<T>(transaction, await make(), SERVICE);
  }

  /** The resource with this content; a new version only where it differs. */
  async put<T extends Resource & { id?: string }>(
    transaction: TenantTransaction,
    resource: T,
  ): Promise<StoredResource<T>> {
    const type = resource.resourceType as T['resourceType'];
    const id = resource.id!;
    const known =
      (await this.store.findForUpdate<T>(transaction, type, id)) ?? (await this.lockAndFind<T>(transaction, type, id));
    if (known === null) return this.store.insert<T>(transaction, resource, SERVICE);
    if (isSameContent(known.resource, resource)) return known;
    return this.replace(transaction, known, resource);
  }

  /** A further version, whatever it says. `current` was found for update in the same transaction; null: the first one. */
  write<T extends Resource>(
    transaction: TenantTransaction,
    current: StoredResource<T> | null,
    resource: T,
  ): Promise<StoredResource<T>> {
    if (current === null) return this.store.insert<T>(transaction, resource, SERVICE);
    return this.replace(transaction, current, resource);
  }

  find<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null> {
    return this.store.find<T>(transaction, type, id);
  }

  findForUpdate<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null> {
    return this.store.findForUpdate<T>(transaction, type, id);
  }

  private replace<T extends Resource>(
    transaction: TenantTransaction,
    current: StoredResource<T>,
    next: T,
  ): Promise<StoredResource<T>> {
    return this.store.replace<T>(transaction, current, next, SERVICE);
  }

  /** Of two that find nothing, the second waits for the first and then finds its resource. */
  private async lockAndFind<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null> {
    await this.store.lockCriteria(transaction, type as Resource['resourceType'], `projection of ${id}`);
    return this.store.findForUpdate<T>(transaction, type, id);
  }
}

/** True where two versions say the same. */
export function isSameContent(one: Resource, other: Resource): boolean {
  return isSameJson(contentOf(one), contentOf(other));
}

/** The resource without the elements that the store sets in each version. */
function contentOf({ meta, ...rest }: Resource): object {
  const { versionId: _versionId, lastUpdated: _lastUpdated, ...kept } = meta ?? {};
  return { ...rest, meta: kept };
}
