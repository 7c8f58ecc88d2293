import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Results that were issued before it was known to be a child's stand in the worklist again: what is of concern is found, whatever its status. */
export class ReturnIssuedResults1764781410500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  'drop index reports_for_review',
  `create index reports_for_review on reports (organization_id, environment, (coalesce(concern, 5::smallint)), created_at, id)
     where status = 'preliminary' or attention is not null or concern is not null`,
];
