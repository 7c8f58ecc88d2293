import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests that wait for what a person decides, and what became of them. */
export class KeepHeldRequests1764781010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create table held_requests (
     item_id uuid primary key references held_items on delete cascade,
     organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live')),
     -- Sealed: who asked, and what for; null once it is done or given up.
     content bytea,
     -- What a repeat is answered with; null: it still waits. No content of a resource.
     answer jsonb)`,
  `create index held_items_by_key on held_items (organization_id, environment, key, since) where key is not null`,
  `alter table held_requests enable row level security`,
  `alter table held_requests force row level security`,
  `create policy tenant on held_requests to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on held_requests to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on held_requests to sutura_system`,
  `grant select, insert, update, delete on held_requests to sutura_app`,
];
