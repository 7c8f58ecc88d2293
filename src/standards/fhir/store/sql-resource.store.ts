import { Injectable } from '@nestjs/common';
import type { Resource, ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { NOTHING, ResourceIndexer } from '../search-index/rows/resource-indexer.js';
import { isTaken, keepClientId, resolveClientIds } from './client-ids.js';
import { findDeleted, findReferrers, lockDeleted, lockWhole } from './deletions.js';
import { duplicate, firstRepeated, uniqueOf } from './resource-duplicates.js';
import { uniqueIdentifiersOf } from './resource-identifiers.js';
import { findChanges } from './changes.js';
import { lockAllCriteria, lockRows } from './resource-locks.js';
import { withinPage, type MeasuredRow } from './page-bytes.js';
import {
  ResourceStore,
  type Author,
  type ChangesPage,
  type ChangesQuery,
  type CriteriaLock,
  type DeletedResource,
  type ResourceChange,
  type ResourceTarget,
  type ResourceToInsert,
  type StoredResource,
  type VersionsPage,
} from './resource-store.js';
import { standingOn } from './standing-records.js';
import { keyOf, toStored, type StoredRow } from './stored-row.js';
import { CLEAR_IDENTIFIERS, writeVersions, type RefusedRow, type VersionToWrite } from './write-statement.js';

/** Indexing more resources at once would keep other requests waiting. */
const INSERTED_AT_ONCE = 50;
const ID = /^[A-Za-z0-9.-]{1,64}$/;
const OF_ONE = 'r.organization_id = $1 and r.environment = $2 and r.type = $3 and r.id = $4';
const COLUMNS = 'v.version, v.last_updated, r.created_by, v.content';
const FIND = `select ${COLUMNS} from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = r.version where ${OF_ONE} and not r.is_deleted`;
const FIND_VERSION = `select ${COLUMNS}, v.is_deletion from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = $5 where ${OF_ONE}`;
const HISTORY = withinPage(
  `select ${COLUMNS}, v.is_deletion from fhir_resources r join fhir_versions v on v.resource = r.number
    where ${OF_ONE} and ($5::int is null or v.version < $5) order by v.version desc limit $6`,
  'q.version, q.last_updated, q.created_by, q.is_deletion, q.content',
  'q.version desc',
);
// No lock of the whole row: who refers to a resource waits for its deletion alone, and not for its next version.
// Where the row was changed while the statement waited for it, the version that it read no longer fits: nothing is found, and the row is locked.
const FIND_AND_LOCK = `${FIND} for no key update of r`;
const LOCK = `select from fhir_resources r where ${OF_ONE} and not r.is_deleted for no key update`;
// `offset 0` keeps each of these a look-up of its own by the primary key: joined, they may read everything that the tenant has.
const FIND_ALL = `select found.* from unnest($3::text[], $4::text[]) with ordinality t (type, id, place)
  cross join lateral (select ${COLUMNS} from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = r.version
    where r.organization_id = $1 and r.environment = $2 and r.type = t.type and r.id = t.id and not r.is_deleted offset 0) found order by t.place`;
/** Locked against their deletion, of which a transaction that waited for it finds that they are gone. */
const THERE = `select r.type, r.id from fhir_resources r where r.number in (
    select found.number from unnest($3::text[], $4::text[]) t (type, id) cross join lateral (select own.number from fhir_resources own
      where own.organization_id = $1 and own.environment = $2 and own.type = t.type and own.id = t.id offset 0) found) and not r.is_deleted
  order by r.number for key share`;

/** Resources in PostgreSQL: one statement writes versions with all their index rows. */
@Injectable()
export class SqlResourceStore extends ResourceStore {
  constructor(
    private readonly indexer: ResourceIndexer,
    private readonly clock: Clock,
  ) {
    super();
  }

  async find<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null> {
    if (!ID.test(id)) return null;
    const found = await this.findHere<T>(transaction, type, id);
    if (found !== null) return found;
    const known = await this.idOf(transaction, type, id);
    return known === id ? null : this.findHere<T>(transaction, type, known);
  }

  async findForUpdate<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null> {
    if (!ID.test(id)) return null;
    const found = await this.lockHere<T>(transaction, type, id);
    if (found !== null) return found;
    const known = await this.idOf(transaction, type, id);
    return known === id ? null : this.lockHere<T>(transaction, type, known);
  }

  override async findDeleted(
    transaction: TenantTransaction,
    type: ResourceType,
    id: string,
  ): Promise<DeletedResource | null> {
    if (!ID.test(id)) return null;
    return findDeleted(transaction, { type, id: await this.idOf(transaction, type, id) }, false);
  }

  override async findDeletedForUpdate(
    transaction: TenantTransaction,
    type: ResourceType,
    id: string,
  ): Promise<DeletedResource | null> {
    if (!ID.test(id)) return null;
    return findDeleted(transaction, { type, id: await this.idOf(transaction, type, id) }, true);
  }

  override async findToDelete(
    transaction: TenantTransaction,
    type: ResourceType,
    id: string,
  ): Promise<StoredResource | null> {
    if (!ID.test(id)) return null;
    const known = await this.idOf(transaction, type, id);
    return (await lockWhole(transaction, { type, id: known })) ? this.findHere(transaction, type, known) : null;
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

  async findVersion(
    transaction: TenantTransaction,
    type: ResourceType,
    id: string,
    version: number,
  ): Promise<StoredResource | null> {
    const { tenant } = transaction;
    if (!ID.test(id)) return null;
    const known = await this.idOf(transaction, type, id);
    return first(
      await statementsOf(transaction).run<StoredRow>(FIND_VERSION, [
        tenant.organizationId,
        tenant.environment,
        type,
        known,
        version,
      ]),
    );
  }

  override async findAll(
    transaction: TenantTransaction,
    targets: readonly ResourceTarget[],
  ): Promise<StoredResource[]> {
    const { tenant } = transaction;
    const known = targets.filter(({ id }) => ID.test(id));
    if (known.length === 0) return [];
    const values = [
      tenant.organizationId,
      tenant.environment,
      known.map(({ type }) => type),
      known.map(({ id }) => id),
    ];
    return (await statementsOf(transaction).runPrepared<StoredRow>(FIND_ALL, values)).rows.map((row) => toStored(row));
  }

  override findAllForUpdate(
    transaction: TenantTransaction,
    targets: readonly ResourceTarget[],
  ): Promise<StoredResource[]> {
    return this.findAllLocking(transaction, targets, []);
  }

  override async findAllLocking(
    transaction: TenantTransaction,
    locked: readonly ResourceTarget[],
    read: readonly ResourceTarget[],
  ): Promise<StoredResource[]> {
    const toLock = new Set(locked.map(({ type, id }) => `${type}/${id}`));
    for (;;) {
      const held = locked.length === 0 ? 0 : await lockRows(transaction, locked);
      if (held === 0 && read.length === 0) return [];
      const found = await this.findAll(transaction, [...locked, ...read]);
      const lockable = found.filter(({ resource: { resourceType, id } }) => toLock.has(`${resourceType}/${id}`));
      // One that was inserted between the two statements is not locked yet.
      if (lockable.length === held) return found;
    }
  }

  override async missing(
    transaction: TenantTransaction,
    targets: readonly ResourceTarget[],
  ): Promise<ResourceTarget[]> {
    const { tenant } = transaction;
    if (targets.length === 0) return [];
    const values = [
      tenant.organizationId,
      tenant.environment,
      targets.map(({ type }) => type),
      targets.map(({ id }) => id),
    ];
    const { rows } = await statementsOf(transaction).runPrepared<ResourceTarget>(THERE, values);
    const there = new Set(rows.map(({ type, id }) => `${type}/${id}`));
    return targets.filter(({ type, id }) => !there.has(`${type}/${id}`));
  }

  async history(
    transaction: TenantTransaction,
    type: ResourceType,
    id: string,
    limit: number,
    before: number | null,
  ): Promise<VersionsPage> {
    const { tenant } = transaction;
    if (!ID.test(id)) return { versions: [], hasMore: false };
    const known = await this.idOf(transaction, type, id);
    const { rows } = await statementsOf(transaction).run<StoredRow & MeasuredRow>(HISTORY, [
      tenant.organizationId,
      tenant.environment,
      type,
      known,
      before,
      limit + 1,
    ]);
    const versions = rows.slice(0, limit).map((row) => toStored(row));
    return { versions, hasMore: (rows[0]?.found ?? 0) > versions.length };
  }

  override changes(transaction: TenantTransaction, query: ChangesQuery): Promise<ChangesPage> {
    return findChanges(transaction, query);
  }

  override resolve(
    transaction: TenantTransaction,
    targets: readonly ResourceTarget[],
  ): Promise<ReadonlyMap<string, string>> {
    return resolveClientIds(transaction, targets);
  }

  override standingOn(transaction: TenantTransaction, target: ResourceTarget): Promise<readonly ResourceTarget[]> {
    return standingOn(transaction, target);
  }

  override isTaken(transaction: TenantTransaction, target: ResourceTarget): Promise<boolean> {
    return isTaken(transaction, target);
  }

  override keepClientId(transaction: TenantTransaction, target: ResourceTarget, id: string): Promise<void> {
    return keepClientId(transaction, target, id);
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
    return versions.map((first, at) => {
      const written = revived.get(at) ?? first;
      const { resource, version } = written;
      return { resource, version, lastUpdated: written.lastUpdated, createdBy: resources[at]!.author };
    });
  }

  /** Those whose id is that of a deleted resource, as the version after its deletion, by their place. `fhir.duplicate` for any other that was refused. */
  private async revive(
    transaction: TenantTransaction,
    versions: readonly VersionToWrite[],
    refused: readonly RefusedRow[],
  ): Promise<ReadonlyMap<number, VersionToWrite>> {
    if (refused.length === 0) return new Map();
    const there = new Set(refused.flatMap(({ place, taken }) => (taken ? [] : [place - 1])));
    const targets = [...there].map((at) => targetOf(versions[at]!.resource));
    const deleted = await lockDeleted(transaction, targets);
    const known = new Map(deleted.map((one) => [`${one.resource.resourceType}/${one.resource.id}`, one]));
    const next = new Map<number, VersionToWrite>();
    for (const { place } of refused) {
      const written = versions[place - 1]!;
      const { type, id } = targetOf(written.resource);
      const before = there.has(place - 1) ? known.get(`${type}/${id}`) : undefined;
      if (before === undefined) throw duplicate(written.resource);
      next.set(place - 1, followingOn(before, written));
    }
    const [again] = await writeVersions(transaction, 'next', [...next.values()]);
    if (again !== undefined) throw duplicate([...next.values()][again.place - 1]!.resource);
    return next;
  }

  override async insertUnlessThere<T extends Resource>(
    transaction: TenantTransaction,
    resource: T,
    author: Author,
  ): Promise<StoredResource<T> | null> {
    const lastUpdated = this.clock.now();
    const written = this.versionOf(transaction.tenant, resource, 1, { lastUpdated, author, unique: null });
    const [refused] = await writeVersions(transaction, 'first', [written]);
    if (refused !== undefined) return this.insertAgain<T>(transaction, written, author);
    return { resource: written.resource as T, version: 1, lastUpdated, createdBy: author };
  }

  private async insertAgain<T extends Resource>(
    transaction: TenantTransaction,
    written: VersionToWrite,
    author: Author,
  ): Promise<StoredResource<T> | null> {
    const [deleted] = await lockDeleted(transaction, [targetOf(written.resource)]);
    if (deleted === undefined) return null;
    const next = followingOn(deleted, written);
    const [refused] = await writeVersions(transaction, 'next', [next]);
    const { resource, version, lastUpdated } = next;
    return refused === undefined ? { resource: resource as T, version, lastUpdated, createdBy: author } : null;
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
      const unique = isClients ? uniqueIdentifiersOf(next) : null;
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
      createdBy: changes[at]!.current.isDeletion === true ? changes[at]!.author : changes[at]!.current.createdBy,
    }));
  }

  lockCriteria(transaction: TenantTransaction, type: ResourceType, criteria: string): Promise<void> {
    return lockAllCriteria(transaction, [{ type, criteria }]);
  }

  override lockAllCriteria(transaction: TenantTransaction, locks: readonly CriteriaLock[]): Promise<void> {
    return lockAllCriteria(transaction, locks);
  }

  private async findHere<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null> {
    const { tenant } = transaction;
    return first<T>(
      await statementsOf(transaction).runPrepared<StoredRow>(FIND, [
        tenant.organizationId,
        tenant.environment,
        type,
        id,
      ]),
    );
  }

  private async lockHere<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null> {
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, type, id];
    const statements = statementsOf(transaction);
    const present = first<T>(await statements.runPrepared<StoredRow>(FIND_AND_LOCK, values));
    if (present !== null) return present;
    const { affected } = await statements.runPrepared(LOCK, values);
    if (affected === 0) return null;
    // Read after the lock: it was inserted or changed meanwhile.
    return first<T>(await statements.runPrepared<StoredRow>(FIND, values));
  }

  /** The id here of what a client named; the id itself where it is no client's. */
  private async idOf(transaction: TenantTransaction, type: string, id: string): Promise<string> {
    return (await resolveClientIds(transaction, [{ type, id }])).get(`${type}/${id}`) ?? id;
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

/** A version that was to be the first, as the one after a deletion. */
function followingOn({ version, lastUpdated }: DeletedResource, written: VersionToWrite): VersionToWrite {
  const at = new Date(Math.max(written.lastUpdated.getTime(), lastUpdated.getTime()));
  const { meta } = written.resource;
  const stamped = { ...meta, versionId: String(version + 1), lastUpdated: at.toISOString() };
  const resource = { ...written.resource, meta: stamped } as Resource;
  return { ...written, resource, version: version + 1, lastUpdated: at };
}

function first<T extends Resource>({ rows }: { rows: StoredRow[] }): StoredResource<T> | null {
  return rows[0] === undefined ? null : toStored<T>(rows[0]);
}
