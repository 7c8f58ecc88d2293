import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ids that clients give to their resources (R4 http.html 3.1.0.7.1), and the ids that these have here; and whether an organization's Bundles
 * may hold types that are not served (docs/decisions/0022).
 */
export class CreateFhirClientIds1764711000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const OWN = `organization_id = (select nullif(current_setting('app.organization', true), '')::uuid) and environment = (select current_setting('app.environment', true))`;

const STATEMENTS = [
  `create table fhir_client_ids (
     organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live')),
     type text collate "C" not null,
     client_id text collate "C" not null check (client_id ~ '^[A-Za-z0-9.-]{1,64}$'),
     id text collate "C" not null,
     created_at timestamptz not null default now(),
     primary key (organization_id, environment, type, client_id))`,
  `alter table fhir_client_ids enable row level security`,
  `alter table fhir_client_ids force row level security`,
  `create policy tenant on fhir_client_ids to sutura_app using (${OWN}) with check (${OWN})`,
  `create policy service on fhir_client_ids to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on fhir_client_ids to sutura_system`,
  `grant select, insert on fhir_client_ids to sutura_app`,

  `alter table organizations add column unserved_types text not null default 'refuse' check (unserved_types in ('refuse', 'ignore'))`,
];
