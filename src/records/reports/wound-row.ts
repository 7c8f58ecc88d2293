import type { WoundCursor, WoundFilter } from '../../core/followup/wound.repository.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { filedWithPairs, type MetadataPairs } from '../analysis/job-pairs.js';

/** Stands for no patient where a key is compared. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';
/** A Wound each. Named one by one, as the result of a prepared statement must not change when a migration adds a column. */
export const SELECT_WOUNDS = `select id, organization_id as "organizationId", environment, patient_id as "patientId",
  case when patient_system is not null and patient_value is not null then json_build_object('system', patient_system, 'value', patient_value) end as patient,
  wound_id_system as "woundIdSystem", wound_id as "woundId", body_site as "bodySite", laterality, wound_type as "woundType", status,
  closed_at as "closedAt", merged_into as "mergedInto", created_at as "createdAt" from wounds`;

/** Wounds with a report that waits, themselves or by a wound that was joined into them: from the few reports that do. */
const WAITING = `with recursive chain as (
    select id, merged_into from wounds where organization_id = $1 and environment = $2 and id in (
      select wound_id from reports where organization_id = $1 and environment = $2 and attention is not null)
    union select parent.id, parent.merged_into from wounds parent join chain on parent.id = chain.merged_into
      where parent.organization_id = $1 and parent.environment = $2)
  select id from chain`;
const WAITING_ROOTS = `${WAITING} where merged_into is null`;

/** Wounds with a photo whose job has these pairs, themselves or by a wound that was joined into them; a report that was withdrawn says nothing of its wound. */
const woundsWithPairs = (
  pairs: MetadataPairs,
  parameter: (value: unknown) => string,
): string => `with recursive ${filedWithPairs(pairs, parameter)},
  chain as (
    select id, merged_into from wounds where organization_id = $1 and environment = $2 and id in (
      select wound_id from filed where status <> 'entered-in-error')
    union select parent.id, parent.merged_into from wounds parent join chain on parent.id = chain.merged_into
      where parent.organization_id = $1 and parent.environment = $2)
  select id from chain`;

/** A page of a tenant's wounds, newest first, by keyset. */
export function woundListQuery(
  tenant: Tenant,
  filter: WoundFilter,
  limit: number,
  after: WoundCursor | null,
): { readonly sql: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [tenant.organizationId, tenant.environment];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['organization_id = $1', 'environment = $2'];
  if (filter.patientId !== undefined) {
    const value = parameter(filter.patientId);
    // By any number of the patient, now or when the wound was filed.
    conditions.push(
      `(patient_value = ${value} or patient_id = any (array(select patient_id from patient_identifiers where organization_id = $1 and environment = $2 and value = ${value})))`,
    );
  }
  if (filter.woundId !== undefined) conditions.push(`wound_id = ${parameter(filter.woundId)}`);
  if (filter.status !== undefined) conditions.push(`status = ${parameter(filter.status)}`);
  if (filter.linked !== undefined) conditions.push(`wound_id is ${filter.linked ? 'not ' : ''}null`);
  if (filter.attention !== undefined)
    conditions.push(filter.attention ? `id in (${WAITING_ROOTS})` : `id not in (${WAITING})`);
  if (Object.keys(filter.metadata ?? {}).length > 0)
    conditions.push(`id in (${woundsWithPairs(filter.metadata ?? {}, parameter)})`);
  if (after !== null)
    conditions.push(`(created_at, id) < (${parameter(after.createdAt)}, ${parameter(after.id)}::uuid)`);
  const sql = `${SELECT_WOUNDS} where ${conditions.join(' and ')} order by created_at desc, id desc limit ${parameter(limit)}`;
  return { sql, values };
}
