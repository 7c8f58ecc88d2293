import type { Resource, ResourceType } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';

/** The author of a version: a client with its key, or the service itself from its own record. */
export type Author = { readonly kind: 'client'; readonly keyId: string } | { readonly kind: 'service' };

/** One version of a resource as stored. `resource` carries id, meta.versionId and meta.lastUpdated. */
export interface StoredResource<T extends Resource = Resource> {
  readonly resource: T;
  readonly version: number;
  readonly lastUpdated: Date;
  /** The author of the first version, also once another brought back what was deleted: its history is still the first one's to see. */
  readonly createdBy: Author;
  /** The version is a deletion: of the resource it has type and id alone. Only where versions are read. */
  readonly isDeletion?: boolean;
}

/** A deleted resource: `version` is its deletion, `resource` what it was before. */
export interface DeletedResource extends StoredResource {
  readonly isDeletion: true;
  /** False: what it was went by age, and `resource` has type and id alone. */
  readonly isKnown: boolean;
}

export interface ResourceToInsert {
  readonly resource: Resource;
  readonly author: Author;
}

/** A further version of what is kept as `current`, which comes to life again where it is deleted. */
export interface ResourceChange {
  readonly current: StoredResource;
  readonly next: Resource;
  readonly author: Author;
}

/** The target of a literal reference. */
export interface ResourceTarget {
  readonly type: string;
  readonly id: string;
}

/** Criteria of one type that a caller asks for alone. */
export interface CriteriaLock {
  readonly type: string;
  readonly criteria: string;
}

/** A place in the order of change, in which no two versions stand at once. */
export interface ChangePlace {
  /** Time of the version, in milliseconds since 1970. */
  readonly lastUpdatedMs: number;
  /** The resource's number in the store. */
  readonly number: string;
  readonly version: number;
}

/** The versions and types of a history. */
export interface ChangesQuery {
  /** `own`: only of resources that the key made. */
  readonly types: readonly { readonly type: string; readonly own: boolean }[];
  readonly keyId: string;
  /** Inclusive. */
  readonly since: Date | null;
  /** Only versions older than this place; null: from the newest. */
  readonly before: ChangePlace | null;
  readonly limit: number;
}

/** Newest first. */
export interface VersionsPage {
  readonly versions: readonly StoredResource[];
  /** True where older ones exist: the page ends at the limit, or sooner where they are large. */
  readonly hasMore: boolean;
}

/** Newest first, over several resources. */
export interface ChangesPage extends VersionsPage {
  /** Place of the last version; null where there is none. */
  readonly last: ChangePlace | null;
}

/**
 * The resources of a tenant, every version kept, with the rows that searches read. Each call is part of the caller's transaction.
 * `<T>` is the caller's assertion about the type that it asked for.
 */
export abstract class ResourceStore {
  /** By its id, or by the id that a client gave it. null: unknown, malformed id, or another tenant's. */
  abstract find<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null>;
  /** Like find, with the resource locked until the transaction ends. */
  abstract findForUpdate<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null>;
  abstract findVersion(
    transaction: TenantTransaction,
    type: ResourceType,
    id: string,
    version: number,
  ): Promise<StoredResource | null>;
  /** A deleted resource by its id, or by the id that a client gave it. null: it is there, or never was. */
  abstract findDeleted(transaction: TenantTransaction, type: ResourceType, id: string): Promise<DeletedResource | null>;
  /** Like findDeleted, with the resource locked until the transaction ends. */
  abstract findDeletedForUpdate(
    transaction: TenantTransaction,
    type: ResourceType,
    id: string,
  ): Promise<DeletedResource | null>;
  /** Like find, and until the transaction ends nobody else can make a reference to it (see `missing`). */
  abstract findToDelete(transaction: TenantTransaction, type: ResourceType, id: string): Promise<StoredResource | null>;
  /** A version that says that the resource is gone. It is found no more, its identifiers are free, its history stays. `current`: of findToDelete. */
  abstract delete(transaction: TenantTransaction, current: StoredResource, author: Author): Promise<StoredResource>;
  /** Resources whose present version refers to any of these that is deleted, by ids of the service; at most `limit`, reports first. */
  abstract referrers(
    transaction: TenantTransaction,
    targets: readonly ResourceTarget[],
    limit: number,
  ): Promise<ResourceTarget[]>;
  /** Reports and analyses that core made of the record that the resource is, as their resources are named; at most three. */
  abstract standingOn(transaction: TenantTransaction, target: ResourceTarget): Promise<readonly ResourceTarget[]>;
  /** The targets that do not exist. Those that do are not deleted until the transaction ends. */
  abstract missing(transaction: TenantTransaction, targets: readonly ResourceTarget[]): Promise<ResourceTarget[]>;
  /** The targets that exist, in the order asked. */
  abstract findAll(transaction: TenantTransaction, targets: readonly ResourceTarget[]): Promise<StoredResource[]>;
  /** As findAll for ids of the service, locked until the transaction ends. */
  abstract findAllForUpdate(
    transaction: TenantTransaction,
    targets: readonly ResourceTarget[],
  ): Promise<StoredResource[]>;
  /** As findAll for ids of the service, with the `locked` ones locked until the transaction ends. Unordered. */
  abstract findAllLocking(
    transaction: TenantTransaction,
    locked: readonly ResourceTarget[],
    read: readonly ResourceTarget[],
  ): Promise<StoredResource[]>;
  /** Only versions older than `before`, where given. */
  abstract history(
    transaction: TenantTransaction,
    type: ResourceType,
    id: string,
    limit: number,
    before: number | null,
  ): Promise<VersionsPage>;
  /** Versions of all resources of some types, in the order of change. */
  abstract changes(transaction: TenantTransaction, query: ChangesQuery): Promise<ChangesPage>;
  /** insertAll of one. */
  async insert<T extends Resource>(
    transaction: TenantTransaction,
    resource: T,
    author: Author,
  ): Promise<StoredResource<T>> {
    const [stored] = await this.insertAll(transaction, [{ resource, author }]);
    return stored as StoredResource<T>;
  }
  /**
   * Version 1 of each, in the order given. `resource.id` is given by the caller (a UUIDv7, or for the service's own resources what follows from the report);
   * meta.versionId and meta.lastUpdated are set here. What was deleted under the id comes to life again, with the version after that. `fhir.duplicate` where a client's resource carries an identifier that another of its
   * type has (of the same patient, for BodyStructure), or where the id is taken: an OutcomeError whose `about` says which of them, after which
   * the transaction must not be committed.
   */
  abstract insertAll(transaction: TenantTransaction, resources: readonly ResourceToInsert[]): Promise<StoredResource[]>;
  /** Version 1 of a resource without identifiers, or the one after its deletion; null if its id exists, even in a concurrent transaction. */
  abstract insertUnlessThere<T extends Resource>(
    transaction: TenantTransaction,
    resource: T,
    author: Author,
  ): Promise<StoredResource<T> | null>;
  /** replaceAll of one. */
  async replace<T extends Resource>(
    transaction: TenantTransaction,
    current: StoredResource<T>,
    next: T,
    author: Author,
  ): Promise<StoredResource<T>> {
    const [stored] = await this.replaceAll(transaction, [{ current, next, author }]);
    return stored as StoredResource<T>;
  }
  /**
   * The next version of each, in the order given, of different resources. `fhir.version_conflict` where one is no longer what was found, which
   * cannot be after findForUpdate in the same transaction; `fhir.duplicate` as insertAll. After either the transaction must not be committed.
   */
  abstract replaceAll(transaction: TenantTransaction, changes: readonly ResourceChange[]): Promise<StoredResource[]>;
  /** The ids here of those targets that are named by a client's own id, by `Type/id` as it is asked. */
  abstract resolve(
    transaction: TenantTransaction,
    targets: readonly ResourceTarget[],
  ): Promise<ReadonlyMap<string, string>>;
  /**
   * True where an id is no client's to give: a resource of the type has it or had it, or a record of the service of which a resource may be made
   * (a photo, a report), so that no two resources are ever behind one id.
   */
  abstract isTaken(transaction: TenantTransaction, target: ResourceTarget): Promise<boolean>;
  /** From here on the client's id names this resource. The caller has locked `_id=…` (lockCriteria), and found that it names none that is there. */
  abstract keepClientId(transaction: TenantTransaction, target: ResourceTarget, id: string): Promise<void>;
  /**
   * Serializes callers with the same criteria until the transaction ends, which makes conditional creates safe. `criteria` is the normalised search.
   */
  abstract lockCriteria(transaction: TenantTransaction, type: ResourceType, criteria: string): Promise<void>;
  /** lockCriteria for several at once, always in the same order. */
  abstract lockAllCriteria(transaction: TenantTransaction, locks: readonly CriteriaLock[]): Promise<void>;
}
