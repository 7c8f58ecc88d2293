import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What goes out by HL7 v2: every message to a destination, built once, and who is sending to each destination. */
export class CreateHl7Outbox1764400000000 implements MigrationInterface {
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
  // One row a destination: the counter of its messages, and the process that sends to it.
  `create table hl7_senders (
     destination_id uuid primary key references hl7_destinations,
     ${TENANT},
     last_number bigint not null default 0,
     lease_token uuid,
     lease_until timestamptz,
     check ((lease_token is null) = (lease_until is null)))`,

  `create table hl7_outbox (
     id uuid primary key,
     destination_id uuid not null references hl7_destinations,
     ${TENANT},
     -- The order of sending; MSH-10 is made of it.
     number bigint not null,
     control_id text not null,
     kind text not null check (kind in ('result', 'ack')),
     -- The report, the analysis that failed, or the message that is answered.
     subject_id uuid not null,
     -- Of the report; 1 for everything else.
     version int not null,
     -- What must arrive in order where the destination orders by patient.
     lane text not null,
     -- Not the final word: may be left out once that is there.
     preliminary boolean not null,
     message bytea not null,
     size_bytes int not null,
     state text not null check (state in ('waiting', 'delivered', 'parked', 'discarded', 'collapsed')),
     attempts int not null default 0,
     -- In a row without an answer, and in all with AE or CE.
     failures int not null default 0,
     refusals int not null default 0,
     next_at timestamptz not null,
     -- MSA-1 and ERR-3 of the last acknowledgment, and MSA-1 of an application acknowledgment that came after it.
     ack_code text,
     ack_condition text,
     application_code text,
     created_at timestamptz not null,
     sent_at timestamptz,
     delivered_at timestamptz,
     unique (destination_id, number),
     unique (destination_id, subject_id, version))`,
];

const INDEXES = [
  `create index hl7_outbox_pending on hl7_outbox (destination_id, number) where state in ('waiting', 'parked')`,
  `create index hl7_outbox_newest on hl7_outbox (organization_id, environment, created_at desc, id desc)`,
  `create index hl7_outbox_by_control_id on hl7_outbox (organization_id, environment, control_id)`,
];

const TENANT_TABLES = ['hl7_senders', 'hl7_outbox'];

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
