import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * FHIR resources that state their patient by a number that nobody has yet, and the analyses that wait for it. Whichever door the patient then
 * comes through, the number is written into one table, and that tells of it.
 */
export class AwaitPatients1764781040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

/** The migration is the tables' owner. */
const policies = (force: 'force' | 'no force'): string[] =>
  ['reports', 'wounds', 'fhir_resources', 'outbox_events'].map((table) => `alter table ${table} ${force} row level security`);

const STATEMENTS = [
  `create table fhir_awaited_patients (
     organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live')),
     type text collate "C" not null,
     id text collate "C" not null,
     -- Empty, both: the resource states no number, and somebody has to name its patient.
     system text not null,
     value text not null,
     since timestamptz not null,
     primary key (organization_id, environment, type, id, system, value))`,
  `create index fhir_awaited_by_number on fhir_awaited_patients (organization_id, environment, system, value)`,
  `alter table fhir_awaited_patients enable row level security`,
  `alter table fhir_awaited_patients force row level security`,
  `create policy tenant on fhir_awaited_patients to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on fhir_awaited_patients to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on fhir_awaited_patients to sutura_app, sutura_system`,

  // A constant as the default, which rewrites no row.
  `alter table analysis_requests add column awaits_patient boolean not null default false`,

  // Any process hands the event on: who writes a number need not know who waits for it.
  `create function sutura_tell_patient_known() returns trigger language plpgsql as
     $$ begin
          if exists (select from fhir_awaited_patients awaited where awaited.organization_id = new.organization_id
              and awaited.environment = new.environment and awaited.system = new.system and awaited.value = new.value) then
            insert into outbox_events (id, kind, organization_id, environment, subject_id, created_at, next_try_at)
              values (gen_random_uuid(), 'patient.known', new.organization_id, new.environment, new.patient_id, sutura_now(), sutura_now());
          end if;
          return null;
        end $$`,
  `create trigger tell_patient_known after insert on patient_identifiers
     for each row execute function sutura_tell_patient_known()`,

  // Results without a patient were never shown, and their Tasks stood in progress for ever.
  ...policies('no force'),
  `insert into outbox_events (id, kind, organization_id, environment, subject_id, created_at, next_try_at, handler)
     select gen_random_uuid(), 'report.ready', report.organization_id, report.environment, report.id, now(), now(), 'fhir-projection'
       from reports report join wounds wound on wound.id = report.wound_id
       where wound.patient_id is null and exists (select from fhir_resources task where task.organization_id = report.organization_id
         and task.environment = report.environment collate "C" and task.type = 'Task' and task.id = report.job_id::text collate "C")`,
  ...policies('force'),
];
