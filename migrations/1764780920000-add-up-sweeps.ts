import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // What a sweep removes is added where it goes, in the same transaction; ended_at is that of the last addition until the sweep has ended.
  `alter table retention_runs add column is_open boolean not null default false`,
  `create index retention_runs_open on retention_runs (ended_at) where is_open`,
  // Photos go under the row-level security of their tenant.
  `create policy tenant on retention_runs to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `grant select, insert, update on retention_runs to sutura_app`,
];

/** A sweep that is killed leaves what it removed until then, counted. */
export class AddUpSweeps1764780920000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
