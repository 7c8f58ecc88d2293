import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // A row for each process of the service, written by itself every few seconds: roles, parts that are not ready, and figures of its /metrics.
  `create table process_reports (
     process_id uuid primary key,
     host text not null,
     roles text[] not null,
     -- By part, since when.
     failing jsonb not null,
     figures jsonb not null,
     seen_at timestamptz not null)`,
  `alter table process_reports enable row level security`,
  `alter table process_reports force row level security`,
  `create policy service on process_reports to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on process_reports to sutura_system`,
  // Since when a gateway has said the same of a listener; null: a process of the release before reports on it.
  `alter table hl7_served_listeners add column since timestamptz`,
  // When a receiver last took something is a proof that the console shows: one step in an index, however long the history.
  `create index hl7_outbox_taken on hl7_outbox (destination_id, delivered_at desc) where delivered_at is not null`,
  `create index webhook_deliveries_taken on webhook_deliveries (webhook_id, delivered_at desc) where delivered_at is not null`,
  `create index fhir_subscription_deliveries_taken on fhir_subscription_deliveries (subscription_id, delivered_at desc) where delivered_at is not null`,
];

/** What the service knows of its own processes, and of when a receiver last took something. The service's own: no tenant reads it. */
export class KnowProcesses1764781300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
