import type { Resource } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { addressOf } from '../search-index/values/index-key.js';
import { contentColumns } from './packed-content.js';
import type { DeletedResource, ResourceTarget } from './resource-store.js';
import { toStored, type StoredRow } from './stored-row.js';

const OF_ONE = 'r.organization_id = $1 and r.environment = $2 and r.type = $3 and r.id = $4';
/** The deletion, and what the resource was before; that has no content once it went by age. */
const FIND_DELETED = `select r.id, r.version, r.last_updated, r.created_by, ${contentColumns('before')} from fhir_resources r
  left join fhir_versions before on before.resource = r.number and before.version = r.version - 1
  where ${OF_ONE} and r.is_deleted`;
/** Waits for those who refer to it (FOR KEY SHARE), and they for the deletion. */
const LOCK_WHOLE = `select from fhir_resources r where ${OF_ONE} and not r.is_deleted for update`;
const DELETED_AMONG = `select r.type, r.id, r.version, r.last_updated, r.created_by, null::json as content, null::bytea as packed from fhir_resources r
  where r.number in (select found.number from unnest($3::text[], $4::text[]) t (type, id) cross join lateral (select own.number from fhir_resources own
      where own.organization_id = $1 and own.environment = $2 and own.type = t.type and own.id = t.id offset 0) found) and r.is_deleted
  order by r.number for update`;
/** Each link is a range of an index of its own. */
const REFERRERS = `select r.type, r.id from (select distinct f.resource from unnest($4::uuid[]) t (address)
      join fhir_resources gone on gone.address = t.address and gone.is_deleted
      cross join unnest($3::bigint[]) l (link)
      cross join lateral (select x.resource from fhir_references x where x.link = l.link and x.target = t.address limit $5) f) f
    join fhir_resources r on r.number = f.resource and r.organization_id = $1 and r.environment = $2 and not r.is_deleted
  order by r.type <> 'DiagnosticReport', r.type, r.id limit $5`;

type DeletedRow = Omit<StoredRow, 'content' | 'packed'> & {
  readonly type: string;
  readonly id: string;
  readonly content: Resource | null;
  readonly packed: Buffer | null;
};

/** null: it is there, or never was. */
export async function findDeleted(
  transaction: TenantTransaction,
  { type, id }: ResourceTarget,
  isLocked: boolean,
): Promise<DeletedResource | null> {
  const { organizationId, environment } = transaction.tenant;
  const { rows } = await statementsOf(transaction).runPrepared<DeletedRow>(
    isLocked ? `${FIND_DELETED} for no key update of r` : FIND_DELETED,
    [organizationId, environment, type, id],
  );
  return rows[0] === undefined ? null : toDeleted({ ...rows[0], type });
}

/** Those of the targets that are deleted, locked until the transaction ends; what they were is not read. */
export async function lockDeleted(
  transaction: TenantTransaction,
  targets: readonly ResourceTarget[],
): Promise<DeletedResource[]> {
  const { organizationId, environment } = transaction.tenant;
  const { rows } = await statementsOf(transaction).run<DeletedRow>(DELETED_AMONG, [
    organizationId,
    environment,
    targets.map(({ type }) => type),
    targets.map(({ id }) => id),
  ]);
  return rows.map(toDeleted);
}

/** False where there is no such resource, or where it is deleted. */
export async function lockWhole(transaction: TenantTransaction, { type, id }: ResourceTarget): Promise<boolean> {
  const { organizationId, environment } = transaction.tenant;
  const { affected } = await statementsOf(transaction).run(LOCK_WHOLE, [organizationId, environment, type, id]);
  return affected > 0;
}

/** Resources that refer to any of the targets that are deleted, by any of the links; at most `limit`. */
export async function findReferrers(
  transaction: TenantTransaction,
  links: readonly string[],
  targets: readonly ResourceTarget[],
  limit: number,
): Promise<ResourceTarget[]> {
  const { tenant } = transaction;
  if (targets.length === 0) return [];
  const addresses = targets.map(({ type, id }) => addressOf(tenant, type, id));
  const values = [tenant.organizationId, tenant.environment, links, addresses, limit];
  return (await statementsOf(transaction).run<ResourceTarget>(REFERRERS, values)).rows;
}

function toDeleted({ type, content, packed, ...row }: DeletedRow): DeletedResource {
  const bare = { resourceType: type, id: row.id } as Resource;
  const isKnown = content !== null || packed !== null;
  return { ...toStored({ ...row, packed, content: content ?? bare }), isDeletion: true, isKnown };
}
