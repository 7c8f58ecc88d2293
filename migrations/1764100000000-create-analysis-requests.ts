import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Orders that wait for their photo, photos that come with a message or are fetched, attachments that are no photos,
 * and what an organization decides about them.
 */
export class CreateAnalysisRequests1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...CHANGES, ...TABLES, ...INDEXES, ...POLICIES, ...GRANTS]) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const CHANGES = [
  `alter table images
     add column origin text not null default 'upload' check (origin in ('upload', 'message', 'address')),
     add column awaited boolean not null default false`,
  `alter table organizations
     add column auto_analyze boolean not null default false,
     add column image_hosts text[] not null default '{}'`,
];

const TABLES = [
  `create table analysis_requests (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live')),
     -- What ordered it, in the words of the door that it came through.
     order_key text,
     image_id uuid references images,
     wish jsonb not null,
     state text not null check (state in ('waiting', 'held', 'started', 'rejected', 'cancelled')),
     error jsonb,
     retry_at timestamptz not null,
     created_at timestamptz not null,
     check ((state = 'rejected') = (error is not null)),
     check (state <> 'started' or image_id is not null))`,

  // The address of a photo that is still to be fetched; the row goes once that has succeeded or was given up.
  `create table remote_images (
     image_id uuid primary key references images,
     organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live')),
     url text not null,
     tries int not null default 0,
     next_try_at timestamptz not null)`,

  `create table attachments (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live')),
     status text not null check (status in ('staged', 'stored')),
     content_type text not null,
     size_bytes bigint not null,
     sha256 text not null,
     object_key text not null,
     created_at timestamptz not null)`,
];

const INDEXES = [
  `create index jobs_by_image on analysis_jobs (image_id)`,
  `create index analysis_requests_by_order on analysis_requests (organization_id, environment, order_key, created_at) where order_key is not null`,
  `create index analysis_requests_by_image on analysis_requests (image_id) where image_id is not null`,
  `create index analysis_requests_waiting on analysis_requests (retry_at) where state = 'waiting' and image_id is not null`,
  `create index images_forgotten on images (upload_expires_at) where status = 'awaiting_upload' and origin <> 'upload'`,
  `create index remote_images_due on remote_images (next_try_at)`,
  `create index attachments_forgotten on attachments (created_at) where status = 'staged'`,
];

const TENANT_TABLES = ['analysis_requests', 'remote_images', 'attachments'];

const POLICIES = TENANT_TABLES.flatMap((table) => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy tenant on ${table} to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on ${table} to sutura_system using (true) with check (true)`,
]);

const GRANTS = [
  `grant select, insert, update, delete on ${TENANT_TABLES.join(', ')} to sutura_system`,
  `grant select, insert, update on analysis_requests to sutura_app`,
  `grant select, insert on remote_images to sutura_app`,
  `grant select, insert, update on attachments to sutura_app`,
  // A caller may end a job of its own that no worker has taken yet.
  `grant update (status, error, completed_at) on analysis_jobs to sutura_app`,
];
