import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Launches of SMART that are on their way, and what a desk that an EHR opened has beside others. */
export class LaunchFromEhrs1764781540000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create table ehr_launches (
     state_sha256 bytea primary key,
     organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live')),
     ehr_id uuid not null references ehrs on delete cascade,
     -- As the EHR stated it.
     iss text not null,
     -- The EHR's own word for this launch; it means nothing here.
     launch text not null,
     verifier text not null,
     nonce text not null,
     browser_sha256 bytea not null,
     is_framed boolean not null,
     expires_at timestamptz not null)`,
  `create index ehr_launches_expired on ehr_launches (expires_at)`,
  `create index ehr_launches_of_ehr on ehr_launches (ehr_id)`,
  `alter table ehr_launches enable row level security`,
  `alter table ehr_launches force row level security`,
  `create policy service on ehr_launches to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on ehr_launches to sutura_system`,
  `alter table review_links drop constraint review_links_subject_check`,
  `alter table review_links add constraint review_links_subject_check check (subject in ('report', 'wound', 'patient'))`,
  `alter table review_links
     -- A cookie within the page of another site has to be kept apart for that site.
     add column is_framed boolean not null default false,
     add column is_banner_short boolean not null default false,
     -- Ends so long after its last use; null: at its end alone.
     add column idle_s integer,
     add column used_at timestamptz`,
];
