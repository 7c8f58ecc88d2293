import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Numbers of patients whom nobody has announced, and for whom HL7 v2 messages wait. As with what waits over FHIR, the table of numbers tells of the
 * patient, whichever door they come through.
 */
export class AwaitPatientsOfMessages1764781400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create table held_awaited_numbers (
     item_id uuid not null references held_items on delete cascade,
     organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live')),
     system text not null,
     value text not null,
     primary key (item_id, system, value))`,
  `create index held_awaited_by_number on held_awaited_numbers (organization_id, environment, system, value)`,
  `alter table held_awaited_numbers enable row level security`,
  `alter table held_awaited_numbers force row level security`,
  `create policy tenant on held_awaited_numbers to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on held_awaited_numbers to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on held_awaited_numbers to sutura_app, sutura_system`,
  // What goes on about a patient, and what of it came earlier than another message.
  `create index held_items_of_patient on held_items using gin ((came -> 'patientIds')) where reason = 'patient_unknown'`,
  `create index hl7_inbound_going_on on hl7_inbound (held_item, sequence) where held_item is not null and state in ('held', 'received')`,
  `drop index hl7_inbound_held`,

  `create or replace function sutura_tell_patient_known() returns trigger language plpgsql as
     $$ begin
          if exists (select from fhir_awaited_patients awaited where awaited.organization_id = new.organization_id
              and awaited.environment = new.environment and awaited.system = new.system and awaited.value = new.value)
            or exists (select from held_awaited_numbers awaited where awaited.organization_id = new.organization_id
              and awaited.environment = new.environment and awaited.system = new.system and awaited.value = new.value) then
            insert into outbox_events (id, kind, organization_id, environment, subject_id, created_at, next_try_at)
              values (gen_random_uuid(), 'patient.known', new.organization_id, new.environment, new.patient_id, sutura_now(), sutura_now());
          end if;
          return null;
        end $$`,
];
