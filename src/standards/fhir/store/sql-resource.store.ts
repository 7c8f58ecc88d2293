import { Injectable } from '@nestjs/common';
import type { Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { NOTHING, ResourceIndexer } from '../search-index/rows/resource-indexer.js';
import { findReferrers, lockDeleted } from './deletions.js';
import { duplicate, firstRepeated, uniqueOf } from './resource-duplicates.js';
import { uniqueIdentifiersOf } from './resource-identifiers.js';
import type {
  Author,
  DeletedResource,
  ResourceChange,
  ResourceTarget,
  ResourceToInsert,
  StoredResource,
} from './resource-store.js';
import { SqlResourceReading } from './sql-resource-reading.js';
import { keyOf } from './stored-row.js';
import { CLEAR_IDENTIFIERS, writeVersions, type RefusedRow, type VersionToWrite } from './write-statement.js';

/** Indexing more resources at once would keep other requests waiting. */
const INSERTED_AT_ONCE = 50;
const ID = /^[A-Za-z0-9.-]{1,64}$/;

/** What comes to life again. */
interface Revival {
  readonly before: DeletedResource;
  readonly version: VersionToWrite;
}

/** Resources in PostgreSQL: one statement writes versions with all their index rows. */
@Injectable()
export class SqlResourceStore extends SqlResourceReading {
  constructor(
    private readonly indexer: ResourceIndexer,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async delete(
    transaction: TenantTransaction,
    current: StoredResource,
    author: Author,
  ): Promise<StoredResource> {
    const { resourceType, id } = current.resource;
    const gone = { resourceType, id } as Resource;
    const [stored] = await this.replaceAll(transaction, [{ current, next: gone, author, isDeletion: true }]);
    return stored!;
  }

  override referrers(
    transaction: TenantTransaction,
    targets: readonly ResourceTarget[],
    limit: number,
  ): Promise<ResourceTarget[]> {
    return findReferrers(transaction, this.indexer.linksOf(transaction.tenant), targets, limit);
  }

  override async insertAll(
    transaction: TenantTransaction,
    resources: readonly ResourceToInsert[],
  ): Promise<StoredResource[]> {
    if (resources.some(({ resource: { id } }) => id === undefined || !ID.test(id)))
      throw new Error('A resource is inserted without an id that FHIR allows.');
    const repeated = firstRepeated(resources);
    if (repeated !== null) throw duplicate(repeated);
    const stored: StoredResource[] = [];
    for (let from = 0; from < resources.length; from += INSERTED_AT_ONCE)
      stored.push(...(await this.insertSome(transaction, resources.slice(from, from + INSERTED_AT_ONCE))));
    return stored;
  }

  private async insertSome(
    transaction: TenantTransaction,
    resources: readonly ResourceToInsert[],
  ): Promise<StoredResource[]> {
    const lastUpdated = this.clock.now();
    const versions = resources.map(({ resource, author }) =>
      this.versionOf(transaction.tenant, resource, 1, { lastUpdated, author, unique: uniqueOf({ resource, author }) }),
    );
    const refused = await writeVersions(transaction, 'first', versions);
    const revived = await this.revive(transaction, versions, refused);
    return versions.map(({ resource, version }, at) => {
      const createdBy = resources[at]!.author;
      return revived.get(at) ?? { resource, version, lastUpdated, createdBy };
    });
  }

  /** Those whose id is that of a deleted resource, as the version after its deletion, by their place. `fhir.duplicate` for any other that was refused. */
  private async revive(
    transaction: TenantTransaction,
    versions: readonly VersionToWrite[],
    refused: readonly RefusedRow[],
  ): Promise<ReadonlyMap<number, StoredResource>> {
    if (refused.length === 0) return new Map();
    const there = new Set(refused.flatMap(({ place, taken }) => (taken ? [] : [place - 1])));
    const targets = [...there].map((at) => targetOf(versions[at]!.resource));
    const deleted = await lockDeleted(transaction, targets);
    const known = new Map(deleted.map((one) => [`${one.resource.resourceType}/${one.resource.id}`, one]));
    const next = new Map<number, Revival>();
    for (const { place } of refused) {
      const written = versions[place - 1]!;
      const { type, id } = targetOf(written.resource);
      const before = there.has(place - 1) ? known.get(`${type}/${id}`) : undefined;
      if (before === undefined) throw duplicate(written.resource);
      next.set(place - 1, { before, version: followingOn(before, written) });
    }
    const revivals = [...next.values()];
    const [again] = await writeVersions(
      transaction,
      'next',
      revivals.map(({ version }) => version),
    );
    if (again !== undefined) throw duplicate(revivals[again.place - 1]!.version.resource);
    return new Map([...next].map(([at, revival]) => [at, revivedAs(revival)]));
  }

  override async insertUnlessThere<T extends Resource>(
    transaction: TenantTransaction,
    resource: T,
    author: Author,
  ): Promise<StoredResource<T> | null> {
    const lastUpdated = this.clock.now();
    const written = this.versionOf(transaction.tenant, resource, 1, { lastUpdated, author, unique: null });
    const [refused] = await writeVersions(transaction, 'first', [written]);
    if (refused !== undefined) return this.insertAgain<T>(transaction, written);
    return { resource: written.resource as T, version: 1, lastUpdated, createdBy: author };
  }

  private async insertAgain<T extends Resource>(
    transaction: TenantTransaction,
    written: VersionToWrite,
  ): Promise<StoredResource<T> | null> {
    const [deleted] = await lockDeleted(transaction, [targetOf(written.resource)]);
    if (deleted === undefined) return null;
    const revival = { before: deleted, version: followingOn(deleted, written) };
    const [refused] = await writeVersions(transaction, 'next', [revival.version]);
    return refused === undefined ? (revivedAs(revival) as StoredResource<T>) : null;
  }

  async replaceAll(
    transaction: TenantTransaction,
    changes: readonly (ResourceChange & { readonly isDeletion?: boolean })[],
  ): Promise<StoredResource[]> {
    if (changes.length === 0) return [];
    const { organizationId, environment } = transaction.tenant;
    const versions: VersionToWrite[] = [];
    for (const { current, next, author, isDeletion = false } of changes) {
      const { resourceType: type, id } = current.resource;
      const isClients = current.createdBy.kind === 'client';
      if (isClients)
        await statementsOf(transaction).runPrepared(CLEAR_IDENTIFIERS, [organizationId, environment, type, id]);
      // A clock that was set back must not let a version be older than the one before.
      const lastUpdated = new Date(Math.max(this.clock.now().getTime(), current.lastUpdated.getTime()));
      const unique = isClients && !isDeletion ? uniqueIdentifiersOf(next) : null;
      const facts = { lastUpdated, author, unique, isDeletion };
      versions.push(this.versionOf(transaction.tenant, { ...next, id } as Resource, current.version + 1, facts));
    }
    const [refused] = await writeVersions(transaction, 'next', versions);
    if (refused !== undefined)
      throw refused.taken ? duplicate(versions[refused.place - 1]!.resource) : new SuturaError('fhir.version_conflict');
    return versions.map(({ resource, version, lastUpdated }, at) => ({
      resource,
      version,
      lastUpdated,
      createdBy: changes[at]!.current.createdBy,
    }));
  }

  private versionOf(
    tenant: Tenant,
    { resourceType, id, meta, ...elements }: Resource,
    version: number,
    {
      lastUpdated,
      author,
      unique,
      isDeletion = false,
    }: Pick<VersionToWrite, 'lastUpdated' | 'unique' | 'isDeletion'> & { readonly author: Author },
  ): VersionToWrite {
    const resource = {
      resourceType,
      id,
      meta: { ...meta, versionId: String(version), lastUpdated: lastUpdated.toISOString() },
      ...elements,
    } as Resource;
    const rows = isDeletion ? NOTHING : this.indexer.rowsOf(tenant, resource);
    return { resource, version, lastUpdated, author: keyOf(author), rows, unique, isDeletion };
  }
}

function targetOf({ resourceType: type, id }: Resource): ResourceTarget {
  return { type, id: id! };
}

function revivedAs({ before: { createdBy }, version: { resource, version, lastUpdated } }: Revival): StoredResource {
  return { resource, version, lastUpdated, createdBy };
}

/** A version that was to be the first, as the one after a deletion. */
function followingOn({ version, lastUpdated }: DeletedResource, written: VersionToWrite): VersionToWrite {
  const at = new Date(Math.max(written.lastUpdated.getTime(), lastUpdated.getTime()));
  const { meta } = written.resource;
  const stamped = { ...meta, versionId: String(version + 1), lastUpdated: at.toISOString() };
  const resource = { ...written.resource, meta: stamped } as Resource;
  return { ...written, resource, version: version + 1, lastUpdated: at };
}
