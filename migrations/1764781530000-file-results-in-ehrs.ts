import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Results that are filed in EHRs: one delivery for each part of a version, with what the EHR filed it as, and who is sending to each EHR. */
export class FileResultsInEhrs1764781530000 implements MigrationInterface {
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
  // A registration is removed with its ledger; every exit asks for the second column.
  `alter table ehrs add column push_paused boolean not null default false,
     add column deleted_at timestamptz check (deleted_at is null)`,

  // One row an EHR: the counter of its deliveries, and the process that sends to it.
  `create table ehr_senders (
     ehr_id uuid primary key references ehrs on delete cascade,
     ${TENANT},
     last_number bigint not null default 0,
     lease_token uuid,
     lease_until timestamptz,
     check ((lease_token is null) = (lease_until is null)))`,

  `create table ehr_deliveries (
     id uuid primary key,
     ehr_id uuid not null references ehrs on delete cascade,
     ${TENANT},
     number bigint not null,
     -- Follows from report and part.
     subject_id uuid not null,
     -- Of the report.
     version int not null,
     -- The patient's id here.
     lane text not null,
     preliminary boolean not null,
     -- The part of the version: document, report, observation-…, or bundle for all of it.
     type text not null,
     report_id uuid not null,
     -- Ids alone: what is filed is read when it is sent.
     body bytea not null,
     size_bytes int not null,
     state text not null check (state in ('waiting', 'delivered', 'parked', 'discarded', 'collapsed', 'moved')),
     attempts int not null default 0,
     failures int not null default 0,
     refusals int not null default 0,
     unsent boolean not null default true,
     parked_for text,
     fault text,
     -- Of the last attempt: why a person is needed, and the codes of the EHR's answer.
     held_for text,
     answer_codes text,
     -- The resources that the EHR keeps of it: part, type, and the EHR's id and version.
     filed jsonb,
     history jsonb not null default '[]',
     next_at timestamptz not null,
     created_at timestamptz not null,
     sent_at timestamptz,
     delivered_at timestamptz,
     moved_to uuid references ehr_deliveries,
     unique (ehr_id, number),
     unique (ehr_id, subject_id, version))`,
];

const INDEXES = [
  `create index ehr_deliveries_waiting on ehr_deliveries (ehr_id, (number + 0)) where state = 'waiting'`,
  `create index ehr_deliveries_pending on ehr_deliveries (ehr_id, number) where state in ('waiting', 'parked')`,
  `create index ehr_deliveries_due on ehr_deliveries (ehr_id, failures, number) where state = 'waiting'`,
  `create index ehr_deliveries_pending_lane on ehr_deliveries (ehr_id, lane, number) where state in ('waiting', 'parked')`,
  `create index ehr_deliveries_pending_subject on ehr_deliveries (ehr_id, subject_id, number) where state in ('waiting', 'parked')`,
  // The ledger of a report, and its lines in the trace of a photo.
  `create index ehr_deliveries_by_report on ehr_deliveries (report_id)`,
  `create index ehr_deliveries_by_state on ehr_deliveries (state, id desc) where state <> 'delivered'`,
  `create index ehr_deliveries_arrived on ehr_deliveries (ehr_id, delivered_at desc) where delivered_at is not null`,
  `create index ehr_deliveries_moved on ehr_deliveries (moved_to) where moved_to is not null`,
];

const TENANT_TABLES = ['ehr_senders', 'ehr_deliveries'];

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
  `grant select, insert, update, delete on ${TENANT_TABLES.join(', ')} to sutura_app`,
];
