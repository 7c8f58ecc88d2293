import { Injectable } from '@nestjs/common';
import type { Resource, ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { Clock } from '../../core/ports/clock.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { OutcomeError } from '../outcome/outcome-error.js';
import { ResourceIndexer } from '../search-index/rows/resource-indexer.js';
import { isServerId, keepClientId, resolveClientIds } from './client-ids.js';
import { uniqueIdentifiersOf, type UniqueIdentifiers } from './resource-identifiers.js';
import { findChanges } from './changes.js';
import { lockAllCriteria, lockRows } from './resource-locks.js';
import { withinPage, type MeasuredRow } from './page-bytes.js';
import {
  ResourceStore,
  type Author,
  type ChangesPage,
  type ChangesQuery,
  type CriteriaLock,
  type ResourceTarget,
  type ResourceToInsert,
  type StoredResource,
  type VersionsPage,
} from './resource-store.js';
import { keyOf, toStored, type StoredRow } from './stored-row.js';
import { CLEAR_INDEX, writeStatement, type VersionToWrite } from './write-statement.js';

/** Indexing more resources at once would keep other requests waiting. */
const INSERTED_AT_ONCE = 50;
const ID = /^[A-Za-z0-9.-]{1,64}$/;
const OF_ONE = 'r.organization_id = $1 and r.environment = $2 and r.type = $3 and r.id = $4';
const COLUMNS = 'v.version, v.last_updated, r.created_by, v.content';
const FIND = `select ${COLUMNS} from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = r.version where ${OF_ONE}`;
const FIND_VERSION = `select ${COLUMNS} from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = $5 where ${OF_ONE}`;
const HISTORY = withinPage(
  `select ${COLUMNS} from fhir_resources r join fhir_versions v on v.resource = r.number
    where ${OF_ONE} and ($5::int is null or v.version < $5) order by v.version desc limit $6`,
  'q.version, q.last_updated, q.created_by, q.content',
  'q.version desc',
);
const LOCK = `select from fhir_resources r where ${OF_ONE} for update`;
// `offset 0` keeps each of these a look-up of its own by the primary key: joined, they may read everything that the tenant has.
const FIND_ALL = `select found.* from unnest($3::text[], $4::text[]) with ordinality t (type, id, place)
  cross join lateral (select ${COLUMNS} from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = r.version
    where r.organization_id = $1 and r.environment = $2 and r.type = t.type and r.id = t.id offset 0) found order by t.place`;
const MISSING = `select t.type, t.id from unnest($3::text[], $4::text[]) t (type, id)
  where not exists (select from fhir_resources r where r.organization_id = $1 and r.environment = $2 and r.type = t.type and r.id = t.id offset 0)`;

/** A version that could not be written. */
interface RefusedRow {
  readonly place: number;
  readonly taken: boolean;
}

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
    if (found !== null || isServerId(id)) return found;
    const known = await this.idOf(transaction, type, id);
    return known === id ? null : this.findHere<T>(transaction, type, known);
  }

  async findForUpdate<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null> {
    const { tenant } = transaction;
    if (!ID.test(id)) return null;
    const known = await this.idOf(transaction, type, id);
    const lock = () =>
      statementsOf(transaction).runPrepared(LOCK, [tenant.organizationId, tenant.environment, type, known]);
    const { affected } = await lock();
    // Read after the lock: the waiting statement would show the version from before the wait.
    const found = await this.findHere<T>(transaction, type, known);
    if (found === null || affected > 0) return found;
    // Inserted between the two statements, so that there was nothing to lock: its next writer may be at work already.
    await lock();
    return this.findHere<T>(transaction, type, known);
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

  override async findAllForUpdate(
    transaction: TenantTransaction,
    targets: readonly ResourceTarget[],
  ): Promise<StoredResource[]> {
    for (;;) {
      const locked = await lockRows(transaction, targets);
      if (locked === 0) return [];
      const found = await this.findAll(transaction, targets);
      // One that was inserted between the two statements is not locked yet.
      if (found.length === locked) return found;
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
    return (await statementsOf(transaction).runPrepared<ResourceTarget>(MISSING, values)).rows;
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
    const [refused] = await this.write(transaction, 1, versions);
    if (refused !== undefined) throw duplicate(versions[refused.place - 1]!.resource);
    return versions.map(({ resource }, at) => ({
      resource,
      version: 1,
      lastUpdated,
      createdBy: resources[at]!.author,
    }));
  }

  async replace<T extends Resource>(
    transaction: TenantTransaction,
    current: StoredResource<T>,
    next: T,
    author: Author,
  ): Promise<StoredResource<T>> {
    const { tenant } = transaction;
    const { resourceType: type, id } = current.resource;
    // A clock that was set back must not let a version be older than the one before.
    const lastUpdated = new Date(Math.max(this.clock.now().getTime(), current.lastUpdated.getTime()));
    const unique = current.createdBy.kind === 'client' ? uniqueIdentifiersOf(next) : null;
    await statementsOf(transaction).runPrepared(CLEAR_INDEX, [tenant.organizationId, tenant.environment, type, id]);
    const version = current.version + 1;
    const written = this.versionOf(tenant, { ...next, id } as T, version, { lastUpdated, author, unique });
    const [refused] = await this.write(transaction, version, [written]);
    if (refused !== undefined)
      throw refused.taken ? duplicate(written.resource) : new SuturaError('fhir.version_conflict');
    return { resource: written.resource as T, version, lastUpdated, createdBy: current.createdBy };
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

  /** The id here of what a client named; the id itself where it is no client's. */
  private async idOf(transaction: TenantTransaction, type: string, id: string): Promise<string> {
    return (await resolveClientIds(transaction, [{ type, id }])).get(`${type}/${id}`) ?? id;
  }

  private versionOf(
    tenant: Tenant,
    { resourceType, id, meta, ...elements }: Resource,
    version: number,
    { lastUpdated, author, unique }: Pick<VersionToWrite, 'lastUpdated' | 'unique'> & { readonly author: Author },
  ): VersionToWrite {
    const resource = {
      resourceType,
      id,
      meta: { ...meta, versionId: String(version), lastUpdated: lastUpdated.toISOString() },
      ...elements,
    } as Resource;
    return { resource, lastUpdated, author: keyOf(author), rows: this.indexer.rowsOf(tenant, resource), unique };
  }

  /** The versions that could not be written. */
  private async write(
    transaction: TenantTransaction,
    version: number,
    versions: readonly VersionToWrite[],
  ): Promise<RefusedRow[]> {
    const { sql, values } = writeStatement(transaction.tenant, version, versions);
    return (await statementsOf(transaction).runPrepared<RefusedRow>(sql, values)).rows;
  }
}

/** Identifiers that no other resource of its type may have; null for the service, whose identifiers are its own matter. */
function uniqueOf({ resource, author }: ResourceToInsert): UniqueIdentifiers | null {
  return author.kind === 'client' ? uniqueIdentifiersOf(resource) : null;
}

/** The first that has the id or an identifier of one before it: a statement does not see what it is writing itself. */
function firstRepeated(resources: readonly ResourceToInsert[]): Resource | null {
  const seen = new Set<string>();
  for (const created of resources) {
    const { resourceType, id } = created.resource;
    const { scope, identifiers } = uniqueOf(created) ?? { scope: '', identifiers: [] };
    const claims = [
      `${resourceType}/${id}`,
      ...identifiers.map(({ system, value }) => JSON.stringify([resourceType, scope, system, value])),
    ];
    if (claims.some((claim) => seen.has(claim))) return created.resource;
    for (const claim of claims) seen.add(claim);
  }
  return null;
}

function first<T extends Resource>({ rows }: { rows: StoredRow[] }): StoredResource<T> | null {
  return rows[0] === undefined ? null : toStored<T>(rows[0]);
}

/** Names the resource where several were written; for one alone the refusal says enough. */
function duplicate({ resourceType, id }: Resource): OutcomeError {
  return new OutcomeError('fhir.duplicate', [], {}, `${resourceType}/${id}`);
}
