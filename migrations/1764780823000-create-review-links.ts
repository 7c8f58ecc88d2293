import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links that open the review desk for one report or wound, and the origins whose pages may show it in a frame. */
export class CreateReviewLinks1764780823000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `alter table organizations add column review_frame_origins text[] not null default '{}'`,
  `create table review_links (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live')),
     -- Of the key or client that made it.
     key_id uuid not null,
     -- Behind the request that made it.
     person text,
     subject text not null check (subject in ('report', 'wound')),
     -- Of the report, or of the wound.
     subject_id uuid not null,
     -- The report that the link was asked for.
     report_id uuid not null,
     mode text not null check (mode in ('read', 'review')),
     language text,
     frame_origin text,
     sha256 bytea not null,
     -- Of the session that took its place; null: nobody opened it.
     session_sha256 bytea,
     expires_at timestamptz not null)`,
  `create index review_links_ended on review_links (expires_at)`,
  `alter table review_links enable row level security`,
  `alter table review_links force row level security`,
  `create policy service on review_links to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on review_links to sutura_system`,
];
