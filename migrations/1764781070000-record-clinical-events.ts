import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was done to a wound, or happened to it, between its photos. A row is never deleted but by an erasure: it is withdrawn. */
export class RecordClinicalEvents1764781070000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create table clinical_events (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live')),
     wound_id uuid not null references wounds,
     -- The types are the program's to know.
     type text collate "C" not null check (type ~ '^[a-z][a-z_]{0,39}$'),
     occurred_at timestamptz not null,
     note text check (length(note) <= 2000),
     -- The person who did or saw it, as the caller's own system knows them.
     performer jsonb,
     recorded_at timestamptz not null,
     -- The person behind the request.
     entered_by text,
     withdrawn_at timestamptz,
     -- { by, note, enteredBy }
     withdrawal jsonb,
     check ((withdrawn_at is null) = (withdrawal is null)))`,
  `create index clinical_events_by_wound on clinical_events (wound_id, occurred_at, id)`,
  `alter table clinical_events enable row level security`,
  `alter table clinical_events force row level security`,
  `create policy tenant on clinical_events to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on clinical_events to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on clinical_events to sutura_system`,
  // What was recorded stays as it was; it can be withdrawn.
  `grant select, insert on clinical_events to sutura_app`,
  `grant update (withdrawn_at, withdrawal) on clinical_events to sutura_app`,
];
