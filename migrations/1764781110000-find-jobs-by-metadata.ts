import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Jobs by the caller's own references. A table of its own, because under row-level security no index is used that an array or a document stands in;
 * a trigger, so that processes of the release before write it, too.
 */
export class FindJobsByMetadata1764781110000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

/** All pairs of all jobs. */
const FILL = `insert into job_metadata (organization_id, environment, key, value, created_at, job_id)
    select job.organization_id, job.environment, pair.key, pair.value, job.created_at, job.id
      from analysis_jobs job cross join lateral jsonb_each_text(job.metadata) pair
      where job.metadata is not null and jsonb_typeof(job.metadata) = 'object'`;

const STATEMENTS = [
  `create table job_metadata (
     organization_id uuid not null,
     environment text not null check (environment in ('test', 'live')),
     key text collate "C" not null,
     value text collate "C" not null,
     created_at timestamptz not null,
     job_id uuid not null,
     primary key (organization_id, environment, key, value, created_at, job_id))`,
  `create index job_metadata_of_job on job_metadata (job_id)`,
  `alter table job_metadata enable row level security`,
  `alter table job_metadata force row level security`,
  `create policy tenant on job_metadata to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on job_metadata to sutura_system using (true) with check (true)`,
  `grant select, insert, delete on job_metadata to sutura_app, sutura_system`,
  // What is there is written before writers of jobs have to wait for anything.
  `set local role sutura_system`,
  FILL,
  `reset role`,
  `create function sutura_keep_job_metadata() returns trigger language plpgsql as
     $$ begin
          insert into job_metadata (organization_id, environment, key, value, created_at, job_id)
            select new.organization_id, new.environment, pair.key, pair.value, new.created_at, new.id from jsonb_each_text(new.metadata) pair;
          return null;
        end $$`,
  `create function sutura_drop_job_metadata() returns trigger language plpgsql as
     $$ begin
          delete from job_metadata where job_id = old.id;
          return null;
        end $$`,
  `create trigger keep_job_metadata after insert on analysis_jobs
     for each row when (new.metadata is not null) execute function sutura_keep_job_metadata()`,
  `create trigger drop_job_metadata after delete on analysis_jobs
     for each row when (old.metadata is not null) execute function sutura_drop_job_metadata()`,
  // Jobs that were made meanwhile; the transaction began with the first.
  `set local role sutura_system`,
  `${FILL} and job.created_at > now() - interval '1 hour' on conflict do nothing`,
  `reset role`,
];
