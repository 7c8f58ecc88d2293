import type { MigrationInterface, QueryRunner } from 'typeorm';

/** FHIR Subscriptions: what clients asked to be told of, every notification that is owed to one, and each attempt to deliver it. */
export class CreateFhirSubscriptions1764780814000 implements MigrationInterface {
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
  `create table fhir_subscriptions (
     id uuid primary key,
     ${TENANT},
     version int not null,
     -- As it was sent, without what the service says itself (id, meta.versionId, status, error) and without channel.header.
     asked jsonb not null,
     -- This server as the client addressed it: every notification names it.
     base text not null,
     topic text not null,
     resource_type text not null check (resource_type in ('DiagnosticReport', 'Task')),
     filters jsonb not null,
     content text not null check (content in ('empty', 'id-only', 'full-resource')),
     url text not null,
     -- channel.header: secret, and in no answer.
     headers text[] not null,
     timeout_s int not null,
     heartbeat_s int,
     max_count int not null,
     -- Of HMAC-SHA256; shown once.
     secret bytea not null,
     -- Turned off by the client.
     is_off boolean not null,
     ends_at timestamptz,
     -- What happened before is not told.
     told_from timestamptz not null,
     disabled_at timestamptz,
     disabled_for text check (disabled_for in ('gone', 'failing')),
     -- The first failure since the last delivery.
     failing_since timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz,
     check ((disabled_at is null) = (disabled_for is null)))`,

  // One row a subscription: the counter of its deliveries, and the process that sends to it.
  `create table fhir_subscription_senders (
     subscription_id uuid primary key references fhir_subscriptions,
     ${TENANT},
     last_number bigint not null default 0,
     lease_token uuid,
     lease_until timestamptz,
     check ((lease_token is null) = (lease_until is null)))`,

  // Number 1 is the handshake; from 2 on the number is that of the event, plus one.
  `create table fhir_subscription_deliveries (
     id uuid primary key,
     subscription_id uuid not null references fhir_subscriptions,
     ${TENANT},
     number bigint not null,
     -- The resource and its version; of the handshake the subscription itself.
     subject_id uuid not null,
     version int not null,
     lane text not null,
     preliminary boolean not null,
     type text not null check (type in ('handshake', 'event-notification')),
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
     moved_to uuid references fhir_subscription_deliveries,
     unique (subscription_id, number),
     unique (subscription_id, subject_id, version))`,

  `create table fhir_subscription_attempts (
     id uuid primary key,
     delivery_id uuid not null references fhir_subscription_deliveries on delete cascade,
     subscription_id uuid not null references fhir_subscriptions,
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
  `create index fhir_subscriptions_of_tenant on fhir_subscriptions (organization_id, environment, created_at, id) where deleted_at is null`,
  `create index fhir_subscription_deliveries_due on fhir_subscription_deliveries (subscription_id, failures, number) where state = 'waiting'`,
  `create index fhir_subscription_deliveries_pending on fhir_subscription_deliveries (subscription_id, number) where state in ('waiting', 'parked')`,
  `create index fhir_subscription_deliveries_pending_lane on fhir_subscription_deliveries (subscription_id, lane, number) where state in ('waiting', 'parked')`,
  `create index fhir_subscription_deliveries_pending_subject on fhir_subscription_deliveries (subscription_id, subject_id, number) where state in ('waiting', 'parked')`,
  `create index fhir_subscription_deliveries_subject on fhir_subscription_deliveries (organization_id, environment, subject_id)`,
  `create index fhir_subscription_attempts_of_delivery on fhir_subscription_attempts (delivery_id, id)`,
  `create index fhir_subscription_attempts_failed on fhir_subscription_attempts (subscription_id, at) where not delivered`,
];

const TENANT_TABLES = [
  'fhir_subscriptions',
  'fhir_subscription_senders',
  'fhir_subscription_deliveries',
  'fhir_subscription_attempts',
];

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
