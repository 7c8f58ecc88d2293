import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The EHRs that organizations work with. Secrets are text that is encrypted where the installation has a key. */
export class RegisterEhrs1764781520000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create table ehrs (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live')),
     name text not null,
     -- In one spelling; of one registration in all organizations and environments, as a launch names nothing else.
     fhir_base_url text collate "C" not null unique,
     origins text[] not null,
     patient_system text,
     launch jsonb,
     launch_secret text,
     push jsonb,
     push_token text,
     cds jsonb,
     -- As in cds; a call names nothing else.
     cds_issuer text collate "C" unique,
     frame_ancestors text[] not null,
     created_at timestamptz not null,
     updated_at timestamptz not null)`,
  `create index ehrs_of_organization on ehrs (organization_id, environment, created_at)`,
  `alter table ehrs enable row level security`,
  `alter table ehrs force row level security`,
  `create policy tenant on ehrs to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on ehrs to sutura_system using (true) with check (true)`,
  // Callers' transactions read them; operators alone change them.
  `grant select on ehrs to sutura_app`,
  `grant select, insert, update, delete on ehrs to sutura_system`,
];
