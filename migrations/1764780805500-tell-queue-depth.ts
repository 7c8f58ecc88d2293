import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many analyses wait, as one row without any tenant's data, for a scaler outside the service. The view reads as
 * `sutura_system`, which row-level security lets see every row; whoever may log in to this database may read the view,
 * and no other table by it.
 */
export class TellQueueDepth1764780805500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create view sutura_queue_depth as select
     (select count(*)::int from analysis_jobs where status = 'queued') as queued,
     (select count(*)::int from analysis_jobs where status = 'processing') as processing`,
  // A view's new owner must be able to create in the schema, if only for the moment of the change. An account that may not
  // grant this keeps the view: it is a member of the role, and the role's policies are its own.
  `do $$ begin
     grant create on schema public to sutura_system;
     alter view sutura_queue_depth owner to sutura_system;
     revoke create on schema public from sutura_system;
   exception when insufficient_privilege then null; end $$`,
  `grant select on sutura_queue_depth to public`,
];
