import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The outcome that a job of the test environment asked for, and what waits for a person because of one. A column, since the metadata that asked are
 * erased with their patient.
 */
export class KeepSandboxOutcome1764781480000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table analysis_jobs add column sandbox text,
         add constraint analysis_jobs_sandbox_in_test check (sandbox is null or environment = 'test') not valid`,
    );
    await runner.query(`alter table held_items add column sandbox text, add check (sandbox is null or environment = 'test')`);
    await runner.query(
      `create index held_items_of_sandbox on held_items (organization_id, environment, settled_at) where sandbox is not null`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
