import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The HL7 v2 door: who may send and who is sent to, every message as it came in with what became of it, and what results say again
 * of their orders.
 */
export class CreateHl71764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES, ...FUNCTIONS, ...POLICIES, ...GRANTS]) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const TENANT = `organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live'))`;

/** What one peer is like stands in `settings`, checked by the program; a row that was deleted stays for the messages that name it. */
const peers = (table: string): string => `create table ${table} (
     id uuid primary key,
     ${TENANT},
     name text not null,
     settings jsonb not null,
     enabled boolean not null default true,
     created_at timestamptz not null,
     deleted_at timestamptz)`;

const TABLES = [
  peers('hl7_listeners'),
  peers('hl7_destinations'),

  `create table hl7_inbound (
     id uuid primary key,
     sequence bigint generated always as identity,
     ${TENANT},
     -- The listener; for messages over HTTP where there is none an id of the tenant's own.
     source_id uuid not null,
     transport text not null check (transport in ('mllp', 'http')),
     received_at timestamptz not null,
     -- Who sent it, for the audit trail: the listener or the API key, and the address.
     key_id text not null,
     address text not null,
     sending_application text not null,
     sending_facility text not null,
     control_id text not null,
     message_type text not null,
     version text not null,
     -- Hash of MSH-3, MSH-4 and MSH-10; null where MSH-10 is empty.
     message_key bytea,
     -- False: the control id may be used again, because a later message has taken it or its time is over.
     holds_key boolean not null,
     -- SHA-256 of the message without MSH-7.
     sha256 bytea not null,
     raw bytea not null,
     size_bytes int not null,
     state text not null check (state in ('received', 'processed', 'ignored', 'failed')),
     -- Of a failed one: a resend is processed, not answered with what is stored.
     retryable boolean not null default false,
     attempts int not null default 0,
     replays int not null default 0,
     lease_token uuid,
     -- Of a received one: not to be taken up by another process before this.
     lease_until timestamptz not null,
     processed_at timestamptz,
     -- What was answered on receipt in enhanced mode: CA, CE, CR; null: nothing.
     accept_code text,
     -- What the sender wants to hear in the end.
     application_ack text not null check (application_ack in ('now', 'later', 'never')),
     -- AA, AE, AR; null: not judged yet.
     ack_code text,
     ack bytea,
     problems jsonb not null default '[]',
     analysis_ids uuid[] not null default '{}')`,

  // What results of an order say again exactly as it was received.
  `create table hl7_orders (
     id uuid primary key,
     ${TENANT},
     inbound_id uuid not null references hl7_inbound,
     source_id uuid not null,
     -- As analysis_requests.order_key has it; null: photos without an order.
     order_key text,
     analysis_ids uuid[] not null,
     echo bytea not null,
     created_at timestamptz not null)`,
];

const INDEXES = [
  `create unique index hl7_listeners_by_name on hl7_listeners (organization_id, environment, name) where deleted_at is null`,
  `create unique index hl7_destinations_by_name on hl7_destinations (organization_id, environment, name) where deleted_at is null`,
  `create unique index hl7_inbound_by_key on hl7_inbound (source_id, message_key) where holds_key`,
  `create index hl7_inbound_newest on hl7_inbound (organization_id, environment, id desc)`,
  `create index hl7_inbound_unfinished on hl7_inbound (source_id, sequence) where state = 'received'`,
  `create index hl7_inbound_failed on hl7_inbound (organization_id, environment, id desc) where state = 'failed'`,
  `create unique index hl7_orders_by_order on hl7_orders (organization_id, environment, order_key) where order_key is not null`,
  `create index hl7_orders_by_analysis on hl7_orders using gin (analysis_ids)`,
];

const FUNCTIONS = [
  // Running gateways listen: a change of listeners or destinations is picked up at once.
  `create function sutura_tell_hl7_change() returns trigger language plpgsql as
     $$ begin perform pg_notify('sutura_peers_changed', tg_table_name); return null; end $$`,
  ...['hl7_listeners', 'hl7_destinations'].map(
    (table) => `create trigger told after insert or update or delete on ${table} for each statement execute function sutura_tell_hl7_change()`,
  ),
];

const TENANT_TABLES = ['hl7_listeners', 'hl7_destinations', 'hl7_inbound', 'hl7_orders'];

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
  `grant select on hl7_listeners, hl7_destinations to sutura_app`,
  `grant select, insert, update on hl7_inbound, hl7_orders to sutura_app`,
];
