import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which wound a photo without a number shows is asked of people: since when, and that one said that it is a wound of its own. */
export class AskWhichWound1764781401000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  // The wound had a number until its patient's record was joined into one that has a wound of that number, too; null: it never had, or has.
  `alter table wounds add column unnumbered_since timestamptz`,
  // A person said that none of the patient's other wounds is meant; null: nobody has.
  `alter table wounds add column kept_apart_at timestamptz`,
  `alter table wounds add column kept_apart_by text`,
  `create index wounds_unnumbered on wounds (organization_id, environment, patient_id)
     where wound_id is null and merged_into is null and kept_apart_at is null and status = 'open'`,
];
