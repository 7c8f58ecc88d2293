import type { Tenant } from '../../core/tenancy/tenant.js';

/** A row that was written, as its writer knows it. */
export interface WrittenRow extends Tenant {
  readonly id: string;
}

/** One access, before it becomes a row of audit_events for each patient. */
export interface AuditEntry {
  readonly organization_id: string;
  readonly environment: string;
  readonly door: string;
  readonly interaction: string;
  readonly action: string;
  readonly key_id: string;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly patients: readonly string[];
  readonly wound: string | null;
  readonly resources: readonly string[];
  readonly query: string | null;
  readonly refusal: string | null;
  readonly occurrences: number;
  readonly person: string | null;
}

const OF_WOUND = `select w.patient_id from wounds w
    where w.id = given.wound and w.organization_id = given.organization_id and w.environment = given.environment`;
/** Ids are taken before the rows are written: who serves callers may not read what it wrote. */
const INSERT = `with numbered as (
  select nextval('audit_events_id_seq') as id, given.organization_id, given.environment, given.door, given.interaction, given.action::"char" as action, given.key_id, given.request_id, given.address,
      concerned.patient as patient_id, given.resources, given.query, given.refusal, given.occurrences, given.person
    from json_to_recordset($1::json) as given (organization_id uuid, environment text, door text, interaction text, action text, key_id text, request_id text,
        address text, patients uuid[], wound uuid, resources text[], query text, refusal text, occurrences int, person text)
    cross join lateral (
      select unnest(given.patients) as patient union (${OF_WOUND})
      union all select null where cardinality(given.patients) = 0 and not exists (${OF_WOUND})) concerned),
  written as (
    insert into audit_events (id, organization_id, environment, recorded_at, door, interaction, action, key_id, request_id, address, patient_id, resources, query, refusal, occurrences, person)
      overriding system value select id, organization_id, environment, sutura_now(), door, interaction, action, key_id, request_id, address, patient_id, resources, query, refusal, occurrences, person
        from numbered)
  select id::text as id, organization_id as "organizationId", environment from numbered`;

/**
 * A prepared statement that writes a row for each patient of each access, and answers with them (WrittenRow). Wounds among them are looked up as far as
 * the role may see them.
 */
export function auditInsert(entries: readonly AuditEntry[]): [sql: string, values: readonly unknown[]] {
  return [INSERT, [JSON.stringify(entries)]];
}
