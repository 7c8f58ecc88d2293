import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The tenants whose records are kept as FHIR: those that ever asked for them. The others' are written at their first request. Held: a process
 * is writing what is missing.
 */
export class OpenFhirAtFirstLook1764780804000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create table fhir_openings (
     organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live')),
     opened_at timestamptz not null,
     -- null: records from before may still be missing.
     completed_at timestamptz,
     held_by uuid,
     held_until timestamptz,
     primary key (organization_id, environment))`,
  `alter table fhir_openings enable row level security`,
  `alter table fhir_openings force row level security`,
  `create policy service on fhir_openings to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on fhir_openings to sutura_system`,
  // Clients and HL7 v2 messages made resources of their own. Who only read is found out by the next request, which then finds everything there.
  `insert into fhir_openings (organization_id, environment, opened_at, completed_at)
     select organizations.id, environment, now(), now() from organizations cross join unnest(array['test', 'live']) environment
       where exists (select from fhir_resources r
         where r.organization_id = organizations.id and r.environment = environment.environment collate "C" and r.created_by is not null)`,
];
