import { Injectable } from '@nestjs/common';
import type { Resource } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import {
  ResourceStore,
  type Author,
  type ResourceTarget,
  type StoredResource,
} from '../../../standards/fhir/store/resource-store.js';

import { isSameContent } from '../../../standards/fhir/types/same-content.js';

const SERVICE: Author = { kind: 'service' };

/** A further version to be written, of what was found. */
export interface ServiceChange {
  readonly current: StoredResource;
  readonly next: Resource;
}

/** Resources that were looked for together. */
export class FoundResources {
  constructor(private readonly found: ReadonlyMap<string, StoredResource>) {}

  /** null: not there at that moment. `<T>` is the caller's assertion about the type that it asks for. */
  of<T extends Resource>(type: T['resourceType'], id: string): StoredResource<T> | null {
    return (this.found.get(`${type}/${id}`) as StoredResource<T> | undefined) ?? null;
  }
}

/** Writes the service's own resources. An existing resource is not written again, so that a projection may be repeated. */
@Injectable()
export class ServiceResources {
  constructor(private readonly store: ResourceStore) {}

  /** Serialises projections of a patient, or of a report that has none, until the transaction ends. Taken first, and for several in the order of their ids. */
  lockPatient(transaction: TenantTransaction, patientId: string): Promise<void> {
    return this.store.lockCriteria(transaction, 'Patient', `projection of ${patientId}`);
  }

  /** By ids of the service. `locked`: protected against concurrent writes until the transaction ends. */
  async findTogether(
    transaction: TenantTransaction,
    {
      locked = [],
      read = [],
    }: { readonly locked?: readonly ResourceTarget[]; readonly read?: readonly ResourceTarget[] },
  ): Promise<FoundResources> {
    return new FoundResources(byTarget(await this.store.findAllLocking(transaction, locked, read)));
  }

  /**
   * The stored resource, created if missing; never overwrites what others created or completed. `known`: an earlier look-up.
   */
  async ensure<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
    make: () => T | Promise<T>,
    known?: StoredResource<T> | null,
  ): Promise<StoredResource<T>> {
    const found = known === undefined ? await this.store.find<T>(transaction, type, id) : known;
    if (found !== null) return found;
    const made = await this.store.insertUnlessThere<T>(transaction, await make(), SERVICE);
    // Created and committed concurrently.
    return made ?? (await this.store.find<T>(transaction, type, id))!;
  }

  /** Resources that are known not to be there. `fhir.duplicate` where one was made meanwhile; a further try finds it. */
  async createAll(transaction: TenantTransaction, resources: readonly Resource[]): Promise<StoredResource[]> {
    return this.store.insertAll(
      transaction,
      resources.map((resource) => ({ resource, author: SERVICE })),
    );
  }

  /** Further versions of what was found. `fhir.version_conflict` where one was written meanwhile; a further try finds that version. */
  async changeAll(transaction: TenantTransaction, changes: readonly ServiceChange[]): Promise<void> {
    await this.store.replaceAll(
      transaction,
      changes.map((change) => ({ ...change, author: SERVICE })),
    );
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

  /** `put` for several different resources, each with an id of the service's own form; those that are new are written together. */
  async putAll(
    transaction: TenantTransaction,
    resources: readonly (Resource & { id?: string })[],
  ): Promise<StoredResource[]> {
    const targets = resources.map(({ resourceType: type, id }) => ({ type, id: id! }));
    await this.store.lockAllCriteria(
      transaction,
      targets.map(({ type, id }) => ({ type, criteria: `projection of ${id}` })),
    );
    const known = byTarget(await this.store.findAllForUpdate(transaction, targets));
    const fresh = resources.filter((resource) => !known.has(targetOf(resource)));
    const made = await this.store.insertAll(
      transaction,
      fresh.map((resource) => ({ resource, author: SERVICE })),
    );
    const written = byTarget(made);
    for (const resource of resources) {
      const current = known.get(targetOf(resource));
      if (current === undefined) continue;
      const same = isSameContent(current.resource, resource);
      written.set(targetOf(resource), same ? current : await this.replace(transaction, current, resource));
    }
    return resources.map((resource) => written.get(targetOf(resource))!);
  }

  /** Writes a further version. `current`: found for update in the same transaction; null: this is the first. */
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

  /** Whoever makes this resource of records that others change at once takes it before reading them; until the transaction ends. */
  lockShown(transaction: TenantTransaction, type: Resource['resourceType'], id: string): Promise<void> {
    return this.lock(transaction, type, id);
  }

  /** Of two that find nothing, the second waits for the first and then finds its resource. */
  private async lockAndFind<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null> {
    await this.lock(transaction, type, id);
    return this.store.findForUpdate<T>(transaction, type, id);
  }

  private lock(transaction: TenantTransaction, type: string, id: string): Promise<void> {
    return this.store.lockCriteria(transaction, type as Resource['resourceType'], `projection of ${id}`);
  }
}

function targetOf({ resourceType, id }: Resource): string {
  return `${resourceType}/${id!}`;
}

function byTarget(stored: readonly StoredResource[]): Map<string, StoredResource> {
  return new Map(stored.map((one) => [targetOf(one.resource), one]));
}
