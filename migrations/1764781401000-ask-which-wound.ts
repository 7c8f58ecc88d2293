import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which wound a photo without a number shows is asked of people: since when, and what one took off the list. */
export class AskWhichWound1764781401000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  // Wounds from before are not asked about: nobody would work off years at once. A constant as the default, which rewrites no row.
  `alter table wounds add column asks_which boolean not null default false`,
  `alter table wounds alter column asks_which set default true`,
  // The wound had a number until its patient's record was joined into one that has a wound of that number, too; null: it never had, or has.
  `alter table wounds add column unnumbered_since timestamptz`,
  // Wounds of which a person does not want to be asked any more whether it is one of them; null: nobody has said so.
  `alter table wounds add column set_aside_from uuid[] not null default '{}'`,
  `alter table wounds add column set_aside_at timestamptz`,
  `alter table wounds add column set_aside_by text`,
  `alter table wounds add column set_aside_note text`,
  `create index wounds_unnumbered on wounds (organization_id, environment, patient_id)
     where wound_id is null and merged_into is null and asks_which and status = 'open'`,
  `create index wounds_numbered on wounds (organization_id, environment, patient_id)
     where wound_id is not null and merged_into is null and status = 'open'`,
];
