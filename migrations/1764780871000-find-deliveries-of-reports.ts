import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = ['webhook_deliveries', 'fhir_subscription_deliveries'].flatMap((table) => [
  `create index ${table}_by_report on ${table} (report_id) where report_id is not null`,
  `create index ${table}_by_state on ${table} (state, id desc) where state <> 'delivered'`,
]);

/** A report's deliveries are lines of its photo's timeline, and what is parked is found among a million that were delivered. */
export class FindDeliveriesOfReports1764780871000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
