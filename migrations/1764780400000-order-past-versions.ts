import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where versions stand in the order of change that are no longer the present one: with `fhir_resources_by_change`, which has the present ones,
 * the history of a type.
 * A row is written when a version gets a successor, by whichever release writes that, so that a create writes nothing more than before.
 */
export class OrderPastVersions1764780400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const OWN = `organization_id = (select nullif(current_setting('app.organization', true), '')::uuid) and environment = (select current_setting('app.environment', true))`;

const STATEMENTS = [
  `create table fhir_past_versions (
     organization_id uuid not null,
     environment text collate "C" not null,
     type text collate "C" not null,
     last_updated timestamptz not null,
     resource bigint not null,
     version int not null,
     primary key (organization_id, environment, type, last_updated, resource, version))`,
  `insert into fhir_past_versions (organization_id, environment, type, last_updated, resource, version)
     select r.organization_id, r.environment, r.type, v.last_updated, v.resource, v.version
     from fhir_resources r join fhir_versions v on v.resource = r.number and v.version < r.version where r.version > 1`,
  `alter table fhir_past_versions enable row level security`,
  `alter table fhir_past_versions force row level security`,
  `create policy tenant on fhir_past_versions to sutura_app using (${OWN}) with check (${OWN})`,
  `create policy service on fhir_past_versions to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on fhir_past_versions to sutura_system`,
  `grant select, insert on fhir_past_versions to sutura_app`,

  `create function sutura_keep_past_version() returns trigger language plpgsql as
   $$ begin
     insert into fhir_past_versions (organization_id, environment, type, last_updated, resource, version)
       values (old.organization_id, old.environment, old.type, old.last_updated, old.number, old.version);
     return null;
   end $$`,
  `create trigger past_version after update of version on fhir_resources
     for each row when (old.version is distinct from new.version) execute function sutura_keep_past_version()`,
];
