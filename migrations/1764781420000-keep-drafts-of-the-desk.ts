import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people have changed at the review desk and not decided yet, and who has a report open there. Neither is part of the record, and nothing that leaves the house reads them. */
export class KeepDraftsOfTheDesk1764781420000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const TENANT = `organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live'))`;

const STATEMENTS = [
  `create table review_drafts (
     ${TENANT},
     report_id uuid not null references reports on delete cascade,
     -- 'user:NAME', 'person:ID' or, where a link names nobody, 'link:ID'.
     author text collate "C" not null,
     -- Chosen by the page that saved it: who writes over it has to know it.
     revision uuid not null,
     -- The version of the report that was on the screen.
     report_version int not null check (report_version > 0),
     -- Whose link was open: a typed name belongs to it.
     link_id uuid not null,
     work jsonb not null,
     -- Typed as those to whom the photo belongs; beside the rest, since it goes with that patient, too.
     reassignment jsonb,
     other_patient text,
     check (reassignment is not null or other_patient is null),
     size_bytes int not null check (size_bytes <= 196608),
     saved_at timestamptz not null,
     primary key (report_id, author))`,
  `create index review_drafts_by_age on review_drafts (saved_at)`,
  `create index review_drafts_of_other_patient on review_drafts (organization_id, environment, other_patient) where other_patient is not null`,
  `alter table review_drafts enable row level security`,
  `alter table review_drafts force row level security`,
  // A caller's transaction says whose drafts it is about, and sees no other.
  `create policy author on review_drafts to sutura_app
     using (sutura_tenant_matches(organization_id, environment) and author = nullif(current_setting('app.author', true), ''))
     with check (sutura_tenant_matches(organization_id, environment) and author = nullif(current_setting('app.author', true), ''))`,
  `grant select, insert, update, delete on review_drafts to sutura_app`,
  // Erasure and retention remove drafts, or the numbers of a patient in one, and read nothing of what was drawn or typed.
  `create policy service on review_drafts to sutura_system using (true) with check (true)`,
  `grant select (organization_id, environment, report_id, other_patient, size_bytes, saved_at), update (reassignment, other_patient), delete on review_drafts to sutura_system`,

  `create table review_presence (
     ${TENANT},
     link_id uuid not null,
     -- Of a page, chosen by it: one person may have several.
     tab_id uuid not null,
     report_id uuid not null references reports on delete cascade,
     author text collate "C" not null,
     -- As the desk shows it to others; null: the link names nobody.
     name text,
     can_decide boolean not null,
     since timestamptz not null,
     seen_at timestamptz not null,
     primary key (link_id, tab_id))`,
  `create index review_presence_by_report on review_presence (report_id, seen_at)`,
  `create index review_presence_by_age on review_presence (seen_at)`,
  `alter table review_presence enable row level security`,
  `alter table review_presence force row level security`,
  `create policy tenant on review_presence to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on review_presence to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on review_presence to sutura_app`,
  `grant select, delete on review_presence to sutura_system`,
];
