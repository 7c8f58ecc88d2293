import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a database came back without what was written last: what was filed in an EHR since its back-up, and made anew here, is not known. */
export class RememberComingBack1764781607000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [`alter table ehr_senders add column came_back_at timestamptz`];
