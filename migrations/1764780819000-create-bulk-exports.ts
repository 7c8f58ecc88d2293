import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bulk exports: what was asked for, how far it is, and the files that are made of it. The files lie in the object store, below `exports/<id>/`. */
export class CreateBulkExports1764780819000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...POLICIES, ...GRANTS]) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const TENANT = `organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live'))`;

const TABLES = [
  `create table bulk_exports (
     id uuid primary key,
     ${TENANT},
     -- The key, or the client, that may ask how far it is and have its files.
     asked_by uuid not null,
     asked_at timestamptz not null,
     -- {scopes, grants}: what the caller might see when it asked.
     rights jsonb not null,
     -- {base, url, level, types, since, filters}; emptied when it ends, as filters may name patients.
     wish jsonb not null,
     state text not null check (state in ('running', 'complete', 'failed', 'ended')),
     -- Why it ended.
     reason text check (reason in ('cancelled', 'expired', 'patient_erased')),
     -- The export has each resource as it was at this moment; null: not chosen yet.
     transaction_time timestamptz,
     -- What is written up to that moment is committed or undone once no transaction older than this one runs.
     barrier xid8,
     -- How far: the place of a type in the wish, and the id of the last resource that is in a file.
     at_type int not null default 0,
     after_id text collate "C",
     resources bigint not null default 0,
     -- In a row, without any progress.
     tries int not null default 0,
     held_by uuid,
     held_until timestamptz,
     completed_at timestamptz,
     expires_at timestamptz not null,
     files_removed_at timestamptz,
     check ((state = 'ended') = (reason is not null)),
     check ((state = 'complete') <= (transaction_time is not null and completed_at is not null)))`,
  `create index bulk_exports_running on bulk_exports (organization_id, environment) where state = 'running'`,
  `create index bulk_exports_to_do on bulk_exports (held_until nulls first) where state = 'running'`,
  `create index bulk_exports_to_remove on bulk_exports (expires_at) where files_removed_at is null`,
  `create table bulk_export_files (
     export uuid not null references bulk_exports on delete cascade,
     number int not null check (number > 0),
     ${TENANT},
     type text collate "C" not null,
     resources int not null check (resources > 0),
     bytes bigint not null,
     primary key (export, number))`,
];

const OWN = `organization_id = (select nullif(current_setting('app.organization', true), '')::uuid) and environment = (select current_setting('app.environment', true))`;

const POLICIES = ['bulk_exports', 'bulk_export_files'].flatMap((table) => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy tenant on ${table} to sutura_app using (${OWN}) with check (${OWN})`,
  `create policy service on ${table} to sutura_system using (true) with check (true)`,
]);

const GRANTS = [
  `grant select, insert, update on bulk_exports to sutura_app`,
  `grant select on bulk_export_files to sutura_app`,
  `grant select, insert, update, delete on bulk_exports, bulk_export_files to sutura_system`,
];
