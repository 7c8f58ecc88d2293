import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How urgently a report is looked at, 1 first (`CONCERNS`); null: it waits for nobody, or a process of the release before wrote it, and then it
 * stands where nothing is known. Those that wait are found, in order, by an index of those alone.
 */
export class OrderTheWorklist1764781270000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  'alter table reports add column concern smallint check (concern between 1 and 6)',
  `create index reports_for_review on reports (organization_id, environment, (coalesce(concern, 5::smallint)), created_at, id)
     where status = 'preliminary' or attention is not null`,
  `set local role sutura_system`,
  `update reports report set concern = case
       when report.attention is not null then 1
       when made.verdict = 'worsening' then 2
       when made.verdict = 'mixed' then 3
       when made.verdict = 'reopened' then 4
       when made.verdict in ('improving', 'unchanged', 'closed', 'ended') then 6
       else 5 end
     from (select report_id, version, figures #>> '{comparison,course,verdict}' as verdict from report_versions) made
     where (report.status = 'preliminary' or report.attention is not null)
       and made.report_id = report.id and made.version = report.version`,
  `reset role`,
];
