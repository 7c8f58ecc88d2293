import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tenancy, images, jobs, quota, idempotency and the outbox.
 *
 * Two database roles stand behind two connection pools: `sutura_app` serves callers and sees one tenant at a time by
 * row-level security (settings app.organization and app.environment, local to the transaction); `sutura_system` serves
 * workers, sweeps and administration. Neither owns a table. The roles are made before the migrations run.
 */
export class CreateFoundation1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES, ...FUNCTIONS, ...POLICIES, ...GRANTS]) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const TABLES = [
  `create table service_secrets (
     name text not null,
     version int not null,
     secret bytea not null,
     created_at timestamptz not null default now(),
     primary key (name, version))`,

  `create table organizations (
     id uuid primary key,
     name text not null,
     plan text not null check (plan in ('free', 'pro', 'enterprise')),
     daily_limit_override int check (daily_limit_override >= 0),
     result_policy text not null check (result_policy in ('review', 'auto-final')),
     created_at timestamptz not null)`,

  `create table api_keys (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live')),
     sha256 bytea not null unique,
     prefix text not null,
     last_four text not null,
     scopes text[] not null,
     created_at timestamptz not null,
     expires_at timestamptz,
     revoked_at timestamptz,
     replaced_by uuid references api_keys,
     last_used_at timestamptz)`,

  `create table patients (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text not null,
     created_at timestamptz not null default now())`,

  `create table patient_identifiers (
     organization_id uuid not null,
     environment text not null,
     system text not null,
     value text not null,
     patient_id uuid not null references patients,
     primary key (organization_id, environment, system, value))`,

  `create table images (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text not null,
     patient_id uuid references patients,
     status text not null check (status in ('awaiting_upload', 'stored', 'deleted')),
     announced_content_type text,
     announced_content_length bigint,
     announced_sha256 text,
     max_bytes bigint not null,
     upload_expires_at timestamptz not null,
     object_key text not null,
     size_bytes bigint,
     sha256 text,
     verdict jsonb,
     created_at timestamptz not null,
     stored_at timestamptz,
     deleted_at timestamptz,
     check (status <> 'stored' or (sha256 is not null and verdict is not null)))`,

  `create table analysis_jobs (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text not null,
     image_id uuid not null references images,
     patient_id uuid references patients,
     source text not null,
     status text not null check (status in ('queued', 'processing', 'completed', 'error')),
     priority smallint not null default 0,
     clinical_context text,
     subject jsonb,
     -- Columns of their own, because under row-level security no index can serve "subject ->> …": that operator is not leakproof.
     subject_patient_id text generated always as (subject ->> 'patientId') stored,
     subject_wound_id text generated always as (subject ->> 'woundId') stored,
     captured_at timestamptz not null,
     mm_per_pixel double precision check (mm_per_pixel > 0),
     clinician_observations jsonb,
     metadata jsonb,
     attempts int not null default 0,
     lease_token uuid,
     lease_until timestamptz,
     created_at timestamptz not null,
     started_at timestamptz,
     completed_at timestamptz,
     result json,
     error jsonb,
     check ((status = 'completed') = (result is not null)),
     check ((status = 'error') = (error is not null)),
     check ((status = 'processing') = (lease_token is not null)),
     check ((status in ('completed', 'error')) = (completed_at is not null)))`,

  `create table quota_usage (
     organization_id uuid not null references organizations,
     day date not null,
     used int not null check (used >= 0),
     primary key (organization_id, day))`,

  `create table idempotency_keys (
     organization_id uuid not null references organizations,
     environment text not null,
     route text not null,
     key text not null,
     body_sha256 text not null,
     answer jsonb not null,
     expires_at timestamptz not null,
     primary key (organization_id, environment, route, key))`,

  `create table outbox_events (
     sequence bigint generated always as identity primary key,
     id uuid not null unique,
     kind text not null,
     organization_id uuid not null,
     environment text not null,
     subject_id uuid not null,
     created_at timestamptz not null default now(),
     next_try_at timestamptz not null default now(),
     tries int not null default 0)`,
];

const INDEXES = [
  `create index api_keys_by_organization on api_keys (organization_id)`,
  `create index patient_identifiers_by_patient on patient_identifiers (patient_id)`,
  `create index jobs_newest on analysis_jobs (organization_id, environment, created_at desc, id desc)`,
  `create index jobs_by_status on analysis_jobs (organization_id, environment, status, created_at desc, id desc)`,
  `create index jobs_by_patient on analysis_jobs (organization_id, environment, subject_patient_id, created_at desc, id desc)
     where subject_patient_id is not null`,
  `create index jobs_by_wound on analysis_jobs (organization_id, environment, subject_wound_id, created_at desc, id desc)
     where subject_wound_id is not null`,
  `create index jobs_waiting on analysis_jobs (priority desc, created_at, id) where status = 'queued'`,
  `create index jobs_leased on analysis_jobs (lease_until) where status = 'processing'`,
  `create index jobs_unfinished_by_image on analysis_jobs (image_id) where status in ('queued', 'processing')`,
  `create index idempotency_keys_expiry on idempotency_keys (expires_at)`,
  `create index outbox_events_due on outbox_events (next_try_at, sequence)`,
];

const FUNCTIONS = [
  // The database's clock decides quota days, leases and expiries; a test replaces this function to move it.
  `create function sutura_now() returns timestamptz language sql volatile as 'select clock_timestamp()'`,
  `create function sutura_tenant_matches(organization uuid, environment text) returns boolean language sql stable parallel safe as
     $$ select organization = nullif(current_setting('app.organization', true), '')::uuid
           and environment = current_setting('app.environment', true) $$`,
  // One round trip for the poll path: sets the tenant for the statement's own transaction, then reads under the policy.
  `create function sutura_read_job(organization uuid, environment_ text, job uuid) returns setof analysis_jobs language plpgsql as
     $$ begin
          perform set_config('app.organization', organization::text, true), set_config('app.environment', environment_, true);
          return query select j.* from analysis_jobs j
            where j.id = job and j.organization_id = organization and j.environment = environment_;
        end $$`,
];

/** Tables whose rows belong to one tenant, by organization and environment. */
const TENANT_TABLES = ['patients', 'patient_identifiers', 'images', 'analysis_jobs', 'idempotency_keys', 'outbox_events'];

const POLICIES = [
  ...TENANT_TABLES.flatMap((table) => [
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `create policy tenant on ${table} to sutura_app
       using (sutura_tenant_matches(organization_id, environment))
       with check (sutura_tenant_matches(organization_id, environment))`,
    `create policy service on ${table} to sutura_system using (true) with check (true)`,
  ]),
  ...['organizations', 'api_keys', 'quota_usage'].flatMap((table) => [
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `create policy service on ${table} to sutura_system using (true) with check (true)`,
  ]),
  `create policy own_organization on organizations for select to sutura_app
     using (id = nullif(current_setting('app.organization', true), '')::uuid)`,
  `create policy own_quota on quota_usage to sutura_app
     using (organization_id = nullif(current_setting('app.organization', true), '')::uuid)
     with check (organization_id = nullif(current_setting('app.organization', true), '')::uuid)`,
  `alter table service_secrets enable row level security`,
  `alter table service_secrets force row level security`,
  `create policy service on service_secrets to sutura_system using (true) with check (true)`,
];

const GRANTS = [
  `grant select, insert, update, delete on all tables in schema public to sutura_system`,
  `grant select on organizations to sutura_app`,
  `grant select, insert, update on quota_usage, images, patients, patient_identifiers to sutura_app`,
  `grant select, insert on analysis_jobs, outbox_events to sutura_app`,
  `grant select, insert, delete on idempotency_keys to sutura_app`,
  `grant usage on all sequences in schema public to sutura_app, sutura_system`,
];
