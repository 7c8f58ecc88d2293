import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // No worker takes the job before this; null: at once.
  `alter table analysis_jobs add column not_before timestamptz`,
  // Attempts that timed out, those of them while other jobs ended well, and the last of them.
  `alter table analysis_jobs add column timeouts integer not null default 0, add column own_timeouts integer not null default 0,
     add column timed_out_at timestamptz`,
  // The ended job that this one does again.
  `alter table analysis_jobs add column retry_of uuid references analysis_jobs on delete set null`,
  `create index jobs_by_retried on analysis_jobs (retry_of) where retry_of is not null`,
  // Whose statistics quote a patient's words until they are sampled anew.
  `alter table patient_erasures add column touched_tables text[] not null default '{}'`,
  // Only the owner of a table may sample it.
  `create function sutura_sample_tables(tables text[]) returns void language plpgsql security definer set search_path = pg_catalog, public as
     $$ declare sampled record; begin
       for sampled in select schemaname, tablename from pg_catalog.pg_tables where schemaname = 'public' and tablename = any (tables) order by 2 loop
         execute format('analyze %I.%I', sampled.schemaname, sampled.tablename);
       end loop; end $$`,
  `revoke all on function sutura_sample_tables(text[]) from public`,
  `grant execute on function sutura_sample_tables(text[]) to sutura_system`,
];

/** Jobs wait after a time-out, and ended ones are done again; erasures know the tables that they took rows from. */
export class RetryJobs1764780942000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
