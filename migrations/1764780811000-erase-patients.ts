import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is forgotten: erasures of patients with what they removed, holds that forbid them, how long each organization keeps what, and what the
 * sweep of it removed. The service's own: no tenant reads them.
 */
export class ErasePatients1764780811000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...TABLES_OF_SERVICE.flatMap(serviceOnly), ...OWN_POLICY, ...AUDIT]) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const TENANT = `organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live'))`;

const TABLES = [
  // No foreign key to patients: this row stays, and its patient_id is the pseudonym under which the audit trail goes on.
  `create table patient_erasures (
     id uuid primary key,
     ${TENANT},
     patient_id uuid not null,
     state text not null check (state in ('asked', 'rows_erased', 'done')),
     -- Who asked: as audit_events.key_id.
     asked_by text not null,
     asked_at timestamptz not null,
     -- Ids that this service gave, and nothing else: what a later look finds leftovers by. null before the rows are gone.
     record jsonb,
     -- Folders of the object store that are still to be emptied.
     folders text[] not null default '{}',
     -- [{what, rows, bytes}]
     counts jsonb not null default '[]',
     -- Messages that may be another patient's: left for a person.
     left_messages uuid[] not null default '{}',
     rows_erased_at timestamptz,
     completed_at timestamptz,
     -- Whoever was asked works on it until then; from then on whoever finds it.
     lease_until timestamptz not null,
     check ((state = 'asked') = (rows_erased_at is null)),
     check ((state = 'done') = (completed_at is not null)))`,
  `create index patient_erasures_unfinished on patient_erasures (asked_at) where state <> 'done'`,
  `create index patient_erasures_newest on patient_erasures (organization_id, asked_at desc, id desc)`,

  `create table legal_holds (
     patient_id uuid primary key references patients,
     ${TENANT},
     -- A file number or the like.
     reason text not null,
     placed_by text not null,
     placed_at timestamptz not null)`,
  `create index legal_holds_of_organization on legal_holds (organization_id, environment)`,

  // Days after which a kind of data goes; null: never by age.
  `create table retention_policies (
     organization_id uuid primary key references organizations,
     photo_days int check (photo_days between 1 and 36500),
     message_days int check (message_days between 1 and 36500),
     record_days int check (record_days between 1 and 36500),
     -- In place of 24.
     idempotency_hours int check (idempotency_hours between 1 and 720))`,

  `create table retention_runs (
     id uuid primary key,
     ${TENANT},
     what text not null check (what in ('photos', 'messages', 'records')),
     -- What was older than this.
     before timestamptz not null,
     rows bigint not null,
     bytes bigint not null,
     -- Left because of a legal hold, or because somebody works on it.
     kept bigint not null,
     began_at timestamptz not null,
     ended_at timestamptz not null)`,
  `create index retention_runs_newest on retention_runs (organization_id, began_at desc, id desc)`,
];

const TABLES_OF_SERVICE = ['patient_erasures', 'legal_holds', 'retention_policies', 'retention_runs'];

const serviceOnly = (table: string): string[] => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy service on ${table} to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on ${table} to sutura_system`,
];

/** A caller's answers are kept as long as its organization says. */
const OWN_POLICY = [
  `create policy own_organization on retention_policies for select to sutura_app
     using (organization_id = nullif(current_setting('app.organization', true), '')::uuid)`,
  `grant select on retention_policies to sutura_app`,
];

const AUDIT = [
  // What a caller typed may name a patient who is erased. The words go; the row keeps the digest that it was sealed with, and the erasure's own row
  // names and seals what was put in their place.
  `alter table audit_events add column redacted_digest bytea, add column redacted_by uuid`,
  `create index audit_events_redacted on audit_events (redacted_by, id) where redacted_by is not null`,
  `create function sutura_audit_content_digest(event audit_events) returns bytea language sql immutable as
     $$ select sha256(convert_to((
          jsonb_build_array(event.id, event.organization_id, event.environment,
            (extract(epoch from event.recorded_at) * 1000000)::bigint, event.door, event.interaction, event.action::text, event.key_id,
            event.request_id, event.address, event.patient_id, to_jsonb(event.resources), event.query)
          || case when event.refusal is null and event.occurrences = 1 then '[]'::jsonb else jsonb_build_array(event.refusal, event.occurrences) end)::text, 'UTF8')) $$`,
  `create or replace function sutura_audit_digest(event audit_events) returns bytea language sql immutable as
     $$ select coalesce(event.redacted_digest, sutura_audit_content_digest(event)) $$`,
  `grant update (query, resources, redacted_digest, redacted_by) on audit_events to sutura_system`,
];
