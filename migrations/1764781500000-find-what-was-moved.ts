import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether anything refers to a row that is deleted is asked for each row: by these, without reading all of its table. */
export class FindWhatWasMoved1764781500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create index hl7_outbox_moved on hl7_outbox (moved_to) where moved_to is not null`,
  `create index webhook_deliveries_moved on webhook_deliveries (moved_to) where moved_to is not null`,
  `create index fhir_subscription_deliveries_moved on fhir_subscription_deliveries (moved_to) where moved_to is not null`,
  `create index analysis_jobs_retried on analysis_jobs (retry_of) where retry_of is not null`,
];
