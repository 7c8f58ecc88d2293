import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Days after which a version of a FHIR resource goes once a newer one took its place; null: never by age.
  `alter table retention_policies add column version_days int check (version_days between 1 and 36500)`,
];

/** Superseded versions of FHIR resources go by age where an organization wants it. */
export class KeepVersionsByAge1764780944500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
