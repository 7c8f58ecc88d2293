import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What waits for a person, and what people decided about it. */
export class HoldForPersons1764781000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create table held_items (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live')),
     -- The reasons are the program's to know.
     reason text collate "C" not null check (reason ~ '^[a-z][a-z_]{0,39}$'),
     door text,
     -- A digest by which what comes later joins it, and finds what was decided; null: nothing does.
     key bytea,
     -- Ids of what came, and of what it touches.
     came jsonb not null,
     waits_for text not null,
     actions text[] not null,
     since timestamptz not null,
     settled_at timestamptz,
     -- The key, client or operator, and the person behind it.
     settled_by text,
     settled_person text,
     -- { action, authority, to, note }
     resolution jsonb,
     check ((settled_at is null) = (resolution is null)))`,
  `create unique index held_items_joined on held_items (organization_id, environment, key) where key is not null and settled_at is null`,
  `create index held_items_decided on held_items (organization_id, environment, key, settled_at) where key is not null and settled_at is not null`,
  `create index held_items_waiting on held_items (organization_id, environment, since, id) where settled_at is null`,
  `alter table held_items enable row level security`,
  `alter table held_items force row level security`,
  `create policy tenant on held_items to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on held_items to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on held_items to sutura_system`,
  `grant select, insert, update, delete on held_items to sutura_app`,
  // Messages that wait: accepted, and nothing of them is filed.
  `alter table hl7_inbound add column held_item uuid`,
  `alter table hl7_inbound drop constraint hl7_inbound_state_check`,
  `alter table hl7_inbound add constraint hl7_inbound_state_check check (state in ('received', 'processed', 'ignored', 'failed', 'sealed', 'discarded', 'held'))`,
  `create index hl7_inbound_held on hl7_inbound (held_item, sequence) where state = 'held'`,
];
