import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who came to whose data. Rows are written once, in the transaction of the access; nobody is granted a change of them. Seals chain
 * them later, per tenant: each names its rows and holds their hash and that of the seal before.
 */
export class CreateAudit1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const COLUMNS = 'organization_id, environment, recorded_at, door, interaction, action, key_id, request_id, address, patient_id, resources, query';

const STATEMENTS = [
  `create table audit_events (
     id bigint generated always as identity primary key,
     organization_id uuid not null,
     environment text not null,
     recorded_at timestamptz not null,
     door text not null,
     interaction text not null,
     action "char" not null,
     key_id text not null,
     request_id text,
     address text,
     patient_id uuid,
     resources text[] not null,
     query text)`,
  `create index audit_events_by_tenant on audit_events (organization_id, environment, id)`,
  `create index audit_events_by_patient on audit_events (patient_id, id) where patient_id is not null`,

  `create table audit_seals (
     organization_id uuid not null,
     environment text not null,
     number int not null check (number > 0),
     event_ids bigint[] not null,
     last_id bigint not null,
     sealed_at timestamptz not null,
     hash bytea not null,
     primary key (organization_id, environment, number))`,
  `create index audit_seals_by_time on audit_seals (sealed_at)`,
  `create index audit_seals_by_event on audit_seals (last_id desc)`,

  // One way to hash a row, for the seal and for its check; nothing in it depends on a session's settings.
  `create function sutura_audit_digest(event audit_events) returns bytea language sql immutable as
     $$ select sha256(convert_to(jsonb_build_array(event.id, event.organization_id, event.environment,
          (extract(epoch from event.recorded_at) * 1000000)::bigint, event.door, event.interaction, event.action::text, event.key_id,
          event.request_id, event.address, event.patient_id, to_jsonb(event.resources), event.query)::text, 'UTF8')) $$`,

  // One round trip: the tenant, one row for each patient of the access, or one where it is of nobody.
  `create function sutura_record_access(organization uuid, environment_ text, door_ text, interaction_ text, action_ text, key_ text,
       request_ text, address_ text, patients uuid[], wound uuid, resources_ text[], query_ text) returns void language plpgsql as
     $$ begin
          perform set_config('app.organization', organization::text, true), set_config('app.environment', environment_, true);
          insert into audit_events (${COLUMNS})
            select organization, environment_, sutura_now(), door_, interaction_, action_::"char", key_, request_, address_, concerned.patient, resources_, query_
            from (select unnest(patients) as patient
                  union select w.patient_id from wounds w where w.id = wound and w.organization_id = organization and w.environment = environment_) concerned;
          if not found then
            insert into audit_events (${COLUMNS})
              values (organization, environment_, sutura_now(), door_, interaction_, action_::"char", key_, request_, address_, null, resources_, query_);
          end if;
        end $$`,

  ...['audit_events', 'audit_seals'].flatMap((table) => [
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `create policy service on ${table} to sutura_system using (true) with check (true)`,
    `grant select, insert on ${table} to sutura_system`,
  ]),
  `create policy tenant on audit_events for insert to sutura_app with check (sutura_tenant_matches(organization_id, environment))`,
  `grant insert on audit_events to sutura_app`,
];
