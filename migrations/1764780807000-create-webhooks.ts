import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What goes out as webhooks: the endpoints of a tenant, every event that is owed to one, and each attempt to deliver it. */
export class CreateWebhooks1764780807000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES, ...POLICIES, ...GRANTS]) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const TENANT = `organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live'))`;

const TABLES = [
  `create table webhooks (
     id uuid primary key,
     ${TENANT},
     url text not null,
     -- Empty: every type.
     types text[] not null,
     content text not null check (content in ('ids', 'full')),
     schemes text[] not null,
     -- Keys of HMAC-SHA256 and of ed25519 (the seed), and those that they took the place of, which sign as well until then.
     secret bytea not null,
     signing_seed bytea not null,
     previous_secret bytea,
     previous_seed bytea,
     previous_until timestamptz,
     paused boolean not null default false,
     disabled_at timestamptz,
     disabled_for text check (disabled_for in ('gone', 'failing')),
     -- The first failure since the last delivery.
     failing_since timestamptz,
     created_at timestamptz not null,
     deleted_at timestamptz,
     check ((disabled_at is null) = (disabled_for is null)))`,

  // One row an endpoint: the counter of its deliveries, and the process that sends to it.
  `create table webhook_senders (
     webhook_id uuid primary key references webhooks,
     ${TENANT},
     last_number bigint not null default 0,
     lease_token uuid,
     lease_until timestamptz,
     check ((lease_token is null) = (lease_until is null)))`,

  `create table webhook_deliveries (
     id uuid primary key,
     webhook_id uuid not null references webhooks,
     ${TENANT},
     number bigint not null,
     -- The event's id, which every receiver and every attempt sees as webhook-id.
     subject_id uuid not null,
     version int not null,
     lane text not null,
     preliminary boolean not null,
     type text not null,
     -- The report whose trace its attempts are part of.
     report_id uuid,
     body bytea not null,
     size_bytes int not null,
     state text not null check (state in ('waiting', 'delivered', 'parked', 'discarded', 'collapsed', 'moved')),
     attempts int not null default 0,
     failures int not null default 0,
     refusals int not null default 0,
     unsent boolean not null default true,
     parked_for text,
     fault text,
     -- Of the last attempt; the answer's beginning, 2 KiB at most.
     status_code int,
     duration_ms int,
     answer bytea,
     next_at timestamptz not null,
     created_at timestamptz not null,
     sent_at timestamptz,
     delivered_at timestamptz,
     moved_to uuid references webhook_deliveries,
     unique (webhook_id, number),
     unique (webhook_id, subject_id, version))`,

  `create table webhook_attempts (
     id uuid primary key,
     delivery_id uuid not null references webhook_deliveries on delete cascade,
     webhook_id uuid not null references webhooks,
     ${TENANT},
     at timestamptz not null,
     -- null: no answer; fault says why.
     status_code int,
     fault text,
     duration_ms int not null,
     delivered boolean not null,
     -- The beginning of the answer's body, 2 KiB at most.
     answer bytea)`,
];

const INDEXES = [
  `create index webhooks_of_tenant on webhooks (organization_id, environment, created_at, id) where deleted_at is null`,
  `create index webhook_deliveries_due on webhook_deliveries (webhook_id, failures, number) where state = 'waiting'`,
  `create index webhook_deliveries_pending on webhook_deliveries (webhook_id, number) where state in ('waiting', 'parked')`,
  `create index webhook_deliveries_pending_lane on webhook_deliveries (webhook_id, lane, number) where state in ('waiting', 'parked')`,
  `create index webhook_deliveries_pending_subject on webhook_deliveries (webhook_id, subject_id, number) where state in ('waiting', 'parked')`,
  `create index webhook_deliveries_newest on webhook_deliveries (webhook_id, created_at desc, id desc)`,
  `create index webhook_attempts_of_delivery on webhook_attempts (delivery_id, id)`,
  `create index webhook_attempts_failed on webhook_attempts (webhook_id, at) where not delivered`,
];

const TENANT_TABLES = ['webhooks', 'webhook_senders', 'webhook_deliveries', 'webhook_attempts'];

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
  `grant select, insert, update on ${TENANT_TABLES.join(', ')} to sutura_app`,
];
