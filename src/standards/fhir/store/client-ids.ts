import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { ResourceTarget } from './resource-store.js';

const RESOLVE = `select c.type, c.client_id as "clientId", c.id from unnest($3::text[], $4::text[]) t (type, id)
  cross join lateral (select * from fhir_client_ids c where c.organization_id = $1 and c.environment = $2 and c.type = t.type and c.client_id = t.id offset 0) c`;
const KEEP = `insert into fhir_client_ids (organization_id, environment, type, client_id, id) values ($1, $2, $3, $4, $5)
  on conflict (organization_id, environment, type, client_id) do update set id = excluded.id`;
const IS_RESOURCE = `exists (select from fhir_resources where organization_id = $1 and environment = $2 and type = $3 and id = $4)`;

/** A UUID, and what may follow it: the service names what it makes of a report, a job or a model so (`{report}-area`). */
const RECORD_ID = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:-|$)/;
/** Records by whose id a resource of the type is known, or will be once it is written. */
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  Patient: ['patients'],
  BodyStructure: ['wounds'],
  Media: ['images'],
  DocumentReference: ['images'],
  Observation: ['reports'],
  Procedure: ['clinical_events'],
  Condition: ['wounds'],
  Task: ['analysis_jobs', 'analysis_requests'],
};

/** `Type/id` as it is asked, and the id here: of those targets that are named by a client's own id. */
export async function resolveClientIds(
  transaction: TenantTransaction,
  targets: readonly ResourceTarget[],
): Promise<ReadonlyMap<string, string>> {
  const { tenant } = transaction;
  if (targets.length === 0) return new Map();
  const values = [
    tenant.organizationId,
    tenant.environment,
    targets.map(({ type }) => type),
    targets.map(({ id }) => id),
  ];
  const { rows } = await statementsOf(transaction).runPrepared<{ type: string; clientId: string; id: string }>(
    RESOLVE,
    values,
  );
  return new Map(rows.map(({ type, clientId, id }) => [`${type}/${clientId}`, id]));
}

/** See ResourceStore.isTaken. */
export async function isTaken(transaction: TenantTransaction, { type, id }: ResourceTarget): Promise<boolean> {
  const { organizationId, environment } = transaction.tenant;
  if (type === 'Organization' && id === organizationId) return true;
  const recordId = RECORD_ID.exec(id)?.[1];
  const records = recordId === undefined ? [] : (RECORDS[type] ?? []);
  const ofRecords = records.map(
    (table) => ` or exists (select from ${table} where organization_id = $1 and environment = $2 and id = $5)`,
  );
  const values = [organizationId, environment, type, id, ...(records.length === 0 ? [] : [recordId])];
  const { rows } = await statementsOf(transaction).runPrepared<{ taken: boolean }>(
    `select ${IS_RESOURCE}${ofRecords.join('')} as taken`,
    values,
  );
  return rows[0]!.taken;
}

/** See ResourceStore.keepClientId. */
export async function keepClientId(
  transaction: TenantTransaction,
  { type, id: clientId }: ResourceTarget,
  id: string,
): Promise<void> {
  const { organizationId, environment } = transaction.tenant;
  await statementsOf(transaction).runPrepared(KEEP, [organizationId, environment, type, clientId, id]);
}
