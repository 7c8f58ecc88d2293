import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // When a heartbeat was last sent; null: never.
  `alter table fhir_subscriptions add column heartbeat_at timestamptz`,
  `create index fhir_subscriptions_with_heartbeat on fhir_subscriptions (id) where heartbeat_s is not null and deleted_at is null`,
];

/** Subscriptions that ask for it are sent a heartbeat where nothing else was sent for a while. */
export class SendHeartbeats1764780824000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
