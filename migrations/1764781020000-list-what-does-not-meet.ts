import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // How long an order waits for its photo, or a photo for its order, before a person is told; null: nobody is.
  `alter table organizations add column unmatched_after_minutes int default 1440 check (unmatched_after_minutes between 1 and 43200)`,
  // What came before there was a list is not on it.
  `alter table organizations add column unmatched_from timestamptz not null default now()`,
  // Taken off the list by a person. What waits is derived from the records; this is all that is kept of it.
  `create table unmatched_dismissals (
     organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live')),
     reason text not null check (reason in ('order_without_photo', 'photo_without_order')),
     -- The analysis that was ordered, or the photo.
     subject_id uuid not null,
     dismissed_by text not null,
     person text,
     dismissed_at timestamptz not null,
     primary key (organization_id, environment, reason, subject_id))`,
  `alter table unmatched_dismissals enable row level security`,
  `alter table unmatched_dismissals force row level security`,
  `create policy tenant on unmatched_dismissals to sutura_app
     using (sutura_tenant_matches(organization_id, environment)) with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on unmatched_dismissals to sutura_system using (true) with check (true)`,
  `grant select, insert on unmatched_dismissals to sutura_app`,
  `grant select, insert, update, delete on unmatched_dismissals to sutura_system`,
];

/** Orders without a photo, and photos without an order, stand on the list of what waits for a person. */
export class ListWhatDoesNotMeet1764781020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
