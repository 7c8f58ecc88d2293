import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Who took a photo that was given up for time off the list of what waits for a person, when, and why.
  `alter table analysis_jobs add column set_aside jsonb`,
  `grant update (set_aside) on analysis_jobs to sutura_app`,
  `create index analysis_jobs_timed_out on analysis_jobs (organization_id, environment, completed_at, id)
     where status = 'error' and error ->> 'code' = 'processing.timeout' and set_aside is null`,
];

/** Photos that were given up for time wait for a person. */
export class SetPhotosAside1764781022000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
