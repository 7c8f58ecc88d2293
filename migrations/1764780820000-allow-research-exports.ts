import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The organizations that let de-identified results and photos be taken away for research; the others do not. The service's own. */
export class AllowResearchExports1764780820000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create table research_policies (
     organization_id uuid primary key references organizations,
     -- As audit_events.key_id.
     allowed_by text not null,
     allowed_at timestamptz not null)`,
  `alter table research_policies enable row level security`,
  `alter table research_policies force row level security`,
  `create policy service on research_policies to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on research_policies to sutura_system`,
];
