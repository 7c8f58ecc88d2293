import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the wounds of a tenant were looked through for what people decided and stated of them; below the form of a release, its next start does so. */
export class ShowDecisionsOnWounds1764781450000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table fhir_openings add column wounds_form smallint not null default 0');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
