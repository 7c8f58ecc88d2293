import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When the job of a report was made. Look-ups by pairs list a wound at its newest job: by the index it is asked whether there is a later one, which
 * is the next row, however many photos the wound has. A trigger, so that processes of the release before write it, too.
 */
export class FindLaterPhotosOfAWound1764781560000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `alter table reports add column job_created_at timestamptz`,
  `set local role sutura_system`,
  `update reports report set job_created_at = job.created_at from analysis_jobs job where job.id = report.job_id`,
  `reset role`,
  `alter table reports alter column job_created_at set not null`,
  `create function sutura_date_job_of_report() returns trigger language plpgsql as
     $$ begin
          new.job_created_at := (select created_at from analysis_jobs where id = new.job_id);
          return new;
        end $$`,
  `create trigger date_job_of_report before insert on reports
     for each row when (new.job_created_at is null) execute function sutura_date_job_of_report()`,
  `create index reports_by_wound_and_job on reports (wound_id, job_created_at, job_id)`,
];
