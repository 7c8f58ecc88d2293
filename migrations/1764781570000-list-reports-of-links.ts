import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `alter table review_links add column report_ids uuid[] not null default '{}'`,
  `alter table review_links drop constraint review_links_subject_check`,
  `alter table review_links add constraint review_links_subject_check check (subject in ('report', 'wound', 'patient', 'list'))`,
];

/** A link to the review desk may be of a list of reports, which a person goes through one after the other. */
export class ListReportsOfLinks1764781570000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
