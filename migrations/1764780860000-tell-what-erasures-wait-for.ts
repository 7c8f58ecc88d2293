import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // The code of the refusal that the last try met; null: none yet, or it went on.
  `alter table patient_erasures add column waits_for text, add column tried_at timestamptz`,
  // Whoever was tried last comes last.
  `drop index patient_erasures_unfinished`,
  `create index patient_erasures_unfinished on patient_erasures (lease_until, id) where state <> 'done'`,

  // Days after which results go that name no patient; null: never by age.
  `alter table retention_policies add column unnamed_days int check (unnamed_days between 1 and 36500)`,
  // The kinds are the program's to know.
  `alter table retention_runs drop constraint retention_runs_what_check`,
  `alter table retention_runs add constraint retention_runs_what_check check (what ~ '^[a-z][a-z-]{0,39}$')`,
  `create index analysis_jobs_unnamed on analysis_jobs (organization_id, completed_at) where patient_id is null and completed_at is not null`,
];

/** Erasures say what they wait for, and results that name no patient go by age. */
export class TellWhatErasuresWaitFor1764780860000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
