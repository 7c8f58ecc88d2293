import type { Resource, ResourceType } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { isTaken, keepClientId, resolveClientIds } from './client-ids.js';
import { findChanges } from './changes.js';
import { findDeleted, lockWhole } from './deletions.js';
import { contentColumns } from './packed-content.js';
import { withinPage, type MeasuredRow } from './page-bytes.js';
import { lockAllCriteria, lockRows } from './resource-locks.js';
import {
  ResourceStore,
  type ChangesPage,
  type ChangesQuery,
  type CriteriaLock,
  type DeletedResource,
  type ResourceTarget,
  type StoredResource,
  type VersionsPage,
} from './resource-store.js';
import { standingOn } from './standing-records.js';
import { toAllStored, toStored, type StoredRow } from './stored-row.js';

const ID = /^[A-Za-z0-9.-]{1,64}$/;
const OF_ONE = 'r.organization_id = $1 and r.environment = $2 and r.type = $3 and r.id = $4';
const COLUMNS = `v.version, v.last_updated, r.created_by, ${contentColumns('v')}`;
const FIND = `select ${COLUMNS} from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = r.version where ${OF_ONE} and not r.is_deleted`;
const FIND_VERSION = `select ${COLUMNS}, v.is_deletion from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = $5 where ${OF_ONE}`;
const HISTORY = withinPage(
  `select ${COLUMNS}, v.is_deletion from fhir_resources r join fhir_versions v on v.resource = r.number
    where ${OF_ONE} and ($5::int is null or v.version < $5) order by v.version desc limit $6`,
  'q.version, q.last_updated, q.created_by, q.is_deletion, q.content, q.packed',
  'q.version desc',
);
// No lock of the whole row: who refers to a resource waits for its deletion alone, and not for its next version.
// Where the row was changed while the statement waited for it, the version that it read no longer fits: nothing is found, and the row is locked.
const FIND_AND_LOCK = `${FIND} for no key update of r`;
const LOCK = `select from fhir_resources r where ${OF_ONE} and not r.is_deleted for no key update`;
// `offset 0` keeps each of these a look-up of its own by the primary key: joined, they may read everything that the tenant has. The arrays stand in
// selects, as PostgreSQL otherwise counts their elements and plans the statement anew each time, which takes three times as long as running it.
const FIND_ALL = `select found.* from unnest((select $3::text[]), (select $4::text[])) with ordinality t (type, id, place)
  cross join lateral (select ${COLUMNS} from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = r.version
    where r.organization_id = $1 and r.environment = $2 and r.type = t.type and r.id = t.id and not r.is_deleted offset 0) found order by t.place`;
/** Locked against their deletion, of which a transaction that waited for it finds that they are gone. */
const THERE = `select r.type, r.id from fhir_resources r where r.number in (
    select found.number from unnest((select $3::text[]), (select $4::text[])) t (type, id) cross join lateral (select own.number from fhir_resources own
      where own.organization_id = $1 and own.environment = $2 and own.type = t.type and own.id = t.id offset 0) found) and not r.is_deleted
  order by r.number for key share`;

/** Reads and locks resources in PostgreSQL; what writes them is `SqlResourceStore`. */
export abstract class SqlResourceReading extends ResourceStore {
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
    return toAllStored((await statementsOf(transaction).runPrepared<StoredRow>(FIND_ALL, values)).rows);
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
    const versions = await toAllStored(rows.slice(0, limit));
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
}

function first<T extends Resource>({ rows }: { rows: StoredRow[] }): StoredResource<T> | null {
  return rows[0] === undefined ? null : toStored<T>(rows[0]);
}
