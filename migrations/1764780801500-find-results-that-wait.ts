import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why the present version of a report waits for a person; null: it does not. Wounds with such reports are found by an index of those alone. */
export class FindResultsThatWait1764780801500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `alter table reports add column attention text[] check (cardinality(attention) > 0)`,
  `create index reports_waiting on reports (organization_id, environment, wound_id) where attention is not null`,
];
