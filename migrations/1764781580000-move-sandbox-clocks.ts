import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The clock of an organization's test environment, which it moves ahead of real time. Every move is kept: rows have real times, and what was written
 * between two moves is translated by the first of them.
 */
export class MoveSandboxClocks1764781580000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create table sandbox_clocks (
     organization_id uuid not null references organizations,
     -- Live has no clock of its own.
     environment text collate "C" not null check (environment = 'test'),
     -- Oldest first: {"at": milliseconds of real time since 1970, "aheadMs": from then on}.
     moves jsonb not null check (jsonb_typeof(moves) = 'array'),
     primary key (organization_id, environment))`,
  `alter table sandbox_clocks enable row level security`,
  `alter table sandbox_clocks force row level security`,
  `create policy tenant on sandbox_clocks to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on sandbox_clocks to sutura_system using (true) with check (true)`,
  `grant select, insert, update on sandbox_clocks to sutura_app`,
  `grant select on sandbox_clocks to sutura_system`,
  // Links to the desk end by this clock: a move brings their end nearer.
  `create policy tenant on review_links to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `grant select (organization_id, environment, expires_at, used_at), update (expires_at, used_at) on review_links to sutura_app`,
];
